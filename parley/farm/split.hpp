// Works in pieces on a batch that has become long, because a stage has made many items of one.
#pragma once

#include <parley/farm/body.hpp>
#include <parley/farm/flow.hpp>
#include <parley/farm/parcel.hpp>
#include <parley/farm/round.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace parley::inline v0::streaming {

// Is the batch so much longer than others that a task for each piece pays?
inline bool is_long(const flow& f, std::size_t items) noexcept { return f.home().size() > 1 && items > 4 * f.next_batch(); }

// Some of the items of a parcel, as a task. Their outputs have a place in the parcel's round.
template <class In, class F>
class piece final : public errand {
public:
    using out = output_of<const F, In>;

    piece(flow& f, const F& body, batch<In>& all, std::size_t first, std::size_t last, batch_size& size,
          inlet& after) noexcept
        : flow_(f), body_(body), all_(all), first_(first), last_(last), size_(size), next_(after) {
        act = [](errand& e) noexcept { static_cast<piece&>(e).work(); };
    }

    // Spawns a task for each piece, and owns the parcel from then on.
    static void work_in_pieces(flow& f, const F& body, parcel& p, batch_size& size, inlet& after) noexcept {
        auto& all = static_cast<batch<In>&>(p);
        const std::size_t n = all.items.size();
        const std::size_t each = std::max(f.next_batch(), (n + 4 * f.home().size() - 1) / (4 * f.home().size()));
        const std::size_t count = (n + each - 1) / each;
        std::vector<std::unique_ptr<piece>> pieces;
        round_of<out>* r = nullptr;
        try {
            pieces.reserve(count);
            for (std::size_t first = 0; first < n; first += each)
                pieces.push_back(std::make_unique<piece>(f, body, all, first, std::min(n, first + each), size, after));
            r = new round_of<out>(p, count);
        } catch (...) {
            f.fail_with_current_exception();
            p.empty_out();
            return after.accept(p, giver::goes_on);
        }
        for (std::size_t i = 0; i < count; ++i) {
            pieces[i]->of_ = r;
            pieces[i]->part_ = i;
            f.spawn(*pieces[i].release());
        }
    }

private:
    void work() noexcept {
        const std::unique_ptr<piece> mine(this);
        if (!flow_.failed()) {
            try {
                row<out>& into = of_->outputs[part_];
                into.reserve(last_ - first_);
                measure(size_, last_ - first_, [&] {
                    for (std::size_t i = first_; i < last_; ++i) apply(body_, std::move(all_.items[i]), into);
                });
            } catch (...) {
                flow_.fail_with_current_exception();
            }
        }
        if (of_->done()) next_.accept(of_->collect(flow_), giver::is_done);
    }

    flow& flow_;
    const F& body_;
    batch<In>& all_;
    const std::size_t first_, last_;
    batch_size& size_;
    inlet& next_;
    round_of<out>* of_ = nullptr;
    std::size_t part_ = 0;
};

}  // namespace parley::inline v0::streaming
