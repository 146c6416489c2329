// What a task carries, and what that costs: queens on a board, a task for each placed queen, with boards of several
// sizes. Up to 48 bytes of captures lie in the task itself, a cache line; more are on the heap, and copied there.
#include <parley/parley.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <ratio>

constexpr std::uint8_t queens = 10;
constexpr long solutions = 724, boards = 35'538;

template <std::size_t Bytes>
struct board {
    std::uint8_t placed = 0;
    std::array<std::uint8_t, Bytes - 1> column{};  // of the queen in each row

    bool allows(std::uint8_t c) const {
        for (std::uint8_t row = 0; row < placed; ++row)
            if (column[row] == c || std::abs(column[row] - c) == placed - row) return false;
        return true;
    }
};

template <std::size_t Bytes>
struct search {
    parley::worker_local<long> found;
    parley::scope tasks;  // behind what its tasks use: it is destroyed first, and waits for them

    // [capture]
    void place(const board<Bytes>& b) {
        if (b.placed == queens) ++found.local();
        else
            for (std::uint8_t c = 0; c < queens; ++c) {
                if (!b.allows(c)) continue;
                board<Bytes> next = b;
                next.column[next.placed++] = c;
                tasks.spawn([this, next] { place(next); });  // 8 bytes and a board
            }
    }
    // [capture]
};

// Nanoseconds per task: the least of thirty times.
template <std::size_t Bytes>
bool is_right() {
    double least = 1e9;
    bool right = true;
    for (int round = 0; round < 30; ++round) {
        const auto start = std::chrono::steady_clock::now();
        search<Bytes> s;
        s.place({});
        s.tasks.wait();
        const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - start;
        least = std::min(least, time.count() / static_cast<double>(boards));
        right = right && s.found.combine(0L, std::plus<>{}) == solutions;
    }
    std::printf("captures of %3zu bytes: %6.1f ns per task\n", Bytes + sizeof(void*), least);
    return right;
}

// [sizes]
struct counter {
    std::array<int, 128> numbers{};
    auto by_value() const {
        return [=, this] { return numbers[0]; };
    }
};

void sizes() {
    const std::array<int, 128> numbers{};
    const auto by_value = [=] { return numbers[0]; };
    const auto by_reference = [&] { return numbers[0]; };
    static_assert(sizeof(by_value) == 512);
    static_assert(sizeof(by_reference) == sizeof(void*));
    static_assert(sizeof(counter{}.by_value()) == sizeof(void*));
}
// [sizes]

int main() {
    sizes();
    parley::runtime one{{.workers = 1}};
    return one.run([] { return is_right<16>() && is_right<40>() && is_right<48>() && is_right<504>(); }) ? 0 : 1;
}
