// The depot, from which the workers' stocks of task memory are filled (task_memory.hpp). Any thread may touch it.
#pragma once

#include <parley/detail/runtime/task_memory.hpp>
#include <parley/detail/sync/counter.hpp>
#include <parley/detail/sync/remaining.hpp>
#include <parley/detail/sync/stack.hpp>

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace parley::inline v0::threading {

// The workers of one runtime share it. Each of them uses it once per `batch` allocations.
class depot {
public:
    static constexpr std::uint32_t batch = task_memory::batch;

    depot() = default;
    depot(const depot&) = delete;
    depot& operator=(const depot&) = delete;

    // Both functions move exactly `batch` pointers.
    void take(cell** into);
    void give(cell* const* from) noexcept;

    // Takes back one cell. Any thread may call this, also after end(). It takes no lock, so a child of fork() may call
    // it, too.
    void give_back(void* memory) noexcept;

    // Called when a worker's stock ends with so many cells in it.
    void write_off(std::uint64_t cells) noexcept { written_off_.add(cells); }

private:
    struct returned {
        returned* next;
    };
    friend abandons_depot;
    void collect() noexcept;
    void end() noexcept;

    // More cells than are ever given back before end(). So no cell given back before end() is taken for the last one.
    static constexpr std::uint64_t many = std::uint64_t{1} << 62;

    std::mutex mutex_;
    std::vector<cell*> stock_;
    std::vector<std::unique_ptr<cell[]>> slabs_;
    std::uint64_t away_ = 0;  // cells taken in batches, less those given in batches; cells that were collected stay counted
    sync::shared_counter written_off_;
    sync::stack<returned, &returned::next> returned_;  // received under mutex_
    returned* received_ = nullptr;                     // received, and not yet collected
    sync::remaining to_be_given_back_{many};
};

}  // namespace parley::inline v0::threading
