// loop, matmul and matmul-loop.
#include "lab/programs/blocks.hpp"
#include "lab/programs/loop.hpp"
#include "lab/programs/shapes/shapes.hpp"

namespace parley_programs::shapes {
namespace {

// The lengths of loop_shape in whole picoseconds: a number with a fraction could differ from machine to machine.
class single_loop : public shape {
public:
    single_loop(loop_kind kind, std::uint64_t n, std::uint64_t passes, timed::duration t, timed::duration poll,
                std::uint64_t seed)
        : kind_(kind), n_(n), passes_(passes), t_(t), poll_(poll), seed_(seed) {}

    next_deed next(activity& a, bool) override { return a.count++ < passes_ ? makes(deed::loop, 0, {n_}) : next_deed{}; }
    timed::duration iteration(std::uint32_t, std::uint64_t i) override {
        ++done_;
        sum_ += mark(i);
        switch (kind_) {
            case loop_kind::fine:
            case loop_kind::coarse: return t_;
            case loop_kind::random: {
                const std::uint32_t drawn = parley::base::rng((seed_ << 32U) + i).below(15);
                return t_ / (drawn < 5 ? 10'000 : drawn < 9 ? 1000 : drawn < 12 ? 100 : drawn < 14 ? 10 : 1);
            }
            case loop_kind::increasing: return between(i);
            case loop_kind::decreasing: return between(n_ - 1 - i);
        }
        return t_;
    }
    timed::duration poll_every(const activity&) const override { return poll_; }
    json result() const override { return {{"sum", sum_}, {"iterations", done_}}; }

private:
    [[nodiscard]] timed::duration between(std::uint64_t i) const {
        // range * i / steps, which could be too large on its way.
        const timed::duration range = t_ - timed::microsecond;
        const auto steps = static_cast<timed::duration>(n_ > 1 ? n_ - 1 : 1);
        const auto step = static_cast<timed::duration>(n_ > 1 ? i : 1);
        return timed::microsecond + range / steps * step + range % steps * step / steps;
    }

    loop_kind kind_;
    std::uint64_t n_, passes_;
    timed::duration t_, poll_;
    std::uint64_t seed_;
    std::uint64_t done_ = 0, sum_ = 0;
};

// In each phase a task for each block of the result, or a loop over them. Each polls after each row.
class block_product : public shape {
public:
    block_product(std::uint64_t blocks, timed::duration row, std::uint64_t rows, bool by_loops)
        : blocks_(blocks), row_(row), block_(row * static_cast<timed::duration>(rows)), by_loops_(by_loops) {}

    next_deed next(activity& a, bool) override {
        if (a.kind == 1) {
            done_ += a.step == 0 ? 1 : 0;
            return a.step++ == 0 ? works(block_) : next_deed{};
        }
        if (by_loops_) {
            return a.step++ < blocks_ ? makes(deed::loop, 0, {blocks_ * blocks_}) : next_deed{};
        }
        if (a.step == blocks_) {
            return {};
        }
        if (a.count++ < blocks_ * blocks_) {
            return makes(deed::spawn, 1);
        }
        a.count = 0;
        ++a.step;
        return {.what = deed::wait};
    }
    timed::duration iteration(std::uint32_t, std::uint64_t) override {
        ++done_;
        return block_;
    }
    bool really_computes() const override { return true; }
    timed::duration poll_every(const activity&) const override { return row_; }
    json result() const override { return {{"products", done_}}; }

private:
    std::uint64_t blocks_;
    timed::duration row_, block_;
    bool by_loops_;
    std::uint64_t done_ = 0;
};

std::unique_ptr<shape> product(const json& p, const timed::costs& machine, bool by_loops) {
    const block_grid grid = block_grid::of(p);
    const auto size = static_cast<timed::duration>(grid.size);
    return std::make_unique<block_product>(grid.blocks, size * size * machine.work.multiply_add, grid.size, by_loops);
}

}  // namespace

std::unique_ptr<shape> loop(const json& p) {
    return std::make_unique<single_loop>(*loop_kind_named(p.at("kind").get<std::string>()), p.at("n").get<std::uint64_t>(),
                                         p.at("passes").get<std::uint64_t>(), microseconds(p, "t"), microseconds(p, "poll"),
                                         p.at("seed").get<std::uint64_t>());
}
std::unique_ptr<shape> matmul(const json& p, const timed::costs& machine) { return product(p, machine, false); }
std::unique_ptr<shape> matmul_loop(const json& p, const timed::costs& machine) { return product(p, machine, true); }

}  // namespace parley_programs::shapes
