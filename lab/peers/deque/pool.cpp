#include "lab/peers/deque/pool.hpp"

namespace parley_peers::deque_detail {

namespace {
constexpr std::uint32_t ending = 1;
constexpr std::uint32_t one_run = 2;
}  // namespace

pool::pool(const setup& wanted) {
    for (std::size_t i = 0; i < split_names.size(); ++i)
        if (split_names[i] == wanted.split) split_ = static_cast<splitting>(i);
    const std::uint64_t seed = wanted.seed.value_or(1);
    for (unsigned id = 0; id < wanted.workers; ++id)
        workers_.push_back(std::make_unique<worker>(*this, id, seed * 1'000'003 + id));
    for (unsigned id = 1; id < wanted.workers; ++id) threads_.emplace_back([this, id] { thread_main(*workers_[id]); });
}

pool::~pool() {
    runs_.fetch_or(ending);
    runs_.notify_all();
    for (std::thread& t : threads_) t.join();
}

void pool::begin() {
    current = workers_.front().get();
    start_work();
}

void pool::start_work() {
    active_.store(size(), std::memory_order_relaxed);
    at_work_.store(size() - 1, std::memory_order_relaxed);
    runs_.fetch_add(one_run);  // publishes the two above to the threads
    runs_.notify_all();
}

void pool::end() {
    finish_work();
    current = nullptr;
}

void pool::finish_work() {
    work_until_all_are_idle(*workers_.front());
    while (at_work_.load(std::memory_order_acquire) != 0) std::this_thread::yield();
}

void pool::thread_main(worker& self) {
    current = &self;
    for (std::uint32_t seen = 0;;) {
        runs_.wait(seen);
        seen = runs_.load();
        if ((seen & ending) != 0) return;
        work_until_all_are_idle(self);
        at_work_.fetch_sub(1, std::memory_order_release);
    }
}

// A worker counts itself active again before it takes a task, so that the count reaches 0 only when
// there is none: none in a deque, since its owner is active until it is empty, and none in between.
void pool::work_until_all_are_idle(worker& self) {
    for (;;) {
        while (task* t = self.queue.pop()) self.run(t);
        active_.fetch_sub(1);
        for (unsigned idle = 0;; ++idle) {
            if (active_.load() == 0) return;
            const worker* const victim = random_victim(self);
            if (victim != nullptr && !victim->queue.looks_empty()) {
                active_.fetch_add(1);
                if (task* t = steal(self)) {
                    self.run(t);
                    break;
                }
                active_.fetch_sub(1);
            }
            pause(idle);
        }
    }
}

worker* pool::random_victim(worker& self) {
    if (size() == 1) return nullptr;
    const auto other = static_cast<unsigned>(self.random.below(size() - 1));
    return workers_[other + (other >= self.id ? 1U : 0U)].get();
}

task* pool::steal(worker& self) {
    worker* const victim = random_victim(self);
    if (victim == nullptr || victim->queue.looks_empty()) return nullptr;
    task* const t = victim->queue.steal();
    (t != nullptr ? self.steals : self.failed).add();
    return t;
}

// With more workers than cores, the one that has the work may be waiting for this core.
void pool::pause(unsigned idle) noexcept {
    constexpr unsigned patience = 64;
    if (idle < patience) {
#if defined(__x86_64__)
        __builtin_ia32_pause();
#endif
    } else {
        std::this_thread::yield();
    }
}

}  // namespace parley_peers::deque_detail
