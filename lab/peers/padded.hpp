// Values with cache lines of their own.
#pragma once

#include <cstddef>
#include <vector>

namespace parley_peers {

template <class T>
struct alignas(128) padded {
    T value{};
};

// One for each worker.
template <class T>
class per_worker {
public:
    explicit per_worker(unsigned workers) : values_(workers) {}
    [[nodiscard]] T& of(std::size_t worker) { return values_[worker].value; }
    [[nodiscard]] padded<T>* data() noexcept { return values_.data(); }
    template <class F>
    void each(F&& visit) {
        for (auto& v : values_) visit(v.value);
    }

private:
    std::vector<padded<T>> values_;
};

}  // namespace parley_peers
