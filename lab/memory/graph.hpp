// One execution, or a beginning of one, as the C++ memory model sees it: the events of each thread, which write each read
// reads from, and for each location the order of its writes (modification order).
#pragma once

#include <lab/memory/operation.hpp>

#include <array>
#include <atomic>
#include <cstdint>
#include <vector>

namespace parley::memory {

inline constexpr unsigned most_threads = 4;

// The event with this number in its thread, counted from 1. Thread `initial`: the initial value of a location.
struct event_id {
    static constexpr std::uint8_t initial = 255;
    std::uint8_t thread = initial;
    std::uint16_t index = 0;

    friend bool operator==(event_id, event_id) = default;
};

// For each thread, how many of its events come before something.
class clock {
public:
    [[nodiscard]] bool has(event_id e) const noexcept { return e.thread == event_id::initial || e.index <= of_[e.thread]; }
    [[nodiscard]] std::uint16_t of(unsigned thread) const noexcept { return of_[thread]; }
    void add(event_id e) noexcept { of_[e.thread] = e.index; }
    void join(const clock& other) noexcept {
        for (unsigned t = 0; t < most_threads; ++t)
            if (of_[t] < other.of_[t]) of_[t] = other.of_[t];
    }
    friend bool operator==(const clock&, const clock&) = default;

private:
    std::array<std::uint16_t, most_threads> of_{};
};

// What comes before a place in a thread.
struct view {
    clock happened;    // happens-before
    clock causes;      // program order and reads-from, whatever the orders
    clock to_acquire;  // happens before the place once an acquire fence follows
    clock released;    // what the last release fence releases
};

enum class kind : std::uint8_t { read, write, fence };

struct event {
    kind what = kind::fence;
    std::memory_order order = std::memory_order_relaxed;
    bool exclusive = false;        // a read and the write that follows it are one read-modify-write
    std::uint32_t location = ~0U;  // its index in graph::locations; none for a fence
    std::uint64_t value = 0;       // read or written
    event_id from = {};            // a read's write
    std::uint32_t stamp = 0;       // events were added in this order
    view after = {};
    clock released = {};  // a write's: what happens before a read that reads it and acquires
    operation done = {};
};

struct location {
    std::uint64_t key = 0;             // names it in each run of the threads
    std::uint64_t initial = 0;         // value
    std::uint8_t bytes = 0;            // 0: no memory of the program
    std::vector<event_id> order = {};  // its writes, without the initial one
};

[[nodiscard]] bool is_acquire(std::memory_order) noexcept;
[[nodiscard]] bool is_release(std::memory_order) noexcept;

class graph {
public:
    std::array<std::vector<event>, most_threads> threads;
    std::vector<location> locations;

    [[nodiscard]] const event& at(event_id e) const noexcept { return threads[e.thread][e.index - 1U]; }
    [[nodiscard]] std::uint64_t value_of(event_id write, std::uint32_t of) const noexcept;
    [[nodiscard]] view view_of(unsigned thread) const noexcept;
    [[nodiscard]] event_id next_id(unsigned thread) const noexcept;

    // Its place in modification order. 0: the initial value.
    [[nodiscard]] std::uint32_t place_of(event_id write, std::uint32_t of) const noexcept;
    [[nodiscard]] event_id write_at(std::uint32_t place, std::uint32_t of) const noexcept;
    [[nodiscard]] std::uint32_t last_place(std::uint32_t of) const noexcept {
        return static_cast<std::uint32_t>(locations[of].order.size());
    }
    // The place of an event's own write, or of the one that it reads.
    [[nodiscard]] std::uint32_t place_of(const event& e, event_id id) const noexcept;
    // Coherence: a read before which all of `happened` has happened reads from this place or a later one, and such a write
    // comes after it.
    [[nodiscard]] std::uint32_t least_place(std::uint32_t of, const clock& happened) const noexcept;
    // Atomicity: a read-modify-write comes at once after what it reads.
    [[nodiscard]] bool may_insert(std::uint32_t place, std::uint32_t of) const noexcept;

    // They compute what comes before the event, stamp it, and return its name.
    event_id add_read(unsigned thread, event e);
    event_id add_write(unsigned thread, event e, std::uint32_t place);
    event_id add_fence(unsigned thread, event e);
    // The last event of its thread reads another write instead.
    void read_instead(event_id read, event_id from);

    // With the first events of each thread only.
    [[nodiscard]] graph beginning(const std::array<std::uint16_t, most_threads>& lengths) const;

    // Computes anew what comes before this event, whose predecessors are as they will be.
    void compute(event_id id) noexcept;

private:
    event_id push(unsigned thread, event e);

    std::uint32_t next_stamp_ = 1;
};

}  // namespace parley::memory
