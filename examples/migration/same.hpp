// What the examples of migration share: something to compute, and whether two ways give the same.
#pragma once

#include <cstddef>
#include <cstdio>
#include <vector>

using numbers = std::vector<long>;

inline long f(long x) { return 3 * x + 1; }
inline long serial_fib(long n) { return n < 2 ? n : serial_fib(n - 1) + serial_fib(n - 2); }

inline numbers some_numbers() {
    numbers v(1000);
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = static_cast<long>(i * 7919 % 1000);
    return v;
}

// What a function makes of a copy of v.
inline numbers changed(void (*change)(numbers&), numbers v) {
    change(v);
    return v;
}

inline int differences = 0;

template <class A, class B>
void expect_same(const char* what, const A& a, const B& b) {
    if (a == b) return;
    std::printf("%s differ\n", what);
    ++differences;
}
