#include "lab/programs/blocks.hpp"

#include <parley/detail/base/rng.hpp>
#include <stdexcept>

namespace parley_programs {
namespace {

// More blocks in a row are more tasks than anybody can wait for.
constexpr std::uint64_t most_blocks = 1024;

}  // namespace

std::string block_grid::complaint(const json& parameters) {
    const auto n = parameters.at("n").get<std::uint64_t>();
    const auto size = parameters.at("block").get<std::uint64_t>();
    if (n % size == 0 && n / size <= most_blocks) {
        return {};
    }
    return "--block: '" + std::to_string(size) + "' is not allowed with --n " + std::to_string(n) +
           "; allowed: a divisor of that which makes at most " + std::to_string(most_blocks) + " blocks in a row";
}

block_grid block_grid::of(const json& parameters) {
    if (const std::string wrong = complaint(parameters); !wrong.empty()) {
        throw std::invalid_argument(wrong);
    }
    const auto size = parameters.at("block").get<std::size_t>();
    return {parameters.at("n").get<std::size_t>() / size, size};
}

[[gnu::noinline]] void add_products(double* __restrict row, const double* factors, const double* __restrict block,
                                    std::size_t count, std::size_t size) noexcept {
    for (std::size_t k = 0; k < count; ++k) {
        const double factor = factors[k];
        for (std::size_t j = 0; j < size; ++j) {
            row[j] += factor * block[k * size + j];
        }
    }
}

[[gnu::noinline]] void subtract_products(double* __restrict row, const double* factors, const double* __restrict block,
                                         std::size_t count, std::size_t size) noexcept {
    for (std::size_t k = 0; k < count; ++k) {
        const double factor = factors[k];
        for (std::size_t j = 0; j < size; ++j) {
            row[j] -= factor * block[k * size + j];
        }
    }
}

[[gnu::noinline]] void eliminate(double* __restrict row, const double* __restrict upper, std::size_t count,
                                 std::size_t size) noexcept {
    for (std::size_t k = 0; k < count; ++k) {
        row[k] /= upper[k * size + k];
        const double factor = row[k];
        for (std::size_t j = k + 1; j < size; ++j) {
            row[j] -= factor * upper[k * size + j];
        }
    }
}

void fill_with_small_numbers(std::span<double> numbers, std::uint64_t seed) noexcept {
    parley::base::rng random(seed);
    for (double& number : numbers) {
        number = static_cast<double>(random.below(17)) - 8.0;
    }
}

std::vector<double> random_vector(std::size_t n, std::uint64_t seed) {
    parley::base::rng random(seed);
    std::vector<double> x(n);
    for (double& number : x) {
        number = static_cast<double>(32'768 + random.below(32'768));
    }
    return x;
}

}  // namespace parley_programs
