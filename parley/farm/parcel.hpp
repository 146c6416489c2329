// A parcel travels through a pipeline: some items of one source, which stay together.
#pragma once

#include <parley/detail/runtime/pool.hpp>
#include <parley/farm/row.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace parley::inline v0::streaming {

class flow;
class round;

// Work of a flow: a task of the pool that needs no allocation of its own.
struct errand : threading::job {
    using action = void (*)(errand&) noexcept;
    action act = nullptr;
    flow* of = nullptr;  // set when it is spawned
};

// A batch, without the type of its items. It holds the tokens of the items that the source put in, whatever has become
// of them: filtered, failed, or many from one. So there are at most as many parcels under way as there are tokens.
struct parcel : errand {
    parcel() noexcept = default;
    parcel(const parcel&) = delete;
    parcel& operator=(const parcel&) = delete;
    virtual ~parcel() = default;

    // Destroys the items. The empty parcel passes through all stages and only holds its place.
    virtual void empty_out() noexcept = 0;

    void take_place_of(const parcel& other) noexcept {
        number = other.number;
        tokens = other.tokens;
        of_round = other.of_round;
        part = other.part;
        comes_back_to = other.comes_back_to;
    }

    std::uint64_t number = 0;  // its place in the order of the source, or of the last serial stage
    std::uint64_t tokens = 0;
    round* of_round = nullptr;  // the round that this is a part of, if an item travels alone (round.hpp)
    std::size_t part = 0;
    void* place = nullptr;             // the node that this is a task of
    parcel** comes_back_to = nullptr;  // a loop further up on this stack waits for it here (feedback.hpp)
    bool hollow = false;               // emptied; its type may be that of an earlier stage
};

template <class T>
struct batch final : parcel {
    void empty_out() noexcept override {
        row<T>().swap(items);
        hollow = true;
    }
    row<T> items;
};

// What the giver of a parcel does next.
enum class giver : std::uint8_t {
    is_done,      // nothing: it can go on with what it gives
    goes_on,      // something else: another worker should take the parcel, unless it is short
    keeps_apart,  // what is given must run in a task of its own
};

// The next node for a parcel, which owns it from then on.
class inlet {
public:
    virtual void accept(parcel& p, giver from) noexcept = 0;

protected:
    ~inlet() = default;
};

}  // namespace parley::inline v0::streaming
