// These types hold one of several strategies, which is chosen when a worker is made. Each has the members that the
// strategies have. The choice costs an indirect call per request and per answer, and nothing per task.
#pragma once

#include <parley/detail/base/rng.hpp>
#include <parley/detail/protocol/request.hpp>
#include <parley/detail/protocol/requesting.hpp>
#include <parley/detail/protocol/splitting.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <variant>

namespace parley::inline v0::protocol {

template <class Chosen, class... Types>
concept among = (std::same_as<Chosen, Types> || ...);

template <class... Types>
class any_stealing {
public:
    any_stealing() = default;
    template <among<Types...> Chosen>
    explicit any_stealing(Chosen s) : strategy_(s) {}

    [[nodiscard]] bool remembers() const noexcept {
        return std::visit([](const auto& s) { return s.remembers(); }, strategy_);
    }
    [[nodiscard]] amount wish() const noexcept {
        return std::visit([](const auto& s) { return s.wish(); }, strategy_);
    }
    void stole(std::uint64_t tasks_run) noexcept {
        std::visit([=](auto& s) { s.stole(tasks_run); }, strategy_);
    }
    friend bool operator==(const any_stealing&, const any_stealing&) = default;

private:
    std::variant<Types...> strategy_;
};

template <class... Types>
class any_splitting {
public:
    template <among<Types...> Chosen>
    explicit any_splitting(Chosen s) : strategy_(s) {}

    template <class Askers>
    [[nodiscard]] cut of(std::uint64_t left, std::uint32_t chunks, const Askers& askers) const noexcept {
        return std::visit([&](const auto& s) { return s.of(left, chunks, askers); }, strategy_);
    }

private:
    std::variant<Types...> strategy_;
};

template <class... Types>
class any_victims {
public:
    any_victims() = default;
    template <among<Types...> Chosen>
    explicit any_victims(Chosen s) : strategy_(s) {}

    [[nodiscard]] bool remembers() const noexcept {
        return std::visit([](const auto& s) { return s.remembers(); }, strategy_);
    }
    letter begin(request_id r, std::uint32_t workers, base::rng& random) const noexcept {
        return std::visit([&](const auto& s) { return s.begin(r, workers, random); }, strategy_);
    }
    std::optional<worker_id> next(letter& t, std::uint32_t workers) const noexcept {
        return std::visit([&](const auto& s) { return s.next(t, workers); }, strategy_);
    }
    bool looks_on(letter& t, worker_id self, std::size_t spare) const noexcept {
        return std::visit([&](const auto& s) { return s.looks_on(t, self, spare); }, strategy_);
    }
    void stole_from(worker_id victim) noexcept {
        std::visit([=](auto& s) { s.stole_from(victim); }, strategy_);
    }
    void gave_to(worker_id thief) noexcept {
        std::visit([=](auto& s) { s.gave_to(thief); }, strategy_);
    }
    friend bool operator==(const any_victims&, const any_victims&) = default;

private:
    std::variant<Types...> strategy_;
};

// This type has the members of requesting (requesting.hpp), with values that are chosen at start.
struct any_requesting {
    std::uint32_t how_many = 1;
    after_failure then = after_failure::rests;
    when_dry mailbox = when_dry::stays_open;

    [[nodiscard]] std::uint32_t requests() const noexcept { return how_many; }
    [[nodiscard]] after_failure failure() const noexcept { return then; }
    [[nodiscard]] when_dry dry() const noexcept { return mailbox; }
    friend bool operator==(const any_requesting&, const any_requesting&) = default;
};

}  // namespace parley::inline v0::protocol
