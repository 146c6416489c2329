#include <parley/detail/runtime/depot.hpp>

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
        // There is room for every cell that exists. So give() never has to allocate.
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
    if (to_be_given_back_.done()) delete this;  // this only happens after end(), and is the last access of all
}

// Collects as many cells as take() needs. So no worker waits for all that others have given back.
void depot::collect() noexcept {
    while (stock_.size() < batch) {
        if (received_ == nullptr) received_ = returned_.take_all();
        if (received_ == nullptr) return;
        returned* const r = std::exchange(received_, received_->next);
        stock_.push_back(reinterpret_cast<cell*>(r));  // there is room for every cell
    }
}

// Cells that are away, and in no stock that has ended, have been given back or will be. One more is counted for this
// function itself. Until it is done, no cell is the last.
void depot::end() noexcept {
    to_be_given_back_.add(away_ - written_off_.get() + 1 - many);
    if (to_be_given_back_.done()) delete this;
}

void abandons_depot::operator()(depot* d) const noexcept { d->end(); }

task_memory::~task_memory() { shared_.write_off(static_cast<std::uint64_t>(top_ - stock_.data())); }

void task_memory::refill() {
    shared_.take(stock_.data());
    top_ = stock_.data() + batch;
}

void task_memory::send_home() noexcept {
    top_ -= batch;
    shared_.give(top_);
}

}  // namespace parley::inline v0::threading
