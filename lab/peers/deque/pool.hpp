// Workers around Chase-Lev deques: what the papers compare message passing with (thesis, section 6.1).
// Random victims, steal-one; termination as Herlihy and Shavit detect it ("The Art of Multiprocessor
// Programming", chapter 17): a shared count of the workers that are active.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string_view>
#include <thread>
#include <vector>

#include "lab/peers/deque/chase_lev.hpp"
#include "lab/peers/deque/task_memory.hpp"
#include "lab/peers/scheduler.hpp"
#include "parley/detail/base/rng.hpp"

namespace parley_peers::deque_detail {

class worker;

struct task {
    void (*run)(task*, worker&);
};

// When and where loops are divided: see loop.hpp.
enum class splitting : std::uint8_t { eager, half, guided, adaptive };
inline constexpr std::array<std::string_view, 4> split_names{"eager", "half", "guided", "adaptive"};

class pool;

// Written by its worker alone, read by others.
class count {
public:
    void add() noexcept { value_.store(value_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed); }
    [[nodiscard]] std::uint64_t get() const noexcept { return value_.load(std::memory_order_relaxed); }

private:
    std::atomic<std::uint64_t> value_{0};
};

class alignas(128) worker {
public:
    worker(pool& p, unsigned number, std::uint64_t seed) : home(p), id(number), random(seed) {}

    void run(task* t) {
        tasks.add();
        t->run(t, *this);
    }

    pool& home;
    const unsigned id;
    chase_lev<task> queue;
    task_memory memory;
    count tasks, steals, failed;
    ::parley::base::rng random;
};

// constinit: no check before each use whether it is initialised.
inline constinit thread_local worker* current = nullptr;

class pool {
public:
    explicit pool(const setup& wanted);
    ~pool();
    pool(const pool&) = delete;
    pool& operator=(const pool&) = delete;

    // The calling thread is worker 0 while f runs; the others work until nobody is active.
    template <class F>
    decltype(auto) run(F&& f) {
        struct run_of_all {
            explicit run_of_all(pool& p) : home(p) { home.begin(); }
            ~run_of_all() { home.end(); }
            pool& home;
        } const all(*this);
        return f();
    }

    // Runs tasks, its own first, until done() says so. One victim is tried at a time: what is waited
    // for may have come meanwhile (thesis, section 6.5).
    template <class Done>
    void work_until(worker& self, Done done) {
        unsigned idle = 0;
        while (!done()) {
            if (task* t = self.queue.pop(); t != nullptr || (t = steal(self)) != nullptr) {
                self.run(t);
                idle = 0;
            } else {
                pause(idle++);
            }
        }
    }

    // By worker 0 outside all tasks: works until no task is left anywhere.
    void barrier() {
        finish_work();
        start_work();
    }

    void cancel() noexcept { cancelling_.store(true, std::memory_order_relaxed); }
    [[nodiscard]] bool cancelling() const noexcept { return cancelling_.load(std::memory_order_relaxed); }
    // Whether there was a cancel() since the last run.
    bool end_cancelling() noexcept { return cancelling_.exchange(false); }

    [[nodiscard]] unsigned size() const noexcept { return static_cast<unsigned>(workers_.size()); }
    [[nodiscard]] const worker& at(unsigned id) const noexcept { return *workers_[id]; }
    [[nodiscard]] splitting split() const noexcept { return split_; }

    // Workers that look for a task; an estimate, as those count as active that have seen one.
    [[nodiscard]] unsigned idle() const noexcept { return size() - active_.load(std::memory_order_relaxed); }

private:
    void begin();
    void end();
    void start_work();
    void finish_work();
    void thread_main(worker& self);
    void work_until_all_are_idle(worker& self);
    task* steal(worker& self);
    worker* random_victim(worker& self);
    static void pause(unsigned idle) noexcept;

    splitting split_ = splitting::adaptive;
    std::vector<std::unique_ptr<worker>> workers_;
    std::vector<std::thread> threads_;
    std::atomic<bool> cancelling_{false};
    alignas(64) std::atomic<unsigned> active_{0};
    alignas(64) std::atomic<unsigned> at_work_{0};    // threads that have not left the last run
    alignas(64) std::atomic<std::uint32_t> runs_{0};  // threads sleep on it; odd: they end
};

}  // namespace parley_peers::deque_detail
