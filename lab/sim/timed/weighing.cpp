// Virtual time as weighing asks for it (parley/detail/driver/weighing.hpp), as runtime/weighing.cpp does with threads.
#include <parley/detail/driver/weighing.hpp>

#include <lab/sim/timed/host.hpp>
#include <lab/sim/timed/medium.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace parley::inline v0::sim::timed {

static_assert(threading::weighs<virtual_host>);

// A look at the clock follows.
bool virtual_host::may_keep() const noexcept {
    if (!home().chosen().weighs || circulates() || !watches()) return false;
    spend(spent::queue, cost().block);
    return true;
}

bool virtual_host::has_something_in_hand() const noexcept {
    return me_->job != nullptr || me_->requests[0].answered;  // an answer that came after its wait
}

bool virtual_host::has_own_share() const noexcept {
    const loop_part* const l = me_->loop_to_split();
    return l != nullptr && l->is_own_share();
}

auto virtual_host::loop_lasts(lasting least, time_point now) const noexcept -> std::optional<lasting> {
    if (const loop_part* const l = me_->loop_to_split(least)) return l->times.last(l->left(), now);
    if (me_->loop_to_split() != nullptr) return lasting(0);
    return std::nullopt;
}

// The lobby as sync/lobby.hpp has it. Its lines are read once; then they are in this worker's cache.
struct medium::searched_lobby {
    medium& m;

    explicit searched_lobby(medium& which) : m(which) {
        (void)m.home_.anybody_sleeps(m.self_);  // reads who sleeps
        for (shared_line& line : m.home_.lobby_lines) m.home_.read_line(m.self_, line, spent::requests);
    }
    [[nodiscard]] std::uint32_t count_between(request_id first, request_id last) const {
        std::uint32_t sum = 0;
        for (request_id r = first; r < last; ++r) sum += counts(r);
        return sum;
    }
    [[nodiscard]] std::optional<request_id> find_between(request_id first, request_id last, std::uint32_t before) const {
        for (request_id r = first; r < last; ++r)
            if (counts(r) && before-- == 0) return r;
        return std::nullopt;
    }
    [[nodiscard]] std::uint32_t count_awake(request_id first, request_id last) const {
        std::uint32_t sum = 0;
        for (request_id r = first; r < last; r += protocol::most_requests)
            sum += !m.home_.chosen().weighs || !m.home_.at(protocol::thief_of(r)).asleep;
        return sum;
    }
    [[nodiscard]] std::uint32_t count_coming(request_id first, request_id last) const {
        constexpr duration soon = in_virtual_time(threading::weighing::comes_soon);
        std::uint32_t sum = 0;
        for (request_id r = first; r < last; r += protocol::most_requests) {
            const member& whom = m.home_.at(protocol::thief_of(r));
            if (holds(r) || whom.asleep || !m.home_.chosen().weighs || !m.self_.tasks.empty()) continue;
            m.spend(spent::requests, m.home_.places().transfer(whom.id, m.self_.id));
            sum += whom.searched_at >= 0 && m.self_.now - whom.searched_at < soon;
        }
        return sum;
    }
    [[nodiscard]] bool take_out(request_id r) const {
        m.spend(spent::requests, m.cost_.exchange);
        m.home_.write_line(m.self_, m.lobby_line(r / 64), spent::requests);
        if (!holds(r)) return false;
        m.home_.lobby[r / 64] &= ~(std::uint64_t{1} << r % 64);
        --m.home_.resting;
        return true;
    }
    template <class Runs>
    [[nodiscard]] std::optional<request_id> take(request_id, const Runs& runs) const {
        return m.take_resting(runs);
    }

    [[nodiscard]] bool holds(request_id r) const { return (m.home_.lobby[r / 64] >> r % 64 & 1) != 0; }
    // Does not count the requests of sleepers.
    [[nodiscard]] bool counts(request_id r) const {
        return holds(r) && !(m.home_.chosen().weighs && m.home_.at(protocol::thief_of(r)).asleep);
    }
};

// It has come: a line of the lobby and the thief's line, which its victim needs for the answer in any case.
std::optional<protocol::asker> medium::take_asker(std::uint32_t range) {
    const virtual_host h(self_);
    const auto now = h.now();
    searched_lobby lobby{*this};
    return protocol::take_middle(self_.id, range, home_.size(), lobby, [&](request_id r) {
        if (!home_.chosen().weighs) return true;
        touch(r, spent::requests);
        return at(r).state != request_state::resting || h.runs(protocol::thief_of(r), now);
    });
}

bool medium::comes_from_loop() const noexcept { return home_.chosen().weighs && self_.looped_at == self_.tasks_run; }

