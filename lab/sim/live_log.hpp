// What of a handler's log still matters. To go on, a handler is run again from its whole log; but
// how it goes on depends on less: a loop's earlier turns are over, and a word that was read is used
// up bit by bit. Two states that differ only in what is over go on alike, so an exploration takes
// them for one.
//
// This knows how protocol/worker.hpp and protocol/jobs.hpp are written. That it knows right is
// tested: with it and without it the same states must be found (tests/lab/sim/explorer_test.cpp).
#pragma once

#include <lab/sim/operation.hpp>
#include <lab/sim/scene.hpp>
#include <lab/sim/world.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace parley::inline v0::sim {

class live_log {
public:
    // Where the last turn begins.
    std::size_t begin(point at, const std::vector<entry>& log) {
        seen_ = 0;
        from_ = 0;
        idle_ = unchanged;
        closing_ = false;
        for (std::size_t i = 0; i < log.size(); ++i) look(at, log[i], i);
        return from_;
    }
    // The rest, as a log again: first what is remembered of what is over, then the last turn. A worker whose
    // strategies `remember` has learned something from the steals that are over.
    void make(point at, const std::vector<entry>& log, bool remember, std::vector<entry>& rest) {
        (void)begin(at, log);
        rest.clear();
        if (from_ == 0) {
            rest = log;
            return;
        }
        rest.push_back({operation::attention, seen_, idle_, {}});
        for (std::size_t i = 0; remember && i < from_; ++i)
            if (is_lesson(log[i].what)) rest.push_back(log[i]);
        rest.insert(rest.end(), log.begin() + static_cast<std::ptrdiff_t>(from_), log.end());
    }

private:
    static constexpr std::uint32_t unchanged = 2;

    static bool is_lesson(operation what) noexcept {
        return what == operation::send_tasks || what == operation::victim_of || what == operation::tasks_run;
    }

    void look(point at, const entry& e, std::size_t i) {
        switch (e.what) {
            case operation::publish_idle: idle_ = e.detail; break;
            case operation::attention:  // whether something had arrived
                seen_ = detail::low_word(e.result.x);
                closing_ = false;
                turn(i, seen_);
                if ((seen_ & (bits::mail | bits::tasks | bits::news)) == 0) turn(i + 1, seen_);
                break;
            case operation::lower: lowered(e.detail, i); break;
            case operation::receive_request:  // the letters before
                turn(e.result.yes ? i : i + 1, seen_ & (bits::jobs | bits::lobby | bits::scan | bits::message));
                // Behind the last letter of a mailbox that is being closed comes something else.
                if (at == point::falling_asleep || at == point::leaving || closing_) from_ = i;
                break;
            case operation::take_resting:  // the requests before
                if (at != point::relaying) turn(i, seen_ & (bits::scan | bits::message));
                break;
            case operation::jobs_waiting:
                turn(i, at == point::seeking || at == point::falling_asleep
                            ? 0
                            : seen_ & (bits::lobby | bits::scan | bits::message));
                break;
            case operation::close_mailbox:  // how the request came to rest, or home
                closing_ = true;
                [[fallthrough]];
            case operation::draw_job:
            case operation::prepare_to_sleep:  // the mailbox
                turn(i, 0);
                break;
            default: break;
        }
    }
    void lowered(bits::word b, std::size_t i) {
        if ((b & (bits::tasks | bits::news)) != 0 && (seen_ & bits::mail) == 0)
            turn(i + 1, seen_ & ~(bits::tasks | bits::news));
        if (b == bits::jobs) turn(i, seen_ & (bits::lobby | bits::scan | bits::message));
        if (b == bits::scan || b == bits::message) turn(i, 0);
    }
    void turn(std::size_t from, bits::word seen) {
        from_ = from;
        seen_ = seen;
    }

    std::size_t from_ = 0;
    bits::word seen_ = 0;
    bool closing_ = false;
    std::uint32_t idle_ = unchanged;  // what it published in what is over
};

}  // namespace parley::inline v0::sim
