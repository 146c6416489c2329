// A lane: a serial worker with a state of its own. Its items come one by one, in the order in which it gets them.
#pragma once

#include <parley/detail/sync/counter.hpp>
#include <parley/detail/sync/event_count.hpp>
#include <parley/detail/sync/flag.hpp>
#include <parley/detail/sync/mpsc.hpp>
#include <parley/detail/sync/turn.hpp>
#include <parley/farm/body.hpp>
#include <parley/farm/flow.hpp>
#include <parley/farm/parcel.hpp>
#include <parley/farm/round.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

namespace parley::inline v0::streaming {

// One item for a lane. If `episode` is set it is a fake task instead (paper, section II).
template <class In, class Out>
struct lane_order {
    lane_order* next = nullptr;
    std::optional<In> item;
    round_of<Out>* of = nullptr;
    std::size_t part = 0;
    std::uint64_t episode = 0;
    std::size_t lane = 0;
};

// Lanes tell this object what has happened.
template <class In, class Out>
class lane_owner {
public:
    // The fake has been executed, and belongs to the owner again.
    virtual void fake_executed(lane_order<In, Out>& fake) noexcept = 0;
    // The level of a lane has sunk.
    virtual void level_sank() noexcept = 0;
    // The last item of a parcel is done.
    virtual void collected(parcel& p, giver from) noexcept = 0;

protected:
    ~lane_owner() = default;
};

template <class In, class Out>
class lane {
public:
    using order = lane_order<In, Out>;

    lane(flow& f, lane_owner<In, Out>& owner) noexcept : flow_(f), owner_(owner) {}
    lane(const lane&) = delete;
    lane& operator=(const lane&) = delete;
    // Deletes fakes that nobody waits for any more.
    virtual ~lane() {
        while (order* const o = inbox_.receive()) delete o;
    }

    // For the owner, in its turn.
    void give(order& o) noexcept {
        if (o.item) ++given_;
        (void)inbox_.send(&o);
        look();
    }
    [[nodiscard]] std::size_t level() const noexcept { return static_cast<std::size_t>(given_ - done_.get()); }

protected:
    // Makes sure that somebody serves the inbox.
    virtual void look() noexcept = 0;
    virtual void work(In&& item, row<Out>& out) = 0;

    // Serves one order. One thread at a time may call it.
    bool serve_one(giver from) noexcept {
        std::unique_ptr<order> o(inbox_.receive());
        if (o == nullptr) return false;
        if (!o->item) {
            owner_.fake_executed(*o.release());
            return true;
        }
        if (!flow_.failed()) {
            try {
                work(std::move(*o->item), o->of->outputs[o->part]);
            } catch (...) {
                flow_.fail_with_current_exception();
            }
        }
        round_of<Out>& r = *o->of;
        o.reset();
        // seq_cst: pairs with the owner's `says that it waits; reads the levels`.
        done_.set(done_.own() + 1);
        owner_.level_sank();
        if (r.done()) owner_.collected(r.collect(flow_), from);
        return true;
    }

    flow& flow_;

private:
    lane_owner<In, Out>& owner_;
    sync::mpsc<order, &order::next> inbox_;
    std::uint64_t given_ = 0;                 // written by the owner
    sync::published<std::uint64_t> done_{0};  // written by the thread that serves the inbox
};

// A lane whose orders any worker serves.
template <class In, class Out, class F>
class pool_lane final : public lane<In, Out>, private errand {
public:
    pool_lane(flow& f, lane_owner<In, Out>& owner, F& body, batch_size& size) noexcept
        : lane<In, Out>(f, owner), body_(body), size_(size) {
        act = [](errand& e) noexcept { static_cast<pool_lane&>(e).serve(); };
    }

private:
    void look() noexcept override {
        if (turn_.call()) this->flow_.spawn(*this);
    }
    void serve() noexcept {
        do {
            while (this->serve_one(giver::goes_on)) this->flow_.look_up();
        } while (!turn_.leave());
    }
    void work(In&& item, row<Out>& out) override {
        measure(size_, 1, [&] { apply(body_, std::move(item), out); });
    }

    F& body_;
    batch_size& size_;
    sync::turn turn_;
};

// A lane with a thread of its own. The body may block as long as it likes: no worker waits with it. The thread sleeps
// while there are no orders.
//
// The thread counts as a task of the flow from the moment when it gets its turn until it has left it. Otherwise another
// thread could end the flow with the item that this one has just handed on. Then the node would be destroyed while this
// thread is still in it.
template <class In, class Out, class F>
class thread_lane final : public lane<In, Out> {
public:
    thread_lane(flow& f, lane_owner<In, Out>& owner, F& body)
        : lane<In, Out>(f, owner), body_(body), thread_([this] { serve(); }) {}
    ~thread_lane() override {
        over_.put_up();
        news_.notify();
        thread_.join();
    }

private:
    void look() noexcept override {
        if (!turn_.call()) return;
        this->flow_.thread_begins();
        has_turn_.put_up();
        news_.notify();
    }
    void serve() noexcept {
        while (!over_.is_up()) {
            if (has_turn_.lower()) {
                take_turn();
                continue;
            }
            const std::uint32_t ticket = news_.prepare();
            if (has_turn_.is_up() || over_.is_up()) news_.cancel();
            else news_.wait(ticket);
        }
    }
    void take_turn() noexcept {
        do {
            while (this->serve_one(giver::keeps_apart)) {  // other stages run on the pool, so they get tasks
            }
        } while (!turn_.leave());
        this->flow_.thread_ends();
    }
    void work(In&& item, row<Out>& out) override { apply(body_, std::move(item), out); }

    F& body_;
    sync::turn turn_;
    sync::event_count news_;
    sync::flag has_turn_;  // it has the turn and has not begun it
    sync::flag over_;
    std::thread thread_;  // the last member, because the thread uses all others
};

}  // namespace parley::inline v0::streaming
