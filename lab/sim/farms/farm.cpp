// Emitter and collector of a virtual farm. The emitter does what farm/lane_farm.hpp does, one item at a turn; what
// chooses the lane is the real balancer.
#include <lab/sim/farms/cores.hpp>
#include <lab/sim/farms/report.hpp>
#include <parley/errors.hpp>
#include <parley/farm/lane_levels.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace parley::inline v0::sim::farms {

namespace {

class virtual_farm final : private lane_owner {
public:
    explicit virtual_farm(const setup& s)
        : setup_(s),
          places_(s.machine, first_core + s.cores),
          queue_(first_core + s.cores),
          cores_(s, *this, places_, queue_),
          balancer_(s.schedule.begin(s.lanes.size())),
          seen_(s.items, false),
          issued_(s.pool == 0 ? s.items : std::min(s.pool, s.items)) {
        if (s.tokens < s.schedule.least_tokens())
            throw usage_error("parley: this schedule needs " + std::to_string(s.schedule.least_tokens()) +
                              " tokens or more, not " + std::to_string(s.tokens));
        base::rng slow(s.seed * 4 + 2);
        for (std::uint32_t c = 0; c < s.cores; ++c)
            if (s.faults.slow_chance != 0 && slow.below(1U << 16) < s.faults.slow_chance)
                places_.slow_down(first_core + c, s.faults.slow_percent);
        queue_.set(emitter_place, 0);
    }

    report run() {
        while (!queue_.empty()) {
            if ((++report_.events & 0xfff) == 0 && setup_.stops && setup_.stops()) throw timed::stopped();
            const moment now = queue_.next();
            switch (const std::uint32_t who = queue_.take()) {
                case emitter_place: emit(now); break;
                case collector_place: take_result(now); break;
                default: cores_.turn(who - first_core, now);
            }
        }
        check_end();
        for (std::size_t i = 0; i < cores_.lanes(); ++i) report_.lanes.push_back(cores_.of(i));
        return std::move(report_);
    }

private:
    // --- the emitter ---

    // Items that the source has made and no lane has: as many as there are tokens for, or as wait in the pool.
    [[nodiscard]] std::uint64_t ready() const noexcept {
        return std::min(issued_ - given_, setup_.tokens - (given_ - back_));
    }

    void emit(moment now) {
        const moment before = now;
        for (const executed_fake& fake : std::exchange(fakes_back_, {})) {
            --fakes_out_;
            balancer_->fake_executed(fake.lane, fake.episode);
        }
        waits_for_level_ = waits_for_items_ = false;
        if (ready() == 0) {
            waits_for_items_ = true;
            return;
        }
        if (!held_for_) {
            held_for_ = choose(now);
            show(deed::choose, held_for_.value_or(0), given_, before, now);
            report_.emitter_busy += now - before;
            emitter_free_ = now;
            if (!held_for_) {
                waits_for_level_ = true;
                return;
            }
        }
        if (setup_.bound != 0 && cores_.level(*held_for_) >= setup_.bound) {
            waits_for_level_ = true;
            return;
        }
        const moment from = now;
        const std::size_t lane = *std::exchange(held_for_, std::nullopt);
        now = give_to(lane, now);
        show(deed::give, lane, given_ - 1, from, now);
        report_.emitter_busy += now - std::max(before, emitter_free_);
        emitter_free_ = now;
        queue_.set(emitter_place, now);
    }

    std::optional<std::size_t> choose(moment& now) {
        now += setup_.machine.turn;
        reading_ = now;
        const lane_levels levels(
            this,
            [](const void* me, std::size_t lane) {
                const auto& farm = *static_cast<const virtual_farm*>(me);
                farm.reading_ = farm.cores_.read_level(lane, farm.reading_);
                return farm.cores_.level(lane);
            },
            cores_.lanes(), ready());
        // As often as the real emitter asks (lane_farm::schedule_one).
        std::optional<std::size_t> chosen = balancer_->choose(levels);
        if (!chosen) chosen = balancer_->choose(levels);
        if (!chosen && fakes_out_ == 0 && no_lane_has_items()) {
            chosen = balancer_->choose(levels);
            if (!chosen) throw usage_error("parley: a scheduler chose no lane, though all of them are empty");
        }
        if (chosen && *chosen >= cores_.lanes())
            throw usage_error("parley: a scheduler chose lane " + std::to_string(*chosen) + " of " +
                              std::to_string(cores_.lanes()));
        now = reading_;
        return chosen;
    }

    [[nodiscard]] bool no_lane_has_items() const noexcept {
        for (std::size_t i = 0; i < cores_.lanes(); ++i)
            if (cores_.level(i) != 0) return false;
        return true;
    }

