// The same tasks by Parley and by hierarchical master/worker: what the programs compare.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "lab/programs/cluster/masters.hpp"
#include "lab/programs/cluster/program.hpp"

namespace parley_programs::cluster {

// What one rank has after a run.
template <class Result>
struct ran {
    std::vector<Result> results;
    share own;
    parley::cluster::statistics total;
};

template <class Cell, class F>
auto by_stealing(parley::cluster::group& g, const std::vector<Cell>& mine, F work) {
    parley::cluster::balanced_tasks<Cell, F> tasks(g, mine, std::move(work));
    auto results = tasks.finish();
    return ran<typename decltype(results)::value_type>{std::move(results),
                                                       {.rank = g.rank(),
                                                        .brought = mine.size(),
                                                        .ran = tasks.own().tasks,
                                                        .busy_seconds = tasks.own().busy_seconds,
                                                        .timeline = tasks.timeline()},
                                                       tasks.total().counts};
}

// Over all of MPI's ranks, which are the group's.
template <class Cell, class F>
auto by_masters(parley::cluster::group& g, const std::vector<Cell>& mine, F work) {
    auto found = masters<Cell, F>(MPI_COMM_WORLD, mine, std::move(work)).run();
    parley::cluster::statistics total;
    total.tasks = found.tasks;
    total.foreign = found.elsewhere;
    total.messages = found.messages;
    total.busy_seconds = found.busy_seconds;
    total.seconds = found.seconds;
    return ran<typename decltype(found.results)::value_type>{
        std::move(found.results),
        {.rank = g.rank(), .brought = mine.size(), .ran = found.tasks_here, .busy_seconds = found.busy_here},
        total};
}

}  // namespace parley_programs::cluster
