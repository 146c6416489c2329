/// @file
/// Feedback: items go round until they are done.
///
/// Each item travels alone and goes round under the token with which it came. So it never waits for a token, and a loop
/// cannot deadlock. A round ends when none of its parts is left; only the round counts them. Items that multiply inside are
/// bounded by nothing but memory.
#pragma once

#include <parley/farm/actor.hpp>
#include <parley/farm/flow.hpp>
#include <parley/farm/parcel.hpp>
#include <parley/farm/pipeline.hpp>
#include <parley/farm/round.hpp>

#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace parley::inline v0::streaming {

// The end of the stages inside: each item leaves, or goes round.
template <class T, class Until>
class feedback_exit final : public inlet {
public:
    feedback_exit(flow& f, const Until& until, inlet& next) noexcept : flow_(f), until_(until), next_(next) {}

    void goes_round_to(inlet& again) noexcept { again_ = &again; }

    void accept(parcel& p, giver from) noexcept override {
        if (p.hollow || flow_.failed()) return retire(p, from);
        auto& b = static_cast<batch<T>&>(p);
        try {
            if (b.items.size() == 1 && !until_(std::as_const(b.items.front()))) return go_round(p, from);
            if (b.items.size() == 1) leave(p, b.items.front());
            else take_apart(b);
        } catch (...) {
            flow_.fail_with_current_exception();
        }
        retire(p, from);
    }

    // A part of a round has come to its end.
    void part_done(round_of<T>& r, giver from) noexcept {
        if (r.done()) next_.accept(r.collect(flow_), from);
    }

private:
    static round_of<T>& round_with(const parcel& p) noexcept { return static_cast<round_of<T>&>(*p.of_round); }

    // Goes round on this stack, if nothing else lies on the way. A task for each round would be the only task of its
    // worker, so an idle worker would take it every time. The rounds are a loop, not a recursion: a parcel that comes
    // back is left to the loop that has begun it.
    void go_round(parcel& p, giver from) noexcept {
        if (from != giver::is_done) return again_->accept(p, giver::keeps_apart);
        if (p.comes_back_to != nullptr) {
            *p.comes_back_to = &p;
            return;
        }
        for (parcel* next = &p; next != nullptr;) {
            parcel& one = *std::exchange(next, nullptr);
            flow_.look_up();
            one.comes_back_to = &next;
            again_->accept(one, giver::is_done);
        }
    }

    // Items that come from one are one part, and they may leave at one time.
    void leave(const parcel& p, T& item) {
        const std::scoped_lock guard(leaving_);
        round_with(p).outputs[p.part].push_back(std::move(item));
    }

    // Sends each of several items round by itself, or lets it leave.
    void take_apart(batch<T>& b) {
        std::vector<std::unique_ptr<batch<T>>> again;
        for (T& item : b.items) {
            if (until_(std::as_const(item))) {
                leave(b, item);
                continue;
            }
            again.push_back(std::make_unique<batch<T>>());
            again.back()->take_place_of(b);
            again.back()->comes_back_to = nullptr;
            again.back()->items.push_back(std::move(item));
        }
        round_with(b).add(again.size());
        for (auto& one : again) again_->accept(*one.release(), giver::keeps_apart);
    }

    void retire(parcel& p, giver from) noexcept {
        round_of<T>& r = round_with(p);
        delete &p;
        part_done(r, from);
    }

    flow& flow_;
    const Until& until_;
    inlet& next_;
    inlet* again_ = nullptr;
    std::mutex leaving_;
};

template <class T, class Until, class... Inner>
class feedback_node final : public inlet {
public:
    feedback_node(flow& f, const Until& until, inlet& next, Inner&... inner)
        : flow_(f), next_(next), exit_(f, until, next), inside_(f, arrival::round_trip, &exit_, inner...) {
        exit_.goes_round_to(inside_.entry());
    }

    void accept(parcel& p, giver from) noexcept override {
        if (p.hollow) return next_.accept(p, from);
        p.comes_back_to = nullptr;
        row<T>& items = static_cast<batch<T>&>(p).items;
        const std::size_t n = items.size();
        round_of<T>* r = nullptr;
        std::size_t sent = 0;
        try {
            if (n > 0) r = new round_of<T>(p, n);
            for (; sent < n;) {
                auto one = std::make_unique<batch<T>>();
                one->of_round = r;
                one->part = sent;
                one->items.push_back(std::move(items[sent]));
                ++sent;
                inside_.entry().accept(*one.release(), giver::keeps_apart);
            }
        } catch (...) {
            flow_.fail_with_current_exception();
        }
        if (r == nullptr) {
            p.empty_out();
            return next_.accept(p, from);
        }
        for (; sent < n; ++sent) exit_.part_done(*r, from);  // after a failure
    }

private:
    flow& flow_;
    inlet& next_;
    feedback_exit<T, Until> exit_;
    network<T, Inner...> inside_;
};

template <class Until, class... Inner>
struct loop_part {
    // Items that come out go in again.
    template <class In>
    static constexpr bool takes =
        std::same_as<typename through<In, Inner...>::type, In> && std::predicate<const Until&, const In&>;
    template <class In>
    using output = In;

    template <class In>
    class node {
    public:
        node(flow& f, loop_part& part, arrival, inlet& next)
            : node_(std::apply(
                  [&](Inner&... each) {
                      return std::make_unique<feedback_node<In, Until, Inner...>>(f, part.until, next, each...);
                  },
                  part.inner)) {}
        inlet& entry() noexcept { return *node_; }

    private:
        std::unique_ptr<feedback_node<In, Until, Inner...>> node_;
    };

    // Each item has a token, because those of one batch would wait for the slowest of them.
    [[nodiscard]] needs asks() const {
        needs all{.batch = 1};
        std::apply([&](const Inner&... each) { (all.also(each.asks()), ...); }, inner);
        return all;
    }
    [[nodiscard]] arrival next(arrival before) const noexcept { return before; }

    std::tuple<Inner...> inner;
    Until until;
};

}  // namespace parley::inline v0::streaming

namespace parley::inline v0 {

/// Feedback: items go through `inside` again and again until until(item) says that they are done. It is asked after
/// each round, by several workers at once. Items go on in the order in which they came.
///
/// `inside` takes and gives one type. It may drop items and make many of one. These all leave in the place of the item
/// that they come from, in any order. A stage inside has no order. After a stop request the items inside go on to their
/// end.
template <class... Inner, class Until>
    requires(!chain<Inner...>::has_source && !chain<Inner...>::has_sink)
auto loop(chain<Inner...> inside, Until&& until) {
    using part = streaming::loop_part<std::decay_t<Until>, Inner...>;
    return chain<part>(std::tuple<part>(part{std::move(inside.parts()), std::forward<Until>(until)}));
}

}  // namespace parley::inline v0
