#include <parley/runtime/task_memory.hpp>

#include <algorithm>

namespace parley::inline v0::threading {

void depot::take(cell** into) {
    const std::scoped_lock guard(mutex_);
    if (stock_.size() < batch) {
        slabs_.push_back(std::make_unique_for_overwrite<cell[]>(batch));
        // Room for every cell that exists: give() then never has to allocate.
        stock_.reserve(slabs_.size() * batch);
        cell* slab = slabs_.back().get();
        for (std::uint32_t i = 0; i < batch; ++i) into[i] = slab + (batch - 1 - i);
        return;
    }
    std::copy_n(stock_.end() - batch, batch, into);
    stock_.resize(stock_.size() - batch);
}

void depot::give(cell* const* from) noexcept {
    const std::scoped_lock guard(mutex_);
    stock_.insert(stock_.end(), from, from + batch);
}

}  // namespace parley::inline v0::threading