    moment give_to(std::size_t lane, moment now) {
        const std::uint64_t item = given_++;
        report_.under_way = std::max(report_.under_way, given_ - back_);
        if (setup_.faults.late_chance != 0 && draw_of(setup_, item, 3).below(1U << 16) < setup_.faults.late_chance)
            now += setup_.faults.late;
        now = cores_.give(lane, {.item = item}, now);
        if (const auto episode = balancer_->fake_to_send())
            for (std::size_t i = 0; i < cores_.lanes(); ++i) {
                ++fakes_out_;
                ++report_.fakes;
                now = cores_.give(i, {.episode = *episode}, now);
            }
        return now;
    }

    void wake_emitter(moment at) { queue_.set_if_earlier(emitter_place, std::max(at, emitter_free_)); }

    void fake_executed(std::size_t lane, std::uint64_t episode, moment at) override {
        fakes_back_.push_back({lane, episode});
        if (waits_for_level_) wake_emitter(at);
    }
    void level_sank(moment at) override {
        if (waits_for_level_) wake_emitter(at);
    }

    // --- the collector ---

    void collect(std::uint64_t item, moment at) override {
        results_.push_back({item, at});
        if (results_.size() == 1) queue_.set_if_earlier(collector_place, std::max(at, collector_free_));
    }

    void take_result(moment now) {
        const result next = results_.front();
        results_.pop_front();
        const moment from = now;
        now += setup_.machine.receive_tasks;
        collector_free_ = now;
        show(deed::collect, 0, next.item, from, now);
        if (seen_.at(next.item)) throw timed::broken_promise("an item came to the collector twice");
        seen_[next.item] = true;
        if (!setup_.ordered || setup_.pool != 0) come_through(next.item, now);
        else {
            early_.insert(next.item);
            if (early_.size() > setup_.tokens)
                throw timed::broken_promise("more results wait for their turn than there are tokens");
            while (!early_.empty() && *early_.begin() == report_.items) {
                come_through(*early_.begin(), now);
                early_.erase(early_.begin());
            }
        }
        if (!results_.empty()) queue_.set(collector_place, std::max(now, results_.front().at));
    }

    void come_through(std::uint64_t item, moment now) {
        report_.in_order = report_.in_order && item == report_.items;
        ++report_.items;
        ++back_;
        report_.took = now;
        if (setup_.pool != 0 && issued_ < setup_.items) ++issued_;
        if (waits_for_items_) wake_emitter(now);
    }

    void show(deed what, std::size_t lane, std::uint64_t number, moment from, moment to) const {
        if (setup_.seen_by != nullptr) setup_.seen_by->sees({what, static_cast<std::uint32_t>(lane), number, from, to});
    }

    // --- what is promised ---

    void check_end() const {
        using timed::broken_promise;
        if (report_.items != setup_.items)
            throw broken_promise("nothing can happen any more, and " + std::to_string(setup_.items - report_.items) +
                                 " items have not come through");
        if (setup_.ordered && setup_.pool == 0 && !report_.in_order) throw broken_promise("results are out of order");
        if (report_.under_way > setup_.tokens) throw broken_promise("more items were under way than there are tokens");
        if (!cores_.are_empty() || !early_.empty()) throw broken_promise("items are left after the end");
        std::uint64_t worked_on = 0, fakes = 0;
        for (std::size_t i = 0; i < cores_.lanes(); ++i) {
            worked_on += cores_.of(i).items;
            fakes += cores_.of(i).fakes;
            if (setup_.bound != 0 && cores_.of(i).highest > setup_.bound)
                throw broken_promise("a lane had more items than its bound");
        }
        if (worked_on != setup_.items) throw broken_promise("lanes have worked on " + std::to_string(worked_on) + " items");
        if (fakes != report_.fakes) throw broken_promise("a fake task was lost");
    }

    struct executed_fake {
        std::size_t lane;
        std::uint64_t episode;
    };
    struct result {
        std::uint64_t item;
        moment at;
    };

    const setup& setup_;
    timed::machine places_;
    timed::event_queue queue_;
    mutable cores cores_;  // reading a level moves its line
    std::unique_ptr<streaming::any_balancer> balancer_;
    std::vector<bool> seen_;  // by the collector
    std::uint64_t issued_;    // that the emitter may give: all, or those that have come into the pool
    std::uint64_t given_ = 0;
    std::uint64_t back_ = 0;  // whose tokens are
    std::optional<std::size_t> held_for_;
    bool waits_for_level_ = false, waits_for_items_ = false;
    moment emitter_free_ = 0, collector_free_ = 0;
    mutable moment reading_ = 0;
    std::vector<executed_fake> fakes_back_;  // of which the balancer has not been told
    std::size_t fakes_out_ = 0;
    std::deque<result> results_;  // on their way to the collector, or before it
    std::set<std::uint64_t> early_;
    report report_;
};

}  // namespace

report run(const setup& s) { return virtual_farm(s).run(); }

}  // namespace parley::inline v0::sim::farms
