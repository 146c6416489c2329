// N queens over ranks: each placed queen a task that may run anywhere.
#include "lab/programs/nqueens.hpp"

#include <chrono>
#include <stdexcept>

#include "lab/peers/serial.hpp"
#include "lab/programs/cluster/program.hpp"

namespace parley_programs::cluster {
namespace {

using parley::cluster::group;
using parley::cluster::spawner;

void place_next(const chess_board& board, spawner<chess_board>& next, std::uint64_t& solutions) {
    if (board.placed == board.size) {
        ++solutions;
        return;
    }
    for (unsigned column = 0; column < board.size; ++column)
        if (board.allows(column)) next.spawn(board.with(column));
}

void add(std::uint64_t& sum, const std::uint64_t& more) { sum += more; }

outcome run(group& g, const json& p) {
    const auto n = p.at("n").get<unsigned>();
    outcome o;
    share own{.rank = g.rank(), .brought = g.rank() == 0 ? 1U : 0U};
    std::uint64_t found = 0;
    {
        std::vector<chess_board> roots;
        if (g.rank() == 0) roots.push_back({{}, 0, static_cast<std::uint8_t>(n)});
        parley::cluster::spawning<chess_board, std::uint64_t, decltype(&place_next), decltype(&add)> search(
            g, std::move(roots), &place_next, &add, 0);
        found = search.finish();
        o.total = search.total().counts;
        own.ran = search.own().tasks;
        own.busy_seconds = search.own().busy_seconds;
        own.timeline = search.timeline();
    }
    if (g.rank() == 0) {
        const auto begin = std::chrono::steady_clock::now();
        const std::uint64_t again = count_solutions<parley_peers::serial>(n);
        o.serial_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        if (again != found) o.problem = "the serial program has found " + std::to_string(again);
    }
    if (found != known_solutions(n)) o.problem = "not the known number of solutions";
    o.shares = gather(g, own);
    o.seconds = o.total.seconds;
    o.result = {{"solutions", found}};
    return o;
}

void check(const json& p) {
    const auto n = p.at("n").get<std::uint64_t>();
    if (n < 1 || n > max_queens) throw std::invalid_argument("--n must be from 1 to 16");
}

}  // namespace

program nqueens_program() {
    return {.name = "nqueens",
            .summary = "ways to place n queens on a chess board, one task for each placed queen",
            .options = {{"n", "queens, 1 to 16", unit::count, "12"}},
            .run = run,
            .check = check};
}

}  // namespace parley_programs::cluster
