// The functions that libstdc++'s parallel algorithms call, by the names that they have there. Those of GCC 14 and newer
// are called with a tag before the policy. Neither says anything here.
//
// No function is told of an exception: the algorithms end the program before. std::bad_alloc alone is thrown on.
#pragma once

#include <parley/std_execution/fold.hpp>
#include <parley/std_execution/in_parts.hpp>
#include <parley/std_execution/merge.hpp>
#include <parley/std_execution/scan.hpp>

#include <cstddef>
#include <memory>
#include <utility>

namespace parley::inline v0::detail::std_execution {

// Memory for n objects, without the objects.
template <class T>
class __buffer {
public:
    explicit __buffer(std::size_t n) : size_(n), memory_(std::allocator<T>().allocate(n)) {}
    ~__buffer() { std::allocator<T>().deallocate(memory_, size_); }
    __buffer(const __buffer&) = delete;
    __buffer& operator=(const __buffer&) = delete;

    explicit operator bool() const noexcept { return memory_ != nullptr; }
    [[nodiscard]] T* get() const noexcept { return memory_; }

private:
    const std::size_t size_;
    T* const memory_;
};

// An algorithm says that it has found what it looked for. From then on its blocks return at once, so a loop grows them
// until few are left, and ends within a microsecond. To look for the loop that is meant would take longer.
inline void __cancel_execution() noexcept {}

template <class Policy, class Index, class Body>
void __parallel_for(Policy&&, Index first, Index last, Body body) {
    for_ranges(first, last, body);
}
template <class Tag, class Policy, class Index, class Body>
void __parallel_for(Tag, Policy&&, Index first, Index last, Body body) {
    for_ranges(first, last, body);
}

template <class Policy, class Value, class Index, class Body, class Join>
Value __parallel_reduce(Policy&&, Index first, Index last, const Value& identity, const Body& body, const Join& join) {
    return reduce_ranges(first, last, identity, body, join);
}
template <class Tag, class Policy, class Value, class Index, class Body, class Join>
Value __parallel_reduce(Tag, Policy&&, Index first, Index last, const Value& identity, const Body& body, const Join& join) {
    return reduce_ranges(first, last, identity, body, join);
}

template <class Policy, class Index, class Element, class T, class Combine, class Reduce>
T __parallel_transform_reduce(Policy&&, Index first, Index last, Element element, T init, Combine combine, Reduce reduce) {
    return reduce_elements(first, last, element, std::move(init), combine, reduce);
}
template <class Tag, class Policy, class Index, class Element, class T, class Combine, class Reduce>
T __parallel_transform_reduce(Tag, Policy&&, Index first, Index last, Element element, T init, Combine combine,
                              Reduce reduce) {
    return reduce_elements(first, last, element, std::move(init), combine, reduce);
}

template <class Policy, class Index, class T, class Reduce, class Combine, class Scan, class Apex>
void __parallel_strict_scan(Policy&&, Index n, T initial, Reduce reduce, Combine combine, Scan scan, Apex apex) {
    scan_in_tiles(n, std::move(initial), reduce, combine, scan, apex);
}
template <class Tag, class Policy, class Index, class T, class Reduce, class Combine, class Scan, class Apex>
void __parallel_strict_scan(Tag, Policy&&, Index n, T initial, Reduce reduce, Combine combine, Scan scan, Apex apex) {
    scan_in_tiles(n, std::move(initial), reduce, combine, scan, apex);
}

template <class Policy, class Index, class Element, class T, class Combine, class Reduce, class Scan>
T __parallel_transform_scan(Policy&&, Index n, Element element, T init, Combine combine, Reduce reduce, Scan scan) {
    return scan_elements(n, element, std::move(init), combine, reduce, scan);
}
template <class Tag, class Policy, class Index, class Element, class T, class Combine, class Reduce, class Scan>
T __parallel_transform_scan(Tag, Policy&&, Index n, Element element, T init, Combine combine, Reduce reduce, Scan scan) {
    return scan_elements(n, element, std::move(init), combine, reduce, scan);
}

template <class Policy, class Iterator, class Less, class Leaf>
void __parallel_stable_sort(Policy&&, Iterator first, Iterator last, Less less, Leaf leaf, std::size_t wanted = 0) {
    sort_ranges(first, last, less, leaf, wanted);
}
template <class Tag, class Policy, class Iterator, class Less, class Leaf>
void __parallel_stable_sort(Tag, Policy&&, Iterator first, Iterator last, Less less, Leaf leaf, std::size_t wanted = 0) {
    sort_ranges(first, last, less, leaf, wanted);
}

template <class Policy, class X, class Y, class Out, class Less, class Leaf>
void __parallel_merge(Policy&&, X x, X x_end, Y y, Y y_end, Out out, Less less, Leaf leaf) {
    merge_ranges(x, x_end, y, y_end, out, less, leaf);
}
template <class Tag, class Policy, class X, class Y, class Out, class Less, class Leaf>
void __parallel_merge(Tag, Policy&&, X x, X x_end, Y y, Y y_end, Out out, Less less, Leaf leaf) {
    merge_ranges(x, x_end, y, y_end, out, less, leaf);
}

template <class Policy, class F, class G>
void __parallel_invoke(Policy&&, F&& f, G&& g) {
    in_isolation(
        [&](threading::worker&) { (void)fork_both([&f] { std::forward<F>(f)(); }, [&g] { std::forward<G>(g)(); }); });
}
template <class Tag, class Policy, class F, class G>
void __parallel_invoke(Tag, Policy&& policy, F&& f, G&& g) {
    std_execution::__parallel_invoke(std::forward<Policy>(policy), std::forward<F>(f), std::forward<G>(g));
}

}  // namespace parley::inline v0::detail::std_execution
