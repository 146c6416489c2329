// What travels through a pipeline: some items of one source, which stay together.
#pragma once

#include <parley/detail/runtime/pool.hpp>
#include <parley/farm/row.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace parley::inline v0::streaming {

class flow;
class round;

// Something that a flow has to do: a task of the pool without an allocation of its own.
struct errand : threading::job {
    using action = void (*)(errand&) noexcept;
    action act = nullptr;
    flow* of = nullptr;  // set when it is spawned
};

// A batch, without the type of its items. It holds the tokens of the items that the source put in, whatever has
// become of them: filtered, failed, or many from one. So as many parcels are under way as there are tokens, at most.
struct parcel : errand {
    parcel() noexcept = default;
    parcel(const parcel&) = delete;
    parcel& operator=(const parcel&) = delete;
    virtual ~parcel() = default;

    // Destroys the items; what is left passes through all stages and does nothing but hold its place.
    virtual void empty_out() noexcept = 0;

    void take_place_of(const parcel& other) noexcept {
        number = other.number;
        tokens = other.tokens;
        of_round = other.of_round;
        part = other.part;
        comes_back_to = other.comes_back_to;
    }

    std::uint64_t number = 0;  // in its order: from the source, or the last serial stage
    std::uint64_t tokens = 0;
    round* of_round = nullptr;  // what it is a part of, if an item of a parcel travels alone: see round.hpp
    std::size_t part = 0;
    void* place = nullptr;             // the node whose task it is
    parcel** comes_back_to = nullptr;  // where a loop further up this very stack waits for it: see feedback.hpp
    bool hollow = false;               // emptied: its type may be that of an earlier stage
};

template <class T>
struct batch final : parcel {
    void empty_out() noexcept override {
        row<T>().swap(items);
        hollow = true;
    }
    row<T> items;
};

// What whoever hands something on does next.
enum class giver : std::uint8_t {
    is_done,      // nothing more: it can go on with what it gives
    goes_on,      // something else: another worker should be able to take it up, unless it is little
    keeps_apart,  // what is given must run in a task of its own
};

// Where a parcel goes next. Owns it from then on.
class inlet {
public:
    virtual void accept(parcel& p, giver from) noexcept = 0;

protected:
    ~inlet() = default;
};

}  // namespace parley::inline v0::streaming
