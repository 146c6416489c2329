// Parley's farms behind plan.hpp.
#pragma once

#include <parley/farm.hpp>

#include <cstdint>
#include <ranges>
#include <utility>
#include <vector>

#include "peers/parley.hpp"
#include "peers/streams/plan.hpp"

namespace parley_peers {

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
        const auto lane = [&work](unsigned number) {
            return [&work, number](std::uint64_t item) { return work(number, item); };
        };
        std::vector<decltype(lane(0))> on_pool;
        std::vector<decltype(p::own_thread(lane(0)))> on_threads;
        for (unsigned i = 0; i < plan.lanes; ++i) {
            if (plan.blocks) on_threads.push_back(p::own_thread(lane(i)));
            else on_pool.push_back(lane(i));
        }
        const p::any_schedule schedule = schedule_of(plan);
        const p::lanes_options options{.order = order};
        if (plan.blocks) (from() | p::farm(std::move(on_threads), schedule, options) | to()).run();
        else (from() | p::farm(std::move(on_pool), schedule, options) | to()).run();
    }

private:
    static ::parley::any_schedule schedule_of(const stream_plan& plan) {
        if (plan.schedule == "round-robin") return ::parley::round_robin{};
        if (plan.schedule == "on-demand") return ::parley::on_demand{plan.depth};
        if (plan.schedule == "adaptive") return ::parley::adaptive_round_robin{.chunk = plan.chunk};
        return ::parley::work_stealing{};
    }
};

}  // namespace parley_peers
