// The serial nodes that call a function: a stage in the middle, and a sink at the end.
#pragma once

#include <parley/farm/actor.hpp>
#include <parley/farm/body.hpp>
#include <parley/farm/flow.hpp>
#include <parley/farm/parcel.hpp>

#include <concepts>
#include <cstdint>
#include <functional>
#include <iterator>
#include <utility>

namespace parley::inline v0::streaming {

template <class In, class F>
class stage_node final : public actor {
public:
    stage_node(flow& f, F& body, arrival order, inlet& after)
        : actor(f, order), body_(body), next_(after), numbers_(order == arrival::any) {}

private:
    void handle(parcel& p) noexcept override {
        parcel& out = work_on<In>(flow_, body_, p, size_);
        if (numbers_) out.number = number_++;
        next_.accept(out, giver::goes_on);
    }

    F& body_;
    inlet& next_;
    const bool numbers_;
    std::uint64_t number_ = 0;
};

// A sink is a callable that gets each item, or an output iterator that is written to.
template <class H, class In>
concept sink_call = std::invocable<H&, In>;
template <class H, class In>
concept sink_iterator = std::output_iterator<H, In>;

template <class In, class H>
class sink_node final : public actor {
public:
    sink_node(flow& f, H& handler, arrival order) : actor(f, order), handler_(handler) {}

private:
    void handle(parcel& p) noexcept override {
        if (!p.hollow && !flow_.failed()) consume(static_cast<batch<In>&>(p));
        const std::uint64_t tokens = p.tokens;
        delete &p;
        flow_.give_back(tokens);
    }

    void consume(batch<In>& b) noexcept {
        try {
            measure(size_, b.items.size(), [&] {
                for (In& item : b.items) {
                    if constexpr (sink_call<H, In>) {
                        std::invoke(handler_, std::move(item));
                    } else {
                        *handler_ = std::move(item);
                        ++handler_;
                    }
                }
            });
        } catch (...) {
            flow_.fail_with_current_exception();
        }
    }

    H& handler_;
};

}  // namespace parley::inline v0::streaming
