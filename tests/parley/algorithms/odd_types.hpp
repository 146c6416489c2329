// Elements that algorithms of the standard take, and that few tests think of.
#pragma once

#include "tests/parley/api/support.hpp"

#include <cstddef>
#include <vector>

namespace api_test {

// Neither operator& nor the comma nor a new of its own concerns an algorithm. `Payload` makes it plain or not.
template <class Payload>
struct rude {
    int key = 0;
    Payload payload{};
    rude() = default;
    explicit rude(int k) : key(k) {}
    rude* operator&() = delete;
    const rude* operator&() const = delete;
    template <class T>
    friend void operator,(const rude&, T&&) = delete;
    template <class T>
    friend void operator,(T&&, const rude&) = delete;
    static void* operator new(std::size_t) = delete;
    static void* operator new(std::size_t, void*) = delete;
    friend bool operator<(const rude& a, const rude& b) { return a.key < b.key; }
    friend bool operator==(const rude& a, const rude& b) { return a.key == b.key; }
    friend rude operator+(const rude& a, const rude& b) { return rude(a.key + b.key); }
};

template <class T>
std::vector<T> shuffled(int n) {
    std::vector<T> all;
    for (int i = 0; i < n; ++i) all.emplace_back(static_cast<int>(i * 7'919LL % n));
    return all;
}

// Trivially copyable, although no copy can be made.
struct plain_token {
    int key;
    explicit plain_token(int k) : key(k) {}
    plain_token(plain_token&&) = default;
    plain_token& operator=(plain_token&&) = default;
    plain_token(const plain_token&) = delete;
    plain_token& operator=(const plain_token&) = delete;
    ~plain_token() = default;
    friend bool operator<(const plain_token& a, const plain_token& b) { return a.key < b.key; }
};

}  // namespace api_test
