// A farm whose body has no state of its own: each batch is a task, which idle workers steal.
#pragma once

#include <parley/farm/body.hpp>
#include <parley/farm/flow.hpp>
#include <parley/farm/parcel.hpp>
#include <parley/farm/split.hpp>

#include <cstddef>
#include <deque>
#include <mutex>
#include <utility>

namespace parley::inline v0::streaming {

// Lets so many in at a time. The others wait in line.
class admission {
public:
    // 0: lets all in.
    explicit admission(std::size_t most) noexcept : most_(most) {}

    // False: the parcel has taken its place in the line, and the next one that comes out takes it along.
    [[nodiscard]] bool enter(parcel& p) {
        if (most_ == 0) return true;
        const std::scoped_lock guard(mutex_);
        if (inside_ < most_) {
            ++inside_;
            return true;
        }
        line_.push_back(&p);
        return false;
    }
    // Returns the parcel that goes in instead, or null.
    [[nodiscard]] parcel* leave() noexcept {
        if (most_ == 0) return nullptr;
        const std::scoped_lock guard(mutex_);
        if (line_.empty()) {
            --inside_;
            return nullptr;
        }
        parcel* const next = line_.front();
        line_.pop_front();
        return next;
    }

private:
    const std::size_t most_;
    std::mutex mutex_;
    std::size_t inside_ = 0;
    std::deque<parcel*> line_;
};

template <class In, class F>
class farm_node final : public inlet {
public:
    // most_at_once: batches; 0: no bound. in_pieces: may several workers work on a long batch?
    farm_node(flow& f, const F& body, std::size_t most_at_once, bool in_pieces, std::size_t fixed_batch, inlet& next)
        : flow_(f),
          body_(body),
          in_pieces_(in_pieces),
          size_(f.limits().longest_batch, fixed_batch),
          next_(next),
          admission_(most_at_once) {
        f.add_measure(size_);
    }

    void accept(parcel& p, giver from) noexcept override {
        // An empty one needs no work, but it may have to wait for its turn in the next node.
        if (p.hollow) return next_.accept(p, from);
        parcel** const way_back = std::exchange(p.comes_back_to, nullptr);  // another thread may go on with it
        if (in_pieces_ && is_long(flow_, static_cast<batch<In>&>(p).items.size()) && !flow_.failed())
            return piece<In, F>::work_in_pieces(flow_, body_, p, size_, next_);
        try {
            if (!admission_.enter(p)) return;
        } catch (...) {
            flow_.fail_with_current_exception();
            p.empty_out();
            return next_.accept(p, from);
        }
        if (from == giver::is_done) {
            p.comes_back_to = way_back;
            return work(p, from);
        }
        if (from == giver::goes_on && size_.is_short()) return work(p, from);
        p.place = this;
        p.act = [](errand& e) noexcept {
            auto& mine = static_cast<parcel&>(e);
            static_cast<farm_node*>(mine.place)->work(mine, giver::is_done);
        };
        flow_.spawn(p);
    }

private:
    void work(parcel& first, giver from) noexcept {
        for (parcel* p = &first; p != nullptr;) {
            parcel& out = work_on<In>(flow_, body_, *p, size_);
            p = admission_.leave();
            next_.accept(out, p == nullptr ? from : giver::goes_on);
        }
    }

    flow& flow_;
    const F& body_;
    const bool in_pieces_;
    batch_size size_;
    inlet& next_;
    admission admission_;
};

}  // namespace parley::inline v0::streaming
