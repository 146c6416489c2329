// A serial node: an inbox that one worker at a time serves.
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

// In which order parcels come to a node.
enum class arrival : std::uint8_t {
    numbered,    // by number; those that come too early wait in a ring
    any,         // as they come; a serial stage numbers them anew
    round_trip,  // as they come, and their number is bounded by nothing that a ring could have: inside a loop
};

// Many may put in, one at a time takes out.
class inbox {
public:
    // At most so many parcels are under way, hence as many numbers from the next one on: none is overtaken in the
    // ring.
    inbox(arrival order, std::size_t parcels)
        : ring_(order == arrival::numbered ? std::bit_ceil(parcels) : 0), mask_(ring_.size() - 1) {}

    void put(parcel& p) noexcept {
        // A place is empty again before the token comes back without which the next parcel for it cannot exist.
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

// Whoever finds nobody at the inbox serves it, or spawns a task that does if it has other things to do.
class actor : public inlet, public errand {
public:
    void accept(parcel& p, giver from) noexcept final {
        p.comes_back_to = nullptr;  // another may take it out
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
    batch_size size_;  // of what handle() does

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
