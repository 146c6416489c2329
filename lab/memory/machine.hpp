// The threads of a scene, each on a stack of its own, within one thread of the system. They stop before each operation, and
// somebody else decides what it reads and who goes on.
#pragma once

#include <lab/memory/graph.hpp>
#include <lab/memory/operation.hpp>
#include <lab/memory/races.hpp>
#include <lab/memory/scene.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace parley::memory {

class machine {
public:
    machine();
    ~machine();
    machine(const machine&) = delete;
    machine& operator=(const machine&) = delete;

    // Makes the scene's threads. Throws std::invalid_argument if there are too many.
    void begin(const scene& s);
    // Runs the thread up to its first operation.
    void start(unsigned thread);
    [[nodiscard]] unsigned threads() const noexcept { return count_; }
    // What the thread is about to do. Null: it has ended.
    [[nodiscard]] const operation* next(unsigned thread) const noexcept;
    // The thread goes on: its operation has read this, and it stands at this place.
    void go_on(unsigned thread, std::uint64_t has_read, const clock& happened);
    // Notes the access of the thread's next operation. False: it is a data race.
    [[nodiscard]] bool may_access(unsigned thread);
    // After all threads have ended: the final values of all locations, and the scene's finally().
    void finish(const graph& g);

    // A name of the location that is the same in each execution, and its initial value.
    [[nodiscard]] std::uint64_t key_of(const operation& o);
    [[nodiscard]] static std::uint64_t initial_of(const operation& o) noexcept;

    [[nodiscard]] const std::optional<std::string>& failure() const noexcept { return failure_; }
    void fail(std::string what);
    [[nodiscard]] const std::string& outcome() const noexcept { return outcome_; }

    // For code that is explored (calls.hpp, scene.hpp).
    std::uint64_t perform(const operation& o) noexcept;
    void constructed(std::uintptr_t address);
    void destroyed(std::uintptr_t address, std::size_t bytes);
    void accessed(std::uintptr_t address, std::size_t bytes, access how);
    void* allocate(std::size_t bytes, std::size_t alignment);
    bool release(void* address);
    void say_outcome(std::string text) { outcome_ = std::move(text); }
    [[noreturn]] void stop_thread() noexcept;
    [[nodiscard]] bool runs_a_thread() const noexcept { return running_ != nobody; }
    [[nodiscard]] unsigned running() const noexcept { return running_; }
    [[nodiscard]] static bool is_there() noexcept;
    [[nodiscard]] std::size_t events_so_far() const noexcept { return threads_[running_].happened.of(running_); }

private:
    static constexpr unsigned nobody = most_threads;  // no thread runs: what comes before and after them

    struct thread_state {
        std::byte* stack = nullptr;
        void* position = nullptr;
        bool has_ended = false;
        operation next;
        std::uint64_t has_read = 0;
        clock happened;
        std::uint32_t made = 0;  // so many atomics
    };
    struct arena {
        std::byte* first = nullptr;
        std::size_t used = 0;
    };

    static void run_thread(void* machine_) noexcept;
    void switch_to(unsigned thread);
    std::uint64_t perform_alone(const operation& o) noexcept;

    std::array<thread_state, most_threads + 1> threads_;
    std::array<arena, most_threads + 1> arenas_;
    std::byte* memory_ = nullptr;
    void* searching_ = nullptr;  // where the search stopped
    unsigned running_ = nobody;
    unsigned count_ = 0;
    std::optional<program> program_;
    race_detector races_;
    std::unordered_map<std::uintptr_t, std::uint64_t> keys_;  // 0: the atomic's life has ended
    std::optional<std::string> failure_;
    std::string outcome_;
};

// The machine whose threads the process runs. There is one at a time.
[[nodiscard]] machine& the_machine() noexcept;
// While it lives, the caller's own work is not explored: that of the search, called from explored code.
class unexplored {
public:
    unexplored() noexcept;
    ~unexplored();
    unexplored(const unexplored&) = delete;
    unexplored& operator=(const unexplored&) = delete;

private:
    bool was_explored_;
};

}  // namespace parley::memory