bool medium::nearly_all_rest() {
    const searched_lobby lobby(*this);
    const request_id own = protocol::request_of(self_.id), next = own + protocol::most_requests;
    const request_id end = protocol::request_of(home_.size());
    return protocol::are_nearly_all(lobby.count_between(0, own) + lobby.count_between(next, end),
                                    lobby.count_awake(0, own) + lobby.count_awake(next, end));
}

bool medium::many_rest() {
    const searched_lobby lobby(*this);
    const std::uint32_t own = lobby.holds(protocol::request_of(self_.id));
    return protocol::are_many(home_.resting - own, home_.size());
}

bool virtual_host::has_lost_its_core(time_point now) const noexcept {
    return home().shares_cores() &&
           me_->core_lost.since_last_asked(now, weighed().work.not_seen_for(now), [this] { return me_->core.losses; });
}

// One that spins looks again and again while it has a core. The clock of one that stalls is ahead of the others'.
bool virtual_host::runs(worker_id thief, time_point) const noexcept {
    const duration just_now = in_virtual_time(threading::weighing::runs_still);
    const member& whom = home().at(thief);
    return !whom.asleep && (whom.does == mode::spins || whom.does == mode::runs) && whom.searched_at >= 0 &&
           whom.now < me_->now + just_now && !(whom.core.waits && me_->now - whom.core.waits_since >= just_now);
}

// The thief of `r` gets a part, and so do others that rest, and those that have letters here (runtime/medium.hpp).
protocol::askers_now medium::askers_of(const loop_part& l, request_id r, std::uint32_t letters, bool weighs) {
    const std::uint32_t most = weighs ? l.times.most_askers(l.left(), self_.weighed.weight) : ~std::uint32_t{0};
    if (self_.divided.all > 0) return protocol::askers_now::of(self_.divided, letters, most);
    std::uint32_t all = 1 + letters;
    for (std::size_t w = 0; w < home_.lobby.size(); ++w) {
        for (std::uint64_t left = home_.lobby[w]; left != 0; left &= left - 1) {
            const auto other = static_cast<request_id>(w * 64 + static_cast<std::uint32_t>(std::countr_zero(left)));
            const worker_id whom = protocol::thief_of(other);
            if (whom == protocol::thief_of(r) || whom == self_.id) continue;
            all += !weighs || (!home_.at(whom).asleep && at(other).state == request_state::resting);
        }
    }
    return std::min(all, most);
}

bool virtual_host::is_on_its_way(worker_id w) const noexcept {
    const member& whom = home().at(w);
    return whom.asleep && (whom.attention & bits::waking) != 0;
}

bool virtual_host::anybody_rests() const {
    medium m = look_at_others();
    for (std::size_t w = 0; w < home().lobby.size(); ++w) {
        home().read_line(*me_, home().lobby_lines[w / 8], spent::requests);
        for (std::uint64_t left = home().lobby[w]; left != 0; left &= left - 1) {
            const auto r = static_cast<request_id>(w * 64 + static_cast<std::uint32_t>(std::countr_zero(left)));
            if (protocol::thief_of(r) != me_->id && m.state(r) == request_state::resting) return true;
        }
    }
    return false;
}

worker_id virtual_host::one_that_rests() const {
    if (!home().anybody_sleeps(*me_)) return protocol::no_worker;
    for (worker_id i = 1; i < size(); ++i) {
        const worker_id w = (me_->id + i) % size();
        const member& whom = home().at(w);
        spend(spent::requests, cost().poll);
        if (whom.asleep && whom.requests[0].state == request_state::resting && (whom.attention & bits::waking) == 0)
            return w;
    }
    return protocol::no_worker;
}

void virtual_host::wake_one_that_rests() const {
    if (!home().anybody_sleeps(*me_)) return;
    for (worker_id w = 0; w < size(); ++w)
        if (is_on_its_way(w) && home().at(w).requests[0].state == request_state::resting) return;
    if (const worker_id w = one_that_rests(); w != protocol::no_worker) look_at_others().raise_and_wake(w, bits::news);
}

std::uintptr_t virtual_host::code_of_newest() const noexcept {
    const auto* const newest = static_cast<const timed::task*>(me_->tasks.pushed_last());
    return newest == nullptr ? 0 : std::uintptr_t{newest->kind + 1} << 4;
}

bool medium::keeps_back(worker_id thief) { return threading::keeps_back(virtual_host(self_), thief); }
bool medium::leaves_at_rest() { return threading::leaves_at_rest(virtual_host(self_), *this); }

}  // namespace parley::inline v0::sim::timed
