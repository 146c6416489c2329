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

static_assert(taken<int*> == 18);
static_assert(taken<std::vector<int>::iterator> == 18);
static_assert(taken<std::list<int>::iterator> == 1);  // for_each
static_assert(taken<std::forward_list<int>::iterator> == 1);

}  // namespace
