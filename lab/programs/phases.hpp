// Short passes over an array, one after another: with memory traffic, where each worker should have the elements that it had
// before, and without, where bodies compute.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lab/peers/scheduler.hpp"
#include "lab/programs/busy.hpp"
#include "lab/programs/mark.hpp"
#include "lab/programs/phased.hpp"

namespace parley_programs::inline v0 {

enum class phase_kind : std::uint8_t { memory, compute };

struct phases_shape {
    phase_kind kind = phase_kind::memory;
    std::size_t n = 0;
    std::uint32_t passes = 0;
    double ns = 0.0;  // nanoseconds that a body computes, of compute
};

// What a pass makes of an element. Its order counts, so that each pass that is left out or done twice shows.
[[nodiscard]] constexpr std::uint32_t next_element(std::uint32_t x) noexcept { return 5 * x + 3; }

// The elements are marks at first.
template <class S>
class array_phases {
public:
    explicit array_phases(const phases_shape& shape)
        : shape_(shape), rounds_(busy_work(shape.ns * 1e-3).rounds()), elements_(shape.n) {}

    // Not timed.
    void prepare() {
        for (std::size_t i = 0; i < shape_.n; ++i) {
            elements_[i] = mark(i);
        }
    }

    void operator()() {
        in_phases<S>([this] {
            for (std::uint32_t pass = 0; pass < shape_.passes; ++pass) {
                if (shape_.kind == phase_kind::memory) {
                    pass_over_memory();
                } else {
                    loop_(std::size_t{0}, shape_.n, [x = elements_.data(), rounds = rounds_](std::size_t i) {
                        spin(rounds);
                        x[i] = next_element(x[i]);
                    });
                }
            }
        });
    }

    [[nodiscard]] std::uint64_t sum() const {
        std::uint64_t total = 0;
        for (const std::uint32_t x : elements_) {
            total += x;
        }
        return total;
    }

private:
    void pass_over_memory() {
        if constexpr (parley_peers::in_rust<S>) {
            S::pass(elements_.data(), shape_.n);
        } else {
            loop_(std::size_t{0}, shape_.n, [x = elements_.data()](std::size_t i) { x[i] = next_element(x[i]); });
        }
    }

    phases_shape shape_;
    std::uint64_t rounds_;
    repeated_loop<S> loop_;
    std::vector<std::uint32_t> elements_;
};

}  // namespace parley_programs::inline v0
