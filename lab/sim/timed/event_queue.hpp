// When each worker goes on: at most one entry for each, the earliest first, of equal ones the lowest number.
#pragma once

#include <lab/sim/timed/time.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace parley::inline v0::sim::timed {

class event_queue {
public:
    explicit event_queue(std::uint32_t workers) : place_(workers, nowhere) { heap_.reserve(workers); }

    [[nodiscard]] bool empty() const noexcept { return heap_.empty(); }
    [[nodiscard]] moment next() const noexcept { return heap_.empty() ? never : heap_.front().at; }

    [[nodiscard]] moment of(std::uint32_t worker) const noexcept {
        return place_[worker] == nowhere ? never : heap_[place_[worker]].at;
    }
    // Puts it in, or elsewhere.
    void set(std::uint32_t worker, moment at) {
        std::size_t i = place_[worker];
        if (i == nowhere) {
            i = heap_.size();
            heap_.push_back({at, worker});
            place_[worker] = static_cast<std::uint32_t>(i);
            up(i);
            return;
        }
        const moment before = heap_[i].at;
        heap_[i].at = at;
        if (at < before) up(i);
        else down(i);
    }
    void set_if_earlier(std::uint32_t worker, moment at) {
        if (at < of(worker)) set(worker, at);
    }
    void remove(std::uint32_t worker) {
        const std::size_t i = place_[worker];
        if (i == nowhere) return;
        place_[worker] = nowhere;
        const entry last = heap_.back();
        heap_.pop_back();
        if (i == heap_.size()) return;
        move(last, i);
        up(i);
        down(place_[last.worker]);
    }
    std::uint32_t take() {
        const std::uint32_t worker = heap_.front().worker;
        remove(worker);
        return worker;
    }

private:
    struct entry {
        moment at;
        std::uint32_t worker;
        [[nodiscard]] bool before(const entry& other) const noexcept {
            return at != other.at ? at < other.at : worker < other.worker;
        }
    };
    static constexpr std::uint32_t nowhere = ~std::uint32_t{0};
    static constexpr std::size_t ways = 4;

    void up(std::size_t i) {
        const entry e = heap_[i];
        while (i > 0) {
            const std::size_t above = (i - 1) / ways;
            if (!e.before(heap_[above])) break;
            move(heap_[above], i);
            i = above;
        }
        move(e, i);
    }
    void down(std::size_t i) {
        const entry e = heap_[i];
        for (;;) {
            const std::size_t first = i * ways + 1;
            if (first >= heap_.size()) break;
            std::size_t least = first;
            for (std::size_t j = first + 1; j < first + ways && j < heap_.size(); ++j)
                if (heap_[j].before(heap_[least])) least = j;
            if (!heap_[least].before(e)) break;
            move(heap_[least], i);
            i = least;
        }
        move(e, i);
    }
    void move(const entry& e, std::size_t to) {
        heap_[to] = e;
        place_[e.worker] = static_cast<std::uint32_t>(to);
    }

    std::vector<entry> heap_;
    std::vector<std::uint32_t> place_;
};

}  // namespace parley::inline v0::sim::timed
