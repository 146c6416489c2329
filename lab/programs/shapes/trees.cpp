// treerec, uts and nqueens.
#include <algorithm>
#include <cstring>
#include <type_traits>

#include "lab/programs/nqueens.hpp"
#include "lab/programs/shapes/shapes.hpp"
#include "lab/programs/uts_tree.hpp"

namespace parley_programs::shapes {
namespace {

// What a task carries, as its words.
template <class T>
task_words packed(const T& t) {
    static_assert(sizeof(T) <= sizeof(task_words) && std::is_trivially_copyable_v<T>);
    task_words words{};
    std::memcpy(words.data(), &t, sizeof t);
    return words;
}
template <class T>
T unpacked(const task_words& words) {
    T t;
    std::memcpy(&t, words.data(), sizeof t);
    return t;
}

// Kind 0 is the root, which is a call of its own, as are all others.
class tree_of_calls : public shape {
public:
    tree_of_calls(std::uint64_t n, timed::duration leaf) : n_(n), leaf_(leaf) {}

    next_deed next(activity& a, bool) override {
        const std::uint64_t n = a.kind == 0 ? n_ : a.words[0];
        if (n < 2) {
            if (a.step++ > 0) {
                return {};
            }
            value_ += n;
            return works(leaf_);
        }
        switch (a.step++) {
            case 0: return makes(deed::fork, 1, {n - 2});
            case 1: return makes(deed::call, 1, {n - 1});
            case 2: return {.what = deed::join};
            default: return {};
        }
    }
    json result() const override { return {{"value", value_}}; }

private:
    std::uint64_t n_;
    timed::duration leaf_;
    std::uint64_t value_ = 0;
};

// All nodes are awaited together. Kind 0 is the root task, 1 a node.
class unbalanced_tree : public shape {
public:
    unbalanced_tree(const uts::tree& which, timed::duration node)
        : law_(which), root_(uts::root_of(which)), node_(node), extensions_(sha1_extensions::supported()) {}

    next_deed next(activity& a, bool barrier) override {
        if (a.kind == 0) {
            if (a.step++ == 0) {
                return makes(deed::spawn_beside, 1, packed(root_));
            }
            return {.what = a.step == 2 && !barrier ? deed::wait : deed::end};
        }
        const auto here = unpacked<uts::node>(a.words);
        if (a.step++ == 0) {
            ++nodes_;
            depth_ = std::max<std::uint64_t>(depth_, here.depth);
            return works(node_);
        }
        const uts::branching_law::row row = law_.at(here.depth);
        const auto index = static_cast<std::uint32_t>(a.count);
        if (row.value_of(here.state) < row.bounds[index]) {
            leaves_ += index == 0 ? 1 : 0;
            return {};
        }
        ++a.count;
        const sha1_digest child =
            extensions_ ? sha1_extensions::child(here.state, index) : sha1_portable::child(here.state, index);
        return makes(deed::spawn_beside, 1, packed(uts::node{child, here.depth + 1}));
    }
    bool really_computes() const override { return true; }
    json result() const override { return {{"nodes", nodes_}, {"depth", depth_}, {"leaves", leaves_}}; }

private:
    uts::branching_law law_;
    uts::node root_;
    timed::duration node_;
    bool extensions_;
    std::uint64_t nodes_ = 0, depth_ = 0, leaves_ = 0;
};

// Kind 0 is the root, with an empty board.
class queens : public shape {
public:
    queens(std::uint8_t n, timed::duration square) : n_(n), square_(square) {}

    next_deed next(activity& a, bool) override {
        const auto board = a.kind == 0 ? chess_board{{}, 0, n_} : unpacked<chess_board>(a.words);
        if (board.placed == board.size) {
            solutions_ += a.step == 0 ? 1 : 0;
            return {};
        }
        if (a.step == 0) {
            a.step = 1;
            return works(square_ * board.size * std::max<timed::duration>(1, board.placed));
        }
        while (a.step == 1 && a.count < board.size) {
            const auto column = static_cast<unsigned>(a.count++);
            if (board.allows(column)) {
                return makes(deed::spawn, 1, packed(board.with(column)));
            }
        }
        return {.what = a.step++ == 1 ? deed::wait : deed::end};
    }
    bool really_computes() const override { return true; }
    json result() const override { return {{"solutions", solutions_}}; }

private:
    std::uint8_t n_;
    timed::duration square_;
    std::uint64_t solutions_ = 0;
};

}  // namespace

std::unique_ptr<shape> treerec(const json& p) {
    return std::make_unique<tree_of_calls>(p.at("n").get<std::uint64_t>(), microseconds(p, "t"));
}
std::unique_ptr<shape> uts(const json& p, const timed::costs& machine) {
    uts::tree wanted = *uts::find_tree(p.at("tree").get<std::string>());
    wanted.seed = p.at("seed").get<std::uint32_t>();
    return std::make_unique<unbalanced_tree>(wanted, machine.work.uts_node);
}
std::unique_ptr<shape> nqueens(const json& p, const timed::costs& machine) {
    return std::make_unique<queens>(p.at("n").get<std::uint8_t>(), machine.work.queens_square);
}

}  // namespace parley_programs::shapes
