// Quicksort: both halves of a partition may be sorted in parallel. Whether they are is the
// runtime's business: a fork that nobody takes costs about as much as a call.
#include <parley/parley.hpp>

#include <algorithm>
#include <cstdio>
#include <random>
#include <vector>

using iterator = std::vector<int>::iterator;

void quicksort(iterator first, iterator last) {
    if (last - first < 32) {  // below that, sorting is cheaper than dividing
        std::sort(first, last);
        return;
    }
    const int pivot = *(first + (last - first) / 2);
    // Three parts: less than the pivot, equal, greater. Equal ones are in their place already.
    const auto equal = std::partition(first, last, [=](int x) { return x < pivot; });
    const auto greater = std::partition(equal, last, [=](int x) { return x == pivot; });
    parley::fork_join([=] { quicksort(first, equal); }, [=] { quicksort(greater, last); });
}

int main() {
    std::mt19937 random(1);
    std::vector<int> numbers(1'000'000);
    for (int& x : numbers) x = static_cast<int>(random() % 1'000'000);

    quicksort(numbers.begin(), numbers.end());

    const bool sorted = std::is_sorted(numbers.begin(), numbers.end());
    std::printf("%zu numbers, %s\n", numbers.size(), sorted ? "sorted" : "NOT sorted");
    return sorted ? 0 : 1;
}
