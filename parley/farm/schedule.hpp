/// @file
/// Schedulers as types: each says which lane gets the next item. They have no threads and no clocks. They only know the
/// levels that they see and the events that they are told. So a simulation can run them as they are.
#pragma once

#include <parley/farm/lane_levels.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

namespace parley::inline v0 {

/// Decides during one run which lane gets an item. choose() names the lane of the item at hand, or nobody. Then it is
/// asked up to three times more in a row, since a lane may have finished something, and again whenever one has. It must
/// not say nobody for ever while all lanes are empty.
template <class B>
concept balancer = std::movable<B> && requires(B b, const lane_levels& levels) {
    { b.choose(levels) } -> std::same_as<std::optional<std::size_t>>;
};

/// Learns by fake tasks (adaptive_round_robin). After each choose(), fake_to_send() may ask for a fake with this
/// episode's number behind what every lane has. fake_executed() says that a lane has come to one.
template <class B>
concept episodic_balancer = balancer<B> && requires(B b, std::size_t lane, std::uint64_t episode) {
    { b.fake_to_send() } -> std::same_as<std::optional<std::uint64_t>>;
    b.fake_executed(lane, episode);
};

/// A schedule between lanes, as farm() takes it. begin(lanes) makes the balancer of one run, and throws usage_error if
/// it cannot work with so many lanes. A schedule of your own has two functions: begin(), and choose() of its balancer.
template <class S>
concept lane_schedule = std::copyable<S> && requires(const S s, std::size_t lanes) {
    { s.begin(lanes) } -> balancer;
};

/// Needs least_tokens() items in flight, or it would never see what it looks for.
template <class S>
concept token_hungry = requires(const S s) {
    { s.least_tokens() } -> std::convertible_to<std::size_t>;
};

namespace streaming {

// Holds a balancer of any type.
class any_balancer {
public:
    virtual ~any_balancer() = default;
    virtual std::optional<std::size_t> choose(const lane_levels& levels) = 0;
    virtual std::optional<std::uint64_t> fake_to_send() = 0;
    virtual void fake_executed(std::size_t lane, std::uint64_t episode) = 0;
};

template <balancer B>
class balancer_of final : public any_balancer {
public:
    explicit balancer_of(B b) : balancer_(std::move(b)) {}
    std::optional<std::size_t> choose(const lane_levels& levels) override { return balancer_.choose(levels); }
    std::optional<std::uint64_t> fake_to_send() override {
        if constexpr (episodic_balancer<B>) return balancer_.fake_to_send();
        else return std::nullopt;
    }
    void fake_executed(std::size_t lane, std::uint64_t episode) override {
        if constexpr (episodic_balancer<B>) balancer_.fake_executed(lane, episode);
    }

private:
    B balancer_;
};

}  // namespace streaming

/// Holds a schedule of any type, as farm() takes it.
class any_schedule {
public:
    /// Keeps a copy of `s`. Throws std::bad_alloc.
    template <class S>
        requires(!std::same_as<S, any_schedule>) && lane_schedule<S>  // in this order, because the second one copies it
    any_schedule(const S& s)                                          // NOLINT: meant to convert
        : made_(std::make_shared<model<S>>(s)) {}

    /// Returns what decides during one run, for the farm. Throws what the schedule's begin() throws.
    [[nodiscard]] std::unique_ptr<streaming::any_balancer> begin(std::size_t lanes) const { return made_->begin(lanes); }
    /// The number of items in flight that it needs at least; 1 unless it says otherwise.
    [[nodiscard]] std::size_t least_tokens() const { return made_->least_tokens(); }
    /// Is it made from an S?
    template <class S>
    [[nodiscard]] bool is() const noexcept {
        return dynamic_cast<const model<S>*>(made_.get()) != nullptr;
    }

private:
    struct base {
        virtual ~base() = default;
        [[nodiscard]] virtual std::unique_ptr<streaming::any_balancer> begin(std::size_t lanes) const = 0;
        [[nodiscard]] virtual std::size_t least_tokens() const = 0;
    };
    template <class S>
    struct model final : base {
        explicit model(const S& s) : schedule(s) {}
        [[nodiscard]] std::unique_ptr<streaming::any_balancer> begin(std::size_t lanes) const override {
            using chosen = decltype(schedule.begin(lanes));
            return std::make_unique<streaming::balancer_of<chosen>>(schedule.begin(lanes));
        }
        [[nodiscard]] std::size_t least_tokens() const override {
            if constexpr (token_hungry<S>) return schedule.least_tokens();
            else return 1;
        }
        S schedule;
    };

    std::shared_ptr<const base> made_;  // not changed any more, so copies share it
};

}  // namespace parley::inline v0
