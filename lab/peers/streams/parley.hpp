// Parley's farms behind plan.hpp.
#pragma once

#include <parley/farm.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <utility>
#include <vector>

#include "lab/peers/parley.hpp"
#include "lab/peers/streams/plan.hpp"
#include "lab/peers/streams/schedule.hpp"

namespace parley_peers::inline v0 {

struct parley_streams : parley {
    template <class Result, class Work, class Collect>
    static void stream(pool&, const stream_plan& plan, Work work, Collect collect) {
        namespace p = ::parley;
        const p::sequence order = plan.ordered ? p::ordered : p::unordered;
        const auto from = [&plan] { return p::source(std::views::iota(std::uint64_t{0}, plan.items)); };
        const auto to = [order, &collect] {
            return p::sink(order, [&collect](Result result) { collect(std::move(result)); });
        };
        if (plan.alike && !plan.blocks && plan.schedule == "stealing") {
            (from() | p::farm([&work](std::uint64_t item) { return work(0U, item); }, {.order = order}) | to()).run();
            return;
        }
        with_lanes(plan, work, {.order = order}, [&](auto lanes) { (from() | std::move(lanes) | to()).run(); });
    }

    template <class Item, class Work, class Select>
    static void rounds(pool&, const stream_plan& plan, std::vector<Item> first, Work work, Select select) {
        namespace p = ::parley;
        // All go round at once. Fewer tokens than ARRS wants would be refused.
        const std::size_t tokens = std::max(first.size(), 2 * plan.chunk);
        const auto worked_on = [&work](unsigned lane, Item item) {
            work(lane, item);
            return item;
        };
        with_lanes<Item>(plan, worked_on, {.order = p::unordered}, [&](auto lanes) {
            (p::source(std::move(first)) |
             p::loop(std::move(lanes) | p::stage([&select](Item item) { return select(std::move(item)); }),
                     [](const Item&) { return false; }) |
             p::sink(p::unordered, [](const Item&) {
             })).run({.tokens = tokens});
        });
    }

private:
    // use(the farm with the plan's lanes, each of which works as that number).
    template <class Item = std::uint64_t, class Work, class Use>
    static void with_lanes(const stream_plan& plan, const Work& work, const ::parley::lanes_options& options, Use use) {
        namespace p = ::parley;
        const auto lane = [&work](unsigned number) {
            return [&work, number](Item item) { return work(number, std::move(item)); };
        };
        std::vector<decltype(lane(0))> on_pool;
        std::vector<decltype(p::own_thread(lane(0)))> on_threads;
        for (unsigned i = 0; i < plan.lanes; ++i) {
            if (plan.blocks) on_threads.push_back(p::own_thread(lane(i)));
            else on_pool.push_back(lane(i));
        }
        if (plan.blocks) use(p::farm(std::move(on_threads), schedule_of(plan), options));
        else use(p::farm(std::move(on_pool), schedule_of(plan), options));
    }

    static ::parley::any_schedule schedule_of(const stream_plan& plan) {
        return parley_peers::schedule_of(plan.schedule, plan.depth, plan.chunk);
    }
};

}  // namespace parley_peers::inline v0
