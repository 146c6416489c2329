// algorithm.hpp can be included alone, and twice. Iterators that only go forward are refused where the
// algorithm is called, by its constraint.
#include <parley/algorithm.hpp>
#include <parley/algorithm.hpp>  // NOLINT

#include <forward_list>
#include <list>
#include <vector>

namespace {

struct negate {
    int operator()(int i) const { return -i; }
    int operator()(int i, int j) const { return i - j; }
};
struct even {
    bool operator()(int i) const { return i % 2 == 0; }
};

template <class It>
constexpr int taken =
    requires(It i) { parley::for_each(i, i, negate{}); } + requires(It i) { parley::transform(i, i, i, negate{}); } +
    requires(It i) { parley::transform(i, i, i, i, negate{}); } + requires(It i) { parley::reduce(i, i); } +
    requires(It i) { parley::reduce(i, i, 0); } + requires(It i) { parley::reduce(i, i, 0, negate{}); } +
    requires(It i) { parley::reduce(i, i, 0, negate{}, negate{}); } +
    requires(It i) { parley::reduce_deterministic(i, i, 0); } + requires(It i) { parley::find_if(i, i, even{}); } +
    requires(It i) { parley::find(i, i, 1); } + requires(It i) { parley::min_element(i, i); } +
    requires(It i) { parley::max_element(i, i); } + requires(It i) { parley::minmax_element(i, i); } +
    requires(It i) { parley::sort(i, i); } + requires(It i) { parley::stable_sort(i, i); } +
    requires(It i) { parley::inclusive_scan(i, i, i); } + requires(It i) { parley::inclusive_scan(i, i, i, negate{}, 1); } +
    requires(It i) { parley::exclusive_scan(i, i, i, 1); };

template <class It>
constexpr int also_taken =
    requires(It i) { parley::all_of(i, i, even{}); } + requires(It i) { parley::any_of(i, i, even{}); } +
    requires(It i) { parley::none_of(i, i, even{}); } + requires(It i) { parley::count(i, i, 1); } +
    requires(It i) { parley::count_if(i, i, even{}); } + requires(It i) { parley::adjacent_find(i, i); } +
    requires(It i) { parley::is_sorted(i, i); } + requires(It i) { parley::is_sorted_until(i, i); } +
    requires(It i) { parley::mismatch(i, i, i, i); } + requires(It i) { parley::equal(i, i, i, i); } +
    requires(It i) { parley::histogram(i, i, 9, negate{}); } + requires(It i) { parley::copy_if(i, i, i, even{}); } +
    requires(It i) { parley::fill(i, i, 1); } + requires(It i) { parley::generate(i, i, [] { return 1; }); } +
    requires(It i) { parley::iota(i, i, 1); } + requires(It i) { parley::reverse(i, i); } +
    requires(It i) { parley::rotate(i, i, i); } + requires(It i) { parley::remove_if(i, i, even{}); } +
    requires(It i) { parley::unique(i, i); } + requires(It i) { parley::partition(i, i, even{}); } +
    requires(It i) { parley::stable_partition(i, i, even{}); } + requires(It i) { parley::merge(i, i, i, i, i); } +
    requires(It i) { parley::inplace_merge(i, i, i); } + requires(It i) { parley::nth_element(i, i, i); } +
    requires(It i) { parley::partial_sort(i, i, i); } + requires(It i) { parley::includes(i, i, i, i); } +
    requires(It i) { parley::set_union(i, i, i, i, i); } + requires(It i) { parley::set_intersection(i, i, i, i, i); } +
    requires(It i) { parley::set_difference(i, i, i, i, i); } +
    requires(It i) { parley::set_symmetric_difference(i, i, i, i, i); };

static_assert(taken<int*> == 18 && also_taken<int*> == 30);
static_assert(taken<std::vector<int>::iterator> == 18 && also_taken<std::vector<int>::iterator> == 30);
static_assert(taken<std::list<int>::iterator> == 1 && also_taken<std::list<int>::iterator> == 0);  // for_each
static_assert(taken<std::forward_list<int>::iterator> == 1 && also_taken<std::forward_list<int>::iterator> == 0);
static_assert(also_taken<const int*> == 12);  // what only looks

}  // namespace
