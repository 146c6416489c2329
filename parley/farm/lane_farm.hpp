// A farm of lanes: an emitter that asks a scheduler which lane gets the next item.
#pragma once

#include <parley/detail/sync/counter.hpp>
#include <parley/detail/sync/mpsc.hpp>
#include <parley/detail/sync/turn.hpp>
#include <parley/errors.hpp>
#include <parley/farm/actor.hpp>
#include <parley/farm/flow.hpp>
#include <parley/farm/lane.hpp>
#include <parley/farm/lane_levels.hpp>
#include <parley/farm/parcel.hpp>
#include <parley/farm/round.hpp>
#include <parley/farm/schedule.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace parley::inline v0::streaming {

template <class In, class Out>
class lane_farm final : public inlet, public errand, private lane_owner<In, Out> {
public:
    using order = lane_order<In, Out>;

    lane_farm(flow& f, arrival order_of_parcels, inlet& after)
        : flow_(f), next_(after), inbox_(order_of_parcels, f.limits().parcels()) {
        act = [](errand& e) noexcept { static_cast<lane_farm&>(e).run(); };
    }
    ~lane_farm() {
        lanes_.clear();  // their threads use the other members
        while (order* const fake = fakes_.receive()) delete fake;
    }

    // Adds a lane that make(flow, owner) returns. Called before the source begins.
    template <class Make>
    void add_lane(Make make) {
        lanes_.push_back(make(flow_, static_cast<lane_owner<In, Out>&>(*this)));
    }
    void schedule_by(const any_schedule& s) { balancer_ = s.begin(lanes_.size()); }

    void accept(parcel& p, giver from) noexcept override {
        p.comes_back_to = nullptr;
        inbox_.put(p);
        if (!turn_.call()) return;
        if (from == giver::is_done) run();
        else flow_.spawn(*this);
    }

private:
    // A parcel whose items are being given to lanes, one after the other.
    struct open_parcel {
        parcel* p;
        round_of<Out>* r = nullptr;
        std::size_t next = 0;
        [[nodiscard]] row<In>& items() const noexcept { return static_cast<batch<In>&>(*p).items; }
    };

    void run() noexcept {
        do {
            take_in();
            try {
                while (const std::unique_ptr<order> fake{fakes_.receive()}) {
                    --fakes_out_;
                    balancer_->fake_executed(fake->lane, fake->episode);
                }
                while (!open_.empty() && !flow_.failed() && schedule_one()) {}
            } catch (...) {
                flow_.fail_with_current_exception();
            }
            if (flow_.failed()) let_go();
        } while (!turn_.leave());
    }

    void take_in() noexcept {
        while (parcel* const p = inbox_.take()) {
            try {
                if (!p->hollow && !static_cast<batch<In>&>(*p).items.empty()) {
                    open_.push_back({p});
                    ready_ += open_.back().items().size();
                    continue;
                }
            } catch (...) {
                flow_.fail_with_current_exception();
            }
            p->empty_out();
            next_.accept(*p, giver::keeps_apart);
        }
    }

    // False: no lane may have the next item now.
    bool schedule_one() {
        std::optional<std::size_t> chosen = balancer_->choose(levels());
        if (!chosen) {
            if (!waiting_.own()) waiting_.set(true);  // a lane whose level sinks from now on wakes this
            chosen = balancer_->choose(levels());
        }
        if (!chosen) {
            if (!nothing_is_under_way()) return false;
            chosen = balancer_->choose(levels());  // the last level may have sunk after the scheduler read it
            if (!chosen) throw usage_error("parley: a scheduler chose no lane, though all of them are empty");
        }
        if (waiting_.own()) waiting_.set(false);
        if (*chosen >= lanes_.size())
            throw usage_error("parley: a scheduler chose lane " + std::to_string(*chosen) + " of " +
                              std::to_string(lanes_.size()));
        give_to(*chosen);
        if (const auto episode = balancer_->fake_to_send()) send_fakes(*episode);
        return true;
    }

    // If it is true, no event will come that could change a scheduler's mind.
    [[nodiscard]] bool nothing_is_under_way() const noexcept {
        if (fakes_out_ != 0) return false;
        for (const auto& l : lanes_)
            if (l->level() != 0) return false;
        return true;
    }

    void give_to(std::size_t lane_number) {
        open_parcel& front = open_.front();
        const std::size_t parts = front.items().size();
        if (front.r == nullptr) front.r = new round_of<Out>(*front.p, parts);
        auto o = std::make_unique<order>();
        o->item.emplace(std::move(front.items()[front.next]));
        o->of = front.r;
        o->part = front.next;
        const bool was_last = ++front.next == parts;
        if (was_last) open_.pop_front();
        --ready_;
        lanes_[lane_number]->give(*o.release());
    }

    void send_fakes(std::uint64_t episode) {
        for (std::size_t i = 0; i < lanes_.size(); ++i) {
            auto fake = std::make_unique<order>();
            fake->episode = episode;
            fake->lane = i;
            ++fakes_out_;
            lanes_[i]->give(*fake.release());
        }
    }

    // After a failure: sends on, empty, what no lane has got.
    void let_go() noexcept {
        while (!open_.empty()) {
            const open_parcel front = open_.front();
            open_.pop_front();
            if (front.r == nullptr) {
                front.p->empty_out();
                next_.accept(*front.p, giver::keeps_apart);
                continue;
            }
            for (std::size_t left = front.items().size() - front.next; left > 0; --left)
                if (front.r->done()) collected(front.r->collect(flow_), giver::keeps_apart);
        }
        ready_ = 0;
    }

    [[nodiscard]] lane_levels levels() const noexcept {
        return {this,
                [](const void* me, std::size_t lane) { return static_cast<const lane_farm*>(me)->lanes_[lane]->level(); },
                lanes_.size(), ready_};
    }

    void fake_executed(order& fake) noexcept override {
        (void)fakes_.send(&fake);
        if (turn_.call()) run();
    }
    void level_sank() noexcept override {
        if (waiting_.get() && turn_.call()) run();
    }
    void collected(parcel& p, giver from) noexcept override { next_.accept(p, from); }

    flow& flow_;
    inlet& next_;
    inbox inbox_;
    sync::turn turn_;
    sync::mpsc<order, &order::next> fakes_;  // fakes that were executed
    sync::published<bool> waiting_{false};   // does it wait for a level to sink? See lane::serve_one()
    std::unique_ptr<any_balancer> balancer_;
    std::vector<std::unique_ptr<lane<In, Out>>> lanes_;
    std::deque<open_parcel> open_;
    std::size_t ready_ = 0;  // items in open_ that no lane has got
    std::size_t fakes_out_ = 0;
};

}  // namespace parley::inline v0::streaming
