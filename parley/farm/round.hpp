// A parcel whose items travel alone for a while, and come together again.
#pragma once

#include <parley/detail/sync/remaining.hpp>
#include <parley/farm/flow.hpp>
#include <parley/farm/parcel.hpp>
#include <parley/farm/row.hpp>

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace parley::inline v0::streaming {

// A thread makes it when it takes a parcel apart. The thread that finishes the last part ends it.
class round {
public:
    round(parcel& origin, std::size_t parts) noexcept : origin_(&origin), left_(parts) {}
    round(const round&) = delete;
    round& operator=(const round&) = delete;

    void add(std::size_t parts) noexcept { left_.add(parts); }
    // True for the last part.
    [[nodiscard]] bool done() noexcept { return left_.done(); }

protected:
    ~round() = default;

    // The parcel, whose items have been moved out. It keeps the place, and goes on itself if there is no memory for
    // another.
    parcel* origin_;

private:
    sync::remaining left_;
};

// The outputs of all parts, in the order of the items, wherever and whenever they were made.
template <class Out>
class round_of final : public round {
public:
    round_of(parcel& origin, std::size_t parts) : round(origin, parts), outputs(parts) {}

    // Called for the last part. Returns the parcel that goes on in the place of the old one, and ends the round.
    [[nodiscard]] parcel& collect(flow& of) noexcept {
        const std::unique_ptr<round_of> mine(this);
        if (!of.failed()) {
            try {
                auto out = std::make_unique<batch<Out>>();
                out->take_place_of(*origin_);
                std::size_t sum = 0;
                for (const row<Out>& some : outputs) sum += some.size();
                out->items.reserve(sum);
                for (row<Out>& some : outputs)
                    for (Out& item : some) out->items.push_back(std::move(item));
                delete origin_;
                return *out.release();
            } catch (...) {
                of.fail_with_current_exception();
            }
        }
        origin_->empty_out();
        return *origin_;
    }

    std::vector<row<Out>> outputs;  // each is written by the thread that has that part
};

}  // namespace parley::inline v0::streaming
