// A suspended wait, and two containers of such waits: a list and a hash table by cause.
#pragma once

#include <parley/detail/driver/states.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace parley::inline v0::threading {

class fiber;

// A place in a ring of waits. A list is a ring in which one place belongs to no wait.
struct place_in_list {
    place_in_list* before = nullptr;
    place_in_list* after = nullptr;
};

struct suspended_wait : place_in_list {
    suspended_wait(bool (*asks)(void*), void* of) noexcept : holds(asks), condition(of) {}

    bool can_go_on() const { return holds(condition); }

    bool (*holds)(void* condition);
    void* condition;
    // What the wait is for. Its end on this worker is reported (worker::has_ended). Its end elsewhere raises
    // bits::news. Nothing else makes the condition true. If `cause` is null, anything may.
    const void* cause = nullptr;
    // At this time the wait may end without anybody's doing.
    deadline last = no_deadline;
    fiber* on = nullptr;
    suspended_wait* next_of_bucket = nullptr;
};

// A list of waits. Every operation takes constant time except find(), and none allocates.
class wait_list {
public:
    wait_list() noexcept { make_empty(); }
    wait_list(const wait_list&) = delete;
    wait_list& operator=(const wait_list&) = delete;

    [[nodiscard]] bool empty() const noexcept { return ends_.after == &ends_; }
    // For first() and last() the list must not be empty.
    [[nodiscard]] suspended_wait& first() const noexcept { return static_cast<suspended_wait&>(*ends_.after); }
    [[nodiscard]] suspended_wait& last() const noexcept { return static_cast<suspended_wait&>(*ends_.before); }

    void add_last(suspended_wait& w) noexcept { insert(w, *ends_.before, ends_); }
    void add_first(suspended_wait& w) noexcept { insert(w, ends_, *ends_.after); }
    // Removes `w` from whichever list it is in.
    static void remove(suspended_wait& w) noexcept { join(*w.before, *w.after); }

    // Appends all waits of the other list, which is empty then.
    void take_all(wait_list& other) noexcept {
        if (other.empty()) return;
        join(*ends_.before, other.first());
        join(other.last(), ends_);
        other.make_empty();
    }

    // Returns the first wait for which `f` is true, or null. O(length).
    template <class F>
    [[nodiscard]] suspended_wait* find(F f) const {
        place_in_list* p = ends_.after;
        while (p != &ends_ && !f(static_cast<suspended_wait&>(*p))) p = p->after;
        return p == &ends_ ? nullptr : static_cast<suspended_wait*>(p);
    }

private:
    static void join(place_in_list& a, place_in_list& b) noexcept {
        a.after = &b;
        b.before = &a;
    }
    static void insert(suspended_wait& w, place_in_list& before, place_in_list& after) noexcept {
        join(before, w);
        join(w, after);
    }
    void make_empty() noexcept { join(ends_, ends_); }

    place_in_list ends_;
};

// A hash table of the waits that have a cause.
class waits_by_cause {
public:
    // Must be called before there are more than so many waits. Throws std::bad_alloc.
    void reserve(std::size_t waits) {
        if (waits <= buckets_.size()) return;
        std::vector<suspended_wait*> more(std::bit_ceil(waits));
        buckets_.swap(more);
        for (suspended_wait* w : more)
            while (w != nullptr) {
                suspended_wait* const next = w->next_of_bucket;
                add(*w);
                w = next;
            }
    }

    void add(suspended_wait& w) noexcept {
        suspended_wait*& first = buckets_[bucket(w.cause)];
        w.next_of_bucket = std::exchange(first, &w);
    }
    void remove(const suspended_wait& w) noexcept {
        suspended_wait** link = &buckets_[bucket(w.cause)];
        while (*link != &w) link = &(*link)->next_of_bucket;
        *link = w.next_of_bucket;
    }
    // Returns null if no wait here has this cause.
    [[nodiscard]] suspended_wait* find(const void* cause) const noexcept {
        return buckets_.empty() ? nullptr : first_from(buckets_[bucket(cause)], cause);
    }
    // Returns another wait with the cause of `w`, or null.
    [[nodiscard]] static suspended_wait* next_of_same(const suspended_wait& w) noexcept {
        return first_from(w.next_of_bucket, w.cause);
    }

private:
    static suspended_wait* first_from(suspended_wait* w, const void* cause) noexcept {
        while (w != nullptr && w->cause != cause) w = w->next_of_bucket;
        return w;
    }
    // Fibonacci hashing. The addresses of objects on stacks differ mostly in some bits of the middle.
    [[nodiscard]] std::size_t bucket(const void* cause) const noexcept {
        const std::uint64_t mixed = reinterpret_cast<std::uintptr_t>(cause) * std::uint64_t{0x9E3779B97F4A7C15};
        return (mixed >> 32) & (buckets_.size() - 1);
    }

    std::vector<suspended_wait*> buckets_;  // their number is a power of two or zero
};

}  // namespace parley::inline v0::threading
