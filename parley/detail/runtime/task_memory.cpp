#include <parley/detail/runtime/task_memory.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <utility>

namespace parley::inline v0::threading {

void depot::take(cell** into) {
    const std::scoped_lock guard(mutex_);
    collect();
    if (stock_.size() < batch) {
        slabs_.push_back(std::make_unique_for_overwrite<cell[]>(batch));
        // Room for every cell that exists: give() then never has to allocate.
        stock_.reserve(slabs_.size() * batch);
        cell* slab = slabs_.back().get();
        for (std::uint32_t i = 0; i < batch; ++i) into[i] = slab + (batch - 1 - i);
        away_ += batch;
        return;
    }
    std::copy_n(stock_.end() - batch, batch, into);
    stock_.resize(stock_.size() - batch);
    away_ += batch;
}

void depot::give(cell* const* from) noexcept {
    const std::scoped_lock guard(mutex_);
    stock_.insert(stock_.end(), from, from + batch);
    away_ -= batch;
}

void depot::give_back(void* memory) noexcept {
    returned_.send(::new (memory) returned{});
    if (to_be_given_back_.done()) delete this;  // only after end(): the last access of all
}

// As many as take() needs, so that nobody waits for all that others have given back.
void depot::collect() noexcept {
    while (stock_.size() < batch) {
        if (received_ == nullptr) received_ = returned_.take_all();
        if (received_ == nullptr) return;
        returned* const r = std::exchange(received_, received_->next);
        stock_.push_back(reinterpret_cast<cell*>(r));  // there is room for every cell
    }
}

// All that are away, and in no stock that has ended, have been given back or will be. One more, for this function itself:
// until it is done nobody's is the last.
void depot::end() noexcept {
    to_be_given_back_.add(away_ - written_off_.get() + 1 - many);
    if (to_be_given_back_.done()) delete this;
}

}  // namespace parley::inline v0::threading
