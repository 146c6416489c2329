// A worker whose protocol is chosen when it is made: that of worker.hpp or that of circulating_worker.hpp. A call costs
// a branch more; none of them is on the way of a task that nobody asks for.
#pragma once

#include <lab/papers/circulating_worker.hpp>
#include <lab/papers/medium.hpp>
#include <parley/detail/protocol/request.hpp>
#include <parley/detail/protocol/worker.hpp>

#include <cstdint>
#include <utility>
#include <variant>

namespace parley::inline v0::protocol {

template <class Resting, class Circulating>
class either_worker {
public:
    explicit either_worker(Resting r) : worker_(std::move(r)) {}
    explicit either_worker(Circulating c) : worker_(std::move(c)) {}

    [[nodiscard]] worker_id id() const noexcept {
        return of([](const auto& w) { return w.id(); });
    }
    [[nodiscard]] std::uint32_t requests() const noexcept {
        return of([](const auto& w) { return w.requests(); });
    }
    [[nodiscard]] bool counts_tasks() const noexcept {
        return of([](const auto& w) { return w.counts_tasks(); });
    }
    [[nodiscard]] bool remembers_victims() const noexcept {
        return of([](const auto& w) { return w.remembers_victims(); });
    }
    [[nodiscard]] bool circulates() const noexcept { return worker_.index() == 1; }
    [[nodiscard]] range serves() const noexcept {
        return of([](const auto& w) { return range(w.serves()); });
    }
    void serves_everybody() noexcept {
        of([](auto& w) { w.serves_everybody(); });
    }
    template <papers_medium M>
    void begin_at_rest(M& m) {
        if (auto* const resting = std::get_if<Resting>(&worker_)) resting->begin_at_rest(m);
    }
    [[nodiscard]] bool sleeps_with_open_mailbox() const noexcept {
        return of([](const auto& w) { return w.sleeps_with_open_mailbox(); });
    }

    template <papers_medium M>
    bool serve(M& m) {
        return of([&](auto& w) { return w.serve(m); });
    }
    template <papers_medium M>
    bool serve_briefly(M& m) {
        return of([&](auto& w) { return w.serve_briefly(m); });
    }
    template <papers_medium M>
    void serve_interrupted(M& m) {
        of([&](auto& w) { w.serve_interrupted(m); });
    }
    template <papers_medium M>
    bool seek(M& m, standing where, asking what = asking::as_strategy) {
        return of([&](auto& w) { return w.seek(m, where, what); });
    }
    template <papers_medium M>
    void ask_early(M& m) {
        of([&](auto& w) { w.ask_early(m); });
    }
    template <papers_medium M>
    void rest(M& m) {
        of([&](auto& w) { w.rest(m); });
    }
    template <papers_medium M>
    void withdraw(M& m) {
        of([&](auto& w) { w.withdraw(m); });
    }
    template <papers_medium M>
    bool may_pause(M& m) {
        return of([&](auto& w) { return w.may_pause(m); });
    }
    template <papers_medium M>
    bool all_home(M& m) {
        return of([&](auto& w) { return w.all_home(m); });
    }
    template <papers_medium M>
    [[nodiscard]] bool is_being_answered(M& m) const {
        const auto* const resting = std::get_if<Resting>(&worker_);
        return resting != nullptr && resting->is_being_answered(m);
    }
    template <papers_medium M>
    bool go_to_sleep(M& m, asking what = asking::as_strategy) {
        return of([&](auto& w) { return w.go_to_sleep(m, what); });
    }
    template <papers_medium M>
    void wake_up(M& m) {
        of([&](auto& w) { w.wake_up(m); });
    }
    template <papers_medium M>
    bool receive(M& m) {
        return of([&](auto& w) { return w.receive(m); });
    }
    template <papers_medium M>
    void enter(M& m) {
        of([&](auto& w) { w.enter(m); });
    }
    template <papers_medium M>
    bool leave(M& m) {
        return of([&](auto& w) { return w.leave(m); });
    }
    // Where requests rest; who circulates them is not suspended.
    template <papers_medium M>
    void stay_away(M& m) {
        std::get<Resting>(worker_).stay_away(m);
    }
    template <papers_medium M>
    void come_back(M& m) {
        std::get<Resting>(worker_).come_back(m);
    }
    [[nodiscard]] bool is_away() const noexcept {
        const auto* const resting = std::get_if<Resting>(&worker_);
        return resting != nullptr && resting->is_away();
    }

    template <papers_medium M>
    void open_barrier(M& m) {
        of([&](auto& w) { w.open_barrier(m); });
    }
    template <papers_medium M>
    bool close_barrier(M& m) {
        return of([&](auto& w) { return w.close_barrier(m); });
    }

    friend bool operator==(const either_worker&, const either_worker&) = default;

private:
    template <class Use>
    decltype(auto) of(const Use& use) {
        if (auto* const resting = std::get_if<Resting>(&worker_)) [[likely]]
            return use(*resting);
        return use(std::get<Circulating>(worker_));
    }
    template <class Use>
    decltype(auto) of(const Use& use) const {
        if (const auto* const resting = std::get_if<Resting>(&worker_)) [[likely]]
            return use(*resting);
        return use(std::get<Circulating>(worker_));
    }

    std::variant<Resting, Circulating> worker_;
};

}  // namespace parley::inline v0::protocol
