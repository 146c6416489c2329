// The serial scheduler, watched: counts what programs ask for, and on request leaves one call out,
// which shows whether a program's verification would see it.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include "lab/peers/serial.hpp"

namespace parley_tests {

struct watched : parley_peers::serial {
    static constexpr std::string_view name = "watched";

    inline static std::uint64_t forks = 0;
    inline static std::uint64_t spawns = 0;
    inline static std::uint64_t polls = 0;
    inline static std::uint64_t lost_call = 0;  // 1 for the first fork or spawn, 0 for none

    static void begin(std::uint64_t which_is_lost = 0) {
        forks = 0;
        spawns = 0;
        polls = 0;
        lost_call = which_is_lost;
    }

    class scope {
    public:
        template <class F, class... Args>
        void spawn(F&& child, Args&&... arguments) {
            ++spawns;
            if (!is_lost()) {
                std::forward<F>(child)(std::forward<Args>(arguments)...);
            }
        }
        void wait() noexcept {}
    };
    using group = parley_peers::group_of<scope>;

    template <class F, class G>
    static auto fork_join(F&& first, G&& second) {
        ++forks;
        const bool lost = is_lost();
        auto left = std::forward<F>(first)();
        std::invoke_result_t<G&> right{};
        if (!lost) {
            right = std::forward<G>(second)();
        }
        return std::pair(std::move(left), std::move(right));
    }

    static void poll() noexcept { ++polls; }

private:
    static bool is_lost() { return forks + spawns == lost_call; }
};

static_assert(parley_peers::scheduler<watched>);

// What all workers of a pool have counted.
template <class Pool>
std::uint64_t tasks_of(const Pool& pool) {
    std::uint64_t tasks = 0;
    for (const parley_peers::worker_counts& of_one : pool.counts()) {
        tasks += of_one.tasks;
    }
    return tasks;
}

}  // namespace parley_tests
