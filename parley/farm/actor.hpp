// A serial node: one worker at a time serves its inbox.
#pragma once

#include <parley/detail/sync/mpsc.hpp>
#include <parley/detail/sync/spsc.hpp>
#include <parley/detail/sync/turn.hpp>
#include <parley/errors.hpp>
#include <parley/farm/batch_size.hpp>
#include <parley/farm/flow.hpp>
#include <parley/farm/parcel.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace parley::inline v0::streaming {

// The order in which parcels come to a node.
enum class arrival : std::uint8_t {
    numbered,    // by number; parcels that come too early wait in a ring
    any,         // in any order; a serial stage numbers them anew
    round_trip,  // in any order, and with numbers too far apart for a ring: inside a loop
};

// Many threads may put in, one at a time takes out.
class inbox {
public:
    // At most `parcels` parcels are under way. So their numbers are the next so many, and none overtakes another in the
    // ring.
    inbox(arrival order, std::size_t parcels)
        : ring_(order == arrival::numbered ? std::bit_ceil(parcels) : 0), mask_(ring_.size() - 1) {}

    void put(parcel& p) noexcept {
        // A place is empty again before a token comes back. Without that token the next parcel for the place cannot
        // exist.
        if (ring_.empty()) (void)queue_.send(&p);
        else ring_[p.number & mask_].send(&p);
    }

    [[nodiscard]] parcel* take() noexcept {
        if (ring_.empty()) return static_cast<parcel*>(queue_.receive());
        parcel* const p = ring_[next_ & mask_].receive();
        if (p != nullptr) ++next_;
        return p;
    }

private:
    std::vector<sync::spsc_slot<parcel>> ring_;
    std::uint64_t mask_;
    std::uint64_t next_ = 0;
    sync::mpsc<threading::job, &threading::job::next> queue_;
};

// A thread that finds nobody at the inbox serves it. If it has other things to do, it spawns a task that serves.
class actor : public inlet, public errand {
public:
    void accept(parcel& p, giver from) noexcept final {
        p.comes_back_to = nullptr;  // before put(): after it another thread may own `p`
        inbox_.put(p);
        if (!turn_.call()) return;
        if (from == giver::is_done || (from == giver::goes_on && size_.is_short())) serve();
        else flow_.spawn(*this);
    }

protected:
    actor(flow& f, arrival order) : flow_(f), size_(f.limits().longest_batch, 0), inbox_(order, f.limits().parcels()) {
        f.add_measure(size_);
        act = [](errand& e) noexcept { static_cast<actor&>(e).serve(); };
    }
    ~actor() = default;

    virtual void handle(parcel& p) noexcept = 0;

    flow& flow_;
    batch_size size_;  // measures handle()

private:
    void serve() noexcept {
        do {
            while (parcel* const p = inbox_.take()) {
                handle(*p);
                flow_.look_up();
            }
        } while (!turn_.leave());
    }

    inbox inbox_;
    sync::turn turn_;
};

}  // namespace parley::inline v0::streaming
