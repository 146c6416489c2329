// The functions of threads that weighing asks a host for (driver/weighing.hpp).
#include <parley/detail/driver/weighing.hpp>

#include <parley/detail/policy/strategies.hpp>
#include <parley/detail/protocol/splitting.hpp>
#include <parley/detail/runtime/loop_run.hpp>
#include <parley/detail/runtime/medium.hpp>
#include <parley/detail/runtime/pool.hpp>
#include <parley/detail/runtime/thread_host.hpp>
#include <parley/detail/runtime/watchdog.hpp>
#include <parley/detail/runtime/worker.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <sys/resource.h>

namespace parley::inline v0::threading {

static_assert(weighs<thread_host>);

namespace {

bool runs(const worker& thief, std::int64_t now) noexcept {
    return !thief.shared_part().attention.is_asleep() &&
           now - thief.watched_part().searched_at.get() < weighing::runs_still.count();
}

}  // namespace

bool thread_host::has_lost_its_core(time_point now) const noexcept {
    own_state& own = self_->own_part();
    return own.core_lost.since_last_asked(now, own.weighs.work.not_seen_for(now), [] {
        rusage use{};
        (void)getrusage(RUSAGE_THREAD, &use);  // if it fails, nobody knows of a loss
        return use.ru_nivcsw;
    });
}

bool thread_host::has_something_in_hand() const noexcept {
    const auto& in_hand = self_->own_part().in_hand;
    return in_hand.job != nullptr || in_hand.isolated_message != nullptr || self_->shared_part().first.answer.peek();
}

bool thread_host::has_own_share() const noexcept {
    const splittable* const s = self_->own_part().loops.to_split();
    return s != nullptr && s->is_own_share();
}

std::optional<weighing::duration> thread_host::loop_lasts(weighing::duration least, time_point now) const noexcept {
    if (const splittable* const s = self_->own_part().loops.to_split(least, now)) return s->times.last(s->left(), now);
    if (self_->own_part().loops.to_split() != nullptr) return weighing::duration(0);
    return std::nullopt;
}

bool thread_host::runs(protocol::worker_id thief, time_point now) const noexcept {
    return threading::runs(self_->home().at(thief), weighing::in_ns(now));
}

bool thread_host::is_on_its_way(protocol::worker_id w) const noexcept {
    const protocol::bits::word seen = self_->home().at(w).shared_part().attention.get();
    return (seen & sync::attention::asleep) != 0 && (seen & protocol::bits::waking) != 0;
}

bool thread_host::anybody_rests() const noexcept {
    const thread_medium m = look_at_others();
    return self_->home().exchange().lobby.any([&](protocol::request_id r) {
        return protocol::thief_of(r) != self_->id() && m.state(r) == protocol::request_state::resting;
    });
}

protocol::worker_id thread_host::one_that_rests() const noexcept {
    const worker* const one = who_rests().one;
    return one == nullptr ? protocol::no_worker : one->id();
}

// A task that has been given away may be gone. So no handler may give it away meanwhile.
std::uintptr_t thread_host::code_of_newest() const noexcept {
    const threading::uninterrupted here(self_->own_part().signals);
    const task* const newest = self_->own_part().tasks.pushed_last();
    return newest != nullptr ? reinterpret_cast<std::uintptr_t>(newest->run) : 0;
}

bool worker::may_keep() const noexcept {
    return !pool::circulates() && home_.watches() && !is_visiting() && !is_blocking() && !watched_.takes_no_jobs.get() &&
           can_be_interrupted();
}

bool worker::keeps_to_itself(const void* frame, std::uint64_t scope) noexcept {
    return threading::keeps_to_itself(thread_host(*this), reinterpret_cast<std::uintptr_t>(frame), scope);
}

bool worker::keeps_to_itself(splittable& s) noexcept {
    return threading::keeps_to_itself(thread_host(*this), s.times, s.left(), own_.loops.to_split() == &s);
}

void look_after_single(worker& self) {
    if (!has_nothing_for_thieves(thread_host(self))) self.poll();
}

namespace {

// The lobby without the requests of sleepers. Of workers it counts none in visitors' seats, because most of those are free.
struct awake_in_lobby {
    pool& home;
    std::int64_t now;
    bool divides_loop;  // otherwise nobody asks for what others might get
    sync::lobby& lobby = home.exchange().lobby;
    const sync::lobby& asleep = home.exchange().asleep;
    const protocol::request_id end = protocol::request_of(home.size());

