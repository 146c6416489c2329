// One item after the other, on the first lane.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "lab/peers/serial.hpp"
#include "lab/peers/streams/plan.hpp"

namespace parley_peers {

struct serial_streams : serial {
    template <class Result, class Work, class Collect>
    static void stream(pool&, const stream_plan& plan, Work work, Collect collect) {
        for (std::uint64_t item = 0; item < plan.items; ++item) collect(work(0U, item));
    }

    template <class Item, class Work, class Select>
    static void rounds(pool&, const stream_plan&, std::vector<Item> first, Work work, Select select) {
        std::deque<Item> items(first.begin(), first.end());
        for (; !items.empty(); items.pop_front()) {
            work(0U, items.front());
            if (std::optional<Item> next = select(std::move(items.front()))) items.push_back(std::move(*next));
        }
    }
};

}  // namespace parley_peers
