#include "lab/programs/quicksort.hpp"

#include "lab/programs/shapes/shapes.hpp"

namespace parley_programs::shapes {
namespace {

// Sorting the elements from words[0] up to words[1]; the root, kind 0, all of them. Which parts there are depends on
// what is sorted: so the elements are there and are sorted, and the tasks are those of the real program.
class quicksort_shape : public shape, private elements_to_sort {
public:
    quicksort_shape(std::uint64_t n, std::uint64_t seed, timed::duration compare)
        : elements_to_sort(n, seed), compare_(compare) {
        prepare();
    }

    next_deed next(activity& a, bool) override {
        sort_element* const first = all().data() + (a.kind == 0 ? 0 : a.words[0]);
        sort_element* const last = all().data() + (a.kind == 0 ? all().size() : a.words[1]);
        const auto n = static_cast<std::uint64_t>(last - first);
        if (n < quicksort_from) {
            if (a.step++ > 0) {
                return {};
            }
            insertion_sort(first, last);
            return sorts_serially(n, compare_);
        }
        switch (a.step++) {
            case 0:
                a.count = place_of(partition_around_median(first, last));
                return works(static_cast<timed::duration>(n) * compare_);
            case 1: return makes(deed::fork, 1, {a.count + 1, place_of(last)});
            case 2: return makes(deed::call, 1, {place_of(first), a.count});
            case 3: return {.what = deed::join};
            default: return {};
        }
    }
    bool really_computes() const override { return true; }
    json result() const override { return describe_sorted(all()); }

private:
    [[nodiscard]] std::uint64_t place_of(const sort_element* element) {
        return static_cast<std::uint64_t>(element - all().data());
    }

    timed::duration compare_;
};

}  // namespace

std::unique_ptr<shape> quicksort(const json& p, const timed::costs& machine) {
    return std::make_unique<quicksort_shape>(p.at("n").get<std::uint64_t>(), p.at("seed").get<std::uint64_t>(),
                                             machine.work.sort_compare);
}

}  // namespace parley_programs::shapes
