// The source of a pipeline's items: ranges and callables, and the node that makes batches of them.
#pragma once

#include <parley/detail/sync/turn.hpp>
#include <parley/errors.hpp>
#include <parley/farm/body.hpp>
#include <parley/farm/flow.hpp>
#include <parley/farm/parcel.hpp>
#include <parley/farm/row.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <ranges>
#include <stop_token>
#include <type_traits>
#include <utility>

namespace parley::inline v0::streaming {

// A source returns this after it was asked for items.
enum class drawn : std::uint8_t {
    more,   // there may be more at once
    later,  // there may be more; the thread that brings it wakes the source
    ended,
};

// Says when a batch has taken long enough, because an item may take a thousand times as long as the one before.
class patience {
public:
    explicit patience(bool measured) noexcept : measured_(measured) {}
    // Looks at the clock after 1, 2, 4, 8 and so on items.
    [[nodiscard]] bool is_over(std::size_t items) const noexcept {
        return measured_ && (items & (items - 1)) == 0 && watch_.ns() >= batch_time_ns;
    }

private:
    const bool measured_;
    const stopwatch watch_;
};

template <class View>
inline constexpr bool owns_its_elements = false;
template <class Container>
inline constexpr bool owns_its_elements<std::ranges::owning_view<Container>> = true;

// The elements of a range. Whether there is another one is asked only when it is wanted, since a range may have to make
// or read it for that. So the last batch is known to be the last only if that costs nothing.
template <std::ranges::view View>
class range_source {
public:
    using item = std::ranges::range_value_t<View>;

    explicit range_source(View view) : view_(std::move(view)) {}

    class cursor {
    public:
        cursor(range_source& from, source_side&) : at_(std::ranges::begin(from.view_)), end_(std::ranges::end(from.view_)) {}
        drawn draw(row<item>& into, std::size_t most, const patience& p) {
            while (into.size() < most) {
                if (is_at_end()) return drawn::ended;
                into.push_back(take());
                is_taken_ = true;
                if (p.is_over(into.size())) break;
            }
            if constexpr (std::ranges::random_access_range<View>)
                if (is_at_end()) return drawn::ended;
            return drawn::more;
        }

    private:
        bool is_at_end() {
            if (std::exchange(is_taken_, false)) ++at_;
            return at_ == end_;
        }
        // Elements of a container that was moved in are moved out.
        item take() {
            if constexpr (owns_its_elements<View>) return std::ranges::iter_move(at_);
            else return *at_;
        }
        std::ranges::iterator_t<View> at_;
        std::ranges::sentinel_t<View> end_;
        bool is_taken_ = false;  // has the present element been taken?
    };

private:
    View view_;
};

// What a callable returns, until it returns nothing.
template <class F>
class generator_source {
public:
    using item = typename std::remove_cvref_t<std::invoke_result_t<F&>>::value_type;

    explicit generator_source(F f) : next_(std::move(f)) {}

    class cursor {
    public:
        cursor(generator_source& from, source_side&) noexcept : next_(from.next_) {}
        drawn draw(row<item>& into, std::size_t most, const patience& p) {
            while (into.size() < most) {
                auto made = std::invoke(next_);
                if (!made) return drawn::ended;
                into.push_back(std::move(*made));
                if (p.is_over(into.size())) break;
            }
            return drawn::more;
        }

    private:
        F& next_;
    };

private:
    F next_;
};

// The emitter at the head of a pipeline makes batches as long as it has tokens. When it has ended, it keeps its turn
// for good. So nobody can wake it then, though some thread may still try.
template <class Source>
class source_node final : public source_side, public errand {
public:
    using item = typename Source::item;

    source_node(flow& f, Source& from, inlet& after, std::stop_token stop)
        : flow_(f),
          size_(f.limits().longest_batch, f.limits().fixed_batch),
          next_(after),
          stop_(std::move(stop)),
          from_(from) {
        act = [](errand& e) noexcept { static_cast<source_node&>(e).run(); };
        f.set_source(*this);
        f.add_measure(size_);
    }

    void wake() noexcept override {
        if (turn_.call()) flow_.spawn(*this);
    }

    [[nodiscard]] std::uint64_t items() const noexcept { return items_; }
    [[nodiscard]] bool was_stopped() const noexcept { return was_stopped_; }

private:
    void run() noexcept {
        do {
            if (!make_batches()) {
                cursor_.reset();  // lets go of what wakes it
                flow_.source_ended();
                return;
            }
        } while (!turn_.leave());
    }

    // True: there will be more items later.
    bool make_batches() noexcept {
        for (;;) {
            if (flow_.failed()) return false;
            if (flow_.stopping() || stop_.stop_requested()) {
                was_stopped_ = true;
                return false;
            }
            const std::size_t tokens = take_tokens();
            if (tokens == 0) return true;  // the thread that gives some back wakes the source
            const drawn how = make_batch(tokens);
            flow_.look_up();
            if (how == drawn::ended) return false;
            if (how == drawn::later) return true;
        }
    }

    // Takes tokens for the next batch. Waiting for one token costs as much as waiting for several, and each wait costs
    // a wake-up. So the source goes on when an eighth of all tokens is there, or a quarter if items are short.
    std::size_t take_tokens() noexcept {
        const std::size_t length = flow_.next_batch();
        const std::size_t all = flow_.tokens().all();
        const std::size_t wanted = flow_.limits().per_batch ? 1 : std::min(length, all);
        const std::size_t enough = std::max(wanted, length > 1 ? all / 4 : all / 8);
        return flow_.tokens().take(wanted, wanted, enough);
    }

    drawn make_batch(std::size_t tokens) noexcept {
        const bool per_batch = flow_.limits().per_batch;
        const std::size_t most = per_batch ? flow_.next_batch() : tokens;
        std::unique_ptr<batch<item>> made;
        drawn how = drawn::ended;
        try {
            if (!cursor_) cursor_.emplace(from_, *this);
            made = std::make_unique<batch<item>>();
            made->items.reserve(most);
            const stopwatch watch;
            how = cursor_->draw(made->items, most, patience(!size_.is_fixed()));
            size_.measured(made->items.size(), watch.ns());
        } catch (...) {
            flow_.fail_with_current_exception();
            how = drawn::ended;
        }
        const std::size_t n = made != nullptr ? made->items.size() : 0;
        const std::size_t kept = flow_.failed() || n == 0 ? 0 : per_batch ? 1 : n;
        if (kept < tokens) flow_.give_back(tokens - kept);
        if (kept == 0) return how;
        items_ += n;
        made->tokens = kept;
        made->number = number_++;
        next_.accept(*made.release(), how == drawn::ended ? giver::is_done : giver::goes_on);
        return how;
    }

    flow& flow_;
    batch_size size_;
    inlet& next_;
    const std::stop_token stop_;
    Source& from_;
    std::optional<typename Source::cursor> cursor_;
    std::uint64_t number_ = 0;
    std::uint64_t items_ = 0;
    bool was_stopped_ = false;
    sync::turn turn_;
};

}  // namespace parley::inline v0::streaming
