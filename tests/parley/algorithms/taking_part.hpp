// Makes sure that another worker takes part in an algorithm.
#pragma once

#include "tests/parley/api/support.hpp"

#include <atomic>
#include <thread>

namespace api_test {

inline constexpr std::size_t many_lengths[] = {0, 1, 2, 3, 7, 8, 9, 64, 65, 1'000, 30'011};

// Calls what it is given. The first call by the thread that has made it waits until another thread has called, too. With one
// worker, or with a short range, nobody would come.
class taking_part {
public:
    taking_part(const parley::runtime& rt, std::size_t length) : met_(rt.workers() == 1 || length < 1'000) {}

    template <class F>
    auto operator()(F f) {
        return [this, f](const auto&... arguments) {
            if (!met_.load(std::memory_order_relaxed)) meet();
            return f(arguments...);
        };
    }

private:
    void meet() {
        if (std::this_thread::get_id() != first_) met_ = true;
        else poll_until([this] { return met_.load(); });
    }

    const std::thread::id first_ = std::this_thread::get_id();
    std::atomic<bool> met_;
};

}  // namespace api_test
