#include "lab/programs/lu.hpp"

#include <algorithm>

#include "lab/programs/shapes/shapes.hpp"

namespace parley_programs::shapes {
namespace {

// Kind 0 is the root, 1 to 3 are the suite's fwd, bdiv and bmod. A phase awaits its tasks, or ends at a barrier. A
// diagonal block and those beside and below it take less than a product: a third of its multiplications, and a half.
// Each kernel polls after each of a block's rows, which take equally long here.
class sparse_lu_shape : public shape {
public:
    sparse_lu_shape(const block_grid& grid, timed::duration product, bool by_barriers)
        : blocks_(grid.blocks),
          rows_of_block_(static_cast<timed::duration>(grid.size)),
          product_(product),
          spawn_(by_barriers ? deed::spawn_alone : deed::spawn),
          wait_(by_barriers ? deed::barrier : deed::wait) {
        nonzero_.resize(blocks_ * blocks_);
        for (std::size_t i = 0; i < blocks_; ++i) {
            for (std::size_t j = 0; j < blocks_; ++j) {
                nonzero_[i * blocks_ + j] = begins_nonzero(i, j);
            }
        }
    }

    next_deed next(activity& a, bool) override {
        if (a.kind != 0) {
            if (a.step++ > 0) {
                return {};
            }
            count(a.kind);
            return works(length_of(a.kind));
        }
        if (a.step == 4 * blocks_) {
            return {};
        }
        const std::size_t k = a.step / 4;
        switch (a.step % 4) {
            case 0:
                ++a.step;
                find(k);
                return works(length_of(0));
            case 1:
                if (a.count < columns_.size() + rows_.size()) {
                    return makes(spawn_, a.count++ < columns_.size() ? 1 : 2);
                }
                return wait(a);
            case 2:
                if (a.count < columns_.size() * rows_.size()) {
                    nonzero_[rows_[a.count / columns_.size()] * blocks_ + columns_[a.count % columns_.size()]] = true;
                    ++a.count;
                    return makes(spawn_, 3);
                }
                return wait(a);
            default: ++a.step; return works(0);
        }
    }
    bool really_computes() const override { return true; }
    timed::duration poll_every(const activity& of) const override {
        return std::max((length_of(of.kind) + rows_of_block_ - 1) / rows_of_block_, timed::duration{1});
    }
    json result() const override { return {{"fwd", done_.fwd}, {"bdiv", done_.bdiv}, {"bmod", done_.bmod}}; }

private:
    [[nodiscard]] timed::duration length_of(std::uint32_t kind) const {
        return kind == 0 ? product_ / 3 : kind == 3 ? product_ : product_ / 2;
    }
    next_deed wait(activity& a) const {
        ++a.step;
        a.count = 0;
        return {.what = wait_};
    }
    void count(std::uint32_t kind) { ++(kind == 1 ? done_.fwd : kind == 2 ? done_.bdiv : done_.bmod); }
    void find(std::size_t k) {
        rows_.clear();
        columns_.clear();
        for (std::size_t i = k + 1; i < blocks_; ++i) {
            if (nonzero_[i * blocks_ + k]) {
                rows_.push_back(i);
            }
            if (nonzero_[k * blocks_ + i]) {
                columns_.push_back(i);
            }
        }
    }

    std::size_t blocks_;
    timed::duration rows_of_block_, product_;
    deed spawn_, wait_;
    std::vector<bool> nonzero_;
    std::vector<std::size_t> rows_, columns_;
    lu_tasks done_;
};

}  // namespace

std::unique_ptr<shape> lu(const json& p, const timed::costs& machine) {
    const block_grid grid = block_grid::of(p);
    const auto size = static_cast<timed::duration>(grid.size);
    return std::make_unique<sparse_lu_shape>(grid, size * size * size * machine.work.multiply_add,
                                             p.at("form") == "barriers");
}

}  // namespace parley_programs::shapes
