#include "lab/programs/uts_tree.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace parley_programs::uts {
namespace {

constexpr std::uint32_t never = 0x80000000U;  // one more than the greatest random value
constexpr unsigned most_children = 100;       // the reference's cap, of all but binomial roots

// Parameters and facts as published with the benchmark.
constexpr std::array<tree, 11> trees{{
    {"T1", family::geometric, shape::fixed, 10, 4, 19, 0, 0, {4130071, 10, 3305118}},
    {"T2", family::geometric, shape::cyclic, 16, 6, 502, 0, 0, {4117769, 81, 2342762}},
    {"T3", family::binomial, shape::linear, 0, 2000, 42, 0.124875, 8, {4112897, 1572, 3599034}},
    {"T4", family::hybrid, shape::linear, 16, 6, 1, 0.234375, 4, {4132453, 134, 3108986}},
    {"T5", family::geometric, shape::linear, 20, 4, 34, 0, 0, {4147582, 20, 2181318}},
    {"T1L", family::geometric, shape::fixed, 13, 4, 29, 0, 0, {102181082, 13, 81746377}},
    {"T2L", family::geometric, shape::cyclic, 23, 7, 220, 0, 0, {96793510, 67, 53791152}},
    {"T3L", family::binomial, shape::linear, 0, 2000, 7, 0.200014, 5, {111345631, 17844, 89076904}},
    {"T1XL", family::geometric, shape::fixed, 15, 4, 29, 0, 0, {1635119272, 15, 1308100063}},
    {"T1XXL", family::geometric, shape::fixed, 15, 4, 19, 0, 0, {4230646601, 15, {}}},
    {"T3XXL", family::binomial, shape::linear, 0, 2000, 316, 0.499995, 2, {2793220501, {}, {}}},
}};

double geometric_branching(const tree& t, std::uint32_t depth) {
    const double d = depth;
    const double limit = t.depth_limit;
    if (depth == 0) {
        return t.root_branching;
    }
    switch (t.form) {
        case shape::linear: return t.root_branching * (1.0 - d / limit);
        case shape::cyclic:
            return d > 5 * limit ? 0.0 : std::pow(t.root_branching, std::sin(2.0 * std::numbers::pi * d / limit));
        case shape::fixed: break;
    }
    return depth < t.depth_limit ? t.root_branching : 0.0;
}

// The least random value that gives a geometric node with branching b more than k children.
std::uint32_t geometric_bound(double b, unsigned k) {
    const double log_of_stop = std::log(1.0 - 1.0 / (1.0 + b));
    const auto more_than_k = [&](std::uint32_t value) {
        const double u = static_cast<double>(value) / static_cast<double>(never);
        return std::floor(std::log(1.0 - u) / log_of_stop) > static_cast<double>(k);
    };
    std::uint32_t low = 0;
    std::uint32_t high = never;
    while (low < high) {
        const std::uint32_t middle = low + (high - low) / 2;
        if (more_than_k(middle)) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

std::vector<std::uint32_t> geometric_bounds(const tree& t, std::uint32_t depth) {
    std::vector<std::uint32_t> bounds;
    const double b = geometric_branching(t, depth);
    while (b > 0.0 && bounds.size() < most_children) {
        const std::uint32_t bound = geometric_bound(b, static_cast<unsigned>(bounds.size()));
        if (bound == never) {
            break;
        }
        bounds.push_back(bound);
    }
    return bounds;
}

// m children if value < q 2^31, that is, if the flipped value (2^31 - 1 - value) reaches the bound.
std::vector<std::uint32_t> binomial_bounds(const tree& t) {
    const double too_great = std::ceil(t.child_chance * static_cast<double>(never));
    return std::vector<std::uint32_t>(t.children, never - static_cast<std::uint32_t>(too_great));
}

// The first depth from which on all nodes follow the same law.
std::uint32_t last_law(const tree& t) {
    switch (t.kind) {
        case family::binomial: return 1;
        case family::hybrid: return t.depth_limit / 2;
        case family::geometric: break;
    }
    return t.form == shape::cyclic ? 5 * t.depth_limit + 1 : t.depth_limit;
}

bool is_binomial(const tree& t, std::uint32_t depth) {
    return t.kind == family::binomial || (t.kind == family::hybrid && depth >= t.depth_limit / 2);
}

std::vector<std::uint32_t> bounds_at(const tree& t, std::uint32_t depth) {
    if (!is_binomial(t, depth)) {
        return geometric_bounds(t, depth);
    }
    if (depth == 0) {  // a binomial root has floor(b0) children, whatever its value
        return std::vector<std::uint32_t>(static_cast<std::size_t>(t.root_branching), 0U);
    }
    return binomial_bounds(t);
}

}  // namespace

std::span<const tree> official_trees() noexcept { return trees; }

const tree* find_tree(std::string_view name) noexcept {
    const auto found = std::find_if(trees.begin(), trees.end(), [&](const tree& t) { return t.name == name; });
    return found == trees.end() ? nullptr : &*found;
}

node root_of(const tree& which) noexcept {
    std::array<std::byte, 20> message{};
    for (std::size_t i = 0; i < 4; ++i) {
        message[16 + i] = static_cast<std::byte>(which.seed >> (24 - 8 * i));
    }
    return {sha1(message), 0};
}

branching_law::branching_law(const tree& which) : last_(last_law(which)) {
    for (std::uint32_t depth = 0; depth <= last_; ++depth) {
        bounds_.push_back(bounds_at(which, depth));
        bounds_.back().push_back(never);
        rows_.push_back({is_binomial(which, depth) ? never - 1 : 0U, bounds_.back().data()});
    }
}

}  // namespace parley_programs::uts
