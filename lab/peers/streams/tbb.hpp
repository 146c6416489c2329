// oneTBB's parallel_pipeline behind plan.hpp, with four tokens per lane, as its documentation advises for a start. It
// has no lanes: whoever runs an item takes a free one.
#pragma once

#include <tbb/parallel_for_each.h>
#include <tbb/parallel_pipeline.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "lab/peers/streams/plan.hpp"
#include "lab/peers/tbb.hpp"

namespace parley_peers {

struct tbb_streams : tbb {
    template <class Result, class Work, class Collect>
    static void stream(pool& home, const stream_plan& plan, Work work, Collect collect) {
        using ::tbb::filter_mode;
        const unsigned lanes = plan.alike ? home.workers() : plan.lanes;
        free_lanes free(lanes);
        std::uint64_t next = 0;
        ::tbb::parallel_pipeline(4 * std::size_t{lanes},
                                 ::tbb::make_filter<void, std::uint64_t>(filter_mode::serial_in_order,
                                                                         [&](::tbb::flow_control& flow) {
                                                                             if (next == plan.items) flow.stop();
                                                                             return next < plan.items ? next++ : next;
                                                                         }) &
                                     ::tbb::make_filter<std::uint64_t, Result>(filter_mode::parallel,
                                                                               [&](std::uint64_t item) {
                                                                                   if (plan.alike) return work(0U, item);
                                                                                   const unsigned lane = free.take();
                                                                                   auto result = work(lane, item);
                                                                                   free.give_back(lane);
                                                                                   return result;
                                                                               }) &
                                     ::tbb::make_filter<Result, void>(
                                         plan.ordered ? filter_mode::serial_in_order : filter_mode::serial_out_of_order,
                                         [&](Result result) { collect(std::move(result)); }));
    }

    template <class Item, class Work, class Select>
    static void rounds(pool&, const stream_plan& plan, std::vector<Item> first, Work work, Select select) {
        free_lanes free(plan.lanes);
        std::mutex selecting;
        ::tbb::parallel_for_each(first.begin(), first.end(), [&](Item& item, ::tbb::feeder<Item>& goes_round) {
            const unsigned lane = free.take();
            work(lane, item);
            free.give_back(lane);
            std::unique_lock lock(selecting);
            std::optional<Item> next = select(std::move(item));
            lock.unlock();
            if (next) goes_round.add(std::move(*next));
        });
    }

private:
    // No more threads run than there are workers; where lanes are fewer, some of these wait.
    class free_lanes {
    public:
        explicit free_lanes(unsigned lanes) : lanes_(lanes), taken_(new std::atomic<bool>[lanes] {}) {}
        unsigned take() noexcept {
            for (;;)
                for (unsigned i = lanes_; i-- > 0;)  // the last one, where lanes differ, first
                    if (!taken_[i].load(std::memory_order_relaxed) && !taken_[i].exchange(true)) return i;
        }
        void give_back(unsigned lane) noexcept { taken_[lane].store(false); }

    private:
        unsigned lanes_;
        std::unique_ptr<std::atomic<bool>[]> taken_;
    };
};

}  // namespace parley_peers
