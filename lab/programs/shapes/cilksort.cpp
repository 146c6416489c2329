#include "lab/programs/cilksort.hpp"

#include "lab/programs/shapes/shapes.hpp"

namespace parley_programs::shapes {
namespace {

// Sorting words[0] elements, sorting words[0] and words[1] elements side by side, merging as many. Each merge cuts both
// runs in their middles, as it nearly does with random elements.
enum kind : std::uint32_t { root, sort, pair, merge };

class sort_calls_shape : public shape {
public:
    sort_calls_shape(std::uint64_t n, const timed::costs& machine)
        : n_(n), compare_(machine.work.sort_compare), move_(machine.work.merge_element) {}

    next_deed next(activity& a, bool) override {
        switch (a.kind) {
            case pair: return both(a, makes(deed::fork, sort, {a.words[1]}), makes(deed::call, sort, {a.words[0]}));
            case merge: return merges(a);
            default: return sorts(a, a.kind == root ? n_ : a.words[0]);
        }
    }
    bool really_computes() const override { return true; }
    json result() const override { return {{"sorts", sorts_}, {"merges", merges_}}; }

private:
    static next_deed both(activity& a, const next_deed& fork, const next_deed& call) {
        switch (a.step++) {
            case 0: return fork;
            case 1: return call;
            case 2: return {.what = deed::join};
            default: return {};
        }
    }

    next_deed sorts(activity& a, std::uint64_t n) {
        sorts_ += a.step == 0 && a.kind != root ? 1 : 0;
        if (n < serial_sort_below) {
            return a.step++ == 0 ? sorts_serially(n, compare_) : next_deed{};
        }
        const std::uint64_t quarter = n / 4;
        const std::uint64_t rest = n - 3 * quarter;
        switch (a.step++) {
            case 0: return makes(deed::fork, pair, {quarter, rest});
            case 1: return makes(deed::call, pair, {quarter, quarter});
            case 2: return {.what = deed::join};
            case 3: return makes(deed::fork, merge, {quarter, rest});
            case 4: return makes(deed::call, merge, {quarter, quarter});
            case 5: return {.what = deed::join};
            case 6: return makes(deed::call, merge, {2 * quarter, quarter + rest});
            default: return {};
        }
    }

    next_deed merges(activity& a) {
        merges_ += a.step == 0 ? 1 : 0;
        const std::uint64_t longer = std::max(a.words[0], a.words[1]);
        const std::uint64_t shorter = std::min(a.words[0], a.words[1]);
        if (shorter < serial_merge_below) {
            return a.step++ == 0 ? works(static_cast<timed::duration>(longer + shorter) * move_) : next_deed{};
        }
        return both(a, makes(deed::fork, merge, {longer - longer / 2, shorter - shorter / 2}),
                    makes(deed::call, merge, {longer / 2, shorter / 2}));
    }

    std::uint64_t n_;
    timed::duration compare_, move_;
    std::uint64_t sorts_ = 0, merges_ = 0;
};

}  // namespace

std::unique_ptr<shape> cilksort(const json& p, const timed::costs& machine) {
    return std::make_unique<sort_calls_shape>(p.at("n").get<std::uint64_t>(), machine);
}

}  // namespace parley_programs::shapes