    [[nodiscard]] std::uint32_t count_awake(protocol::request_id first, protocol::request_id last) const noexcept {
        const protocol::request_id to = std::min(last, end);
        return first < to ? protocol::thief_of(to) - protocol::thief_of(first) - asleep.count_between(first, to) : 0;
    }
    // A worker that is in a long task, blocks, or is not there has not looked for long.
    [[nodiscard]] std::uint32_t count_coming(protocol::request_id first, protocol::request_id last) const noexcept {
        std::uint32_t sum = 0;
        if (!divides_loop) return sum;
        for (protocol::request_id r = first; r < std::min(last, end); r += protocol::most_requests)
            sum += !lobby.holds(r) && !asleep.holds(r) &&
                   now - home.at(protocol::thief_of(r)).watched_part().searched_at.get() < weighing::comes_soon.count();
        return sum;
    }
    [[nodiscard]] std::uint32_t count_between(std::uint32_t first, std::uint32_t last) const noexcept {
        return lobby.count_between(first, last, &asleep);
    }
    [[nodiscard]] std::optional<std::uint32_t> find_between(std::uint32_t first, std::uint32_t last,
                                                            std::uint32_t before) const noexcept {
        return lobby.find_between(first, last, before, &asleep);
    }
    [[nodiscard]] bool take_out(std::uint32_t number) const noexcept { return lobby.take_out(number); }
    template <class Wanted>
    [[nodiscard]] std::optional<std::uint32_t> take(std::uint32_t start, const Wanted& is_wanted) const noexcept {
        return lobby.take(start, is_wanted);
    }
};

}  // namespace

std::optional<protocol::asker> thread_medium::take_asker(std::uint32_t range) noexcept {
    const std::int64_t now = weighing::in_ns(weighing::clock::now());
    const auto may_take = [&](protocol::request_id r) {
        return runs(pool_.at(protocol::thief_of(r)), now) || state(r) != protocol::request_state::resting;
    };
    awake_in_lobby lobby{pool_, now, self_.queued() == 0};
    return protocol::take_middle(self_.id(), range, seats(), lobby, may_take);
}

bool thread_medium::many_rest() const noexcept {
    const sync::lobby& lobby = pool_.exchange().lobby;
    const std::uint32_t others =
        lobby.count_between(0, protocol::request_of(self_.id())) +
        lobby.count_between(protocol::request_of(self_.id() + 1), protocol::request_of(pool_.size()));
    return protocol::are_many(others, pool_.size());
}

bool thread_medium::comes_from_loop() const noexcept { return self_.own_part().loops.were_left_last(self_.tasks_run()); }

bool thread_medium::nearly_all_rest() const noexcept {
    const protocol::request_id own = protocol::request_of(self_.id()), next = own + protocol::most_requests;
    const awake_in_lobby lobby{pool_, 0, false};
    return protocol::are_nearly_all(lobby.count_between(0, own) + lobby.count_between(next, lobby.end),
                                    lobby.count_awake(0, own) + lobby.count_awake(next, lobby.end));
}

protocol::cut thread_medium::cut_of(const splittable& s, protocol::request_id r, bool weighs) const noexcept {
    const auto state_of = [this](protocol::request_id other) { return state(other); };
    const auto is_other = [&, thief = protocol::thief_of(r)](protocol::request_id other) {
        const protocol::worker_id whom = protocol::thief_of(other);
        if (whom == thief || whom == self_.id()) return false;
        return !weighs ||
               (!pool_.at(whom).shared_part().attention.is_asleep() && state(other) == protocol::request_state::resting);
    };
    const auto asks = [&](const letter_node& l) {
        return protocol::asks_for_part(l.contents, self_.id(), !pool_.circulates(), state_of);
    };
    return strategy_of(pool_.tuned().split).of(s.left(), s.chunks, [&] {
        const std::uint32_t most =
            weighs ? s.times.most_askers(s.left(), self_.own_part().weighs.weight) : ~std::uint32_t{0};
        const std::uint32_t letters = self_.shared_part().letters.count_if(asks);
        if (divided_.all > 0) return protocol::askers_now::of(divided_, letters, most);
        return protocol::askers_now(std::min(1 + pool_.exchange().lobby.count_if(is_other) + letters, most));
    });
}

bool thread_medium::keeps_back(protocol::worker_id thief) noexcept {
    return threading::keeps_back(thread_host(self_), thief);
}

bool thread_medium::leaves_at_rest() noexcept { return threading::leaves_at_rest(thread_host(self_), *this); }

}  // namespace parley::inline v0::threading
