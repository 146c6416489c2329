// The deque against a std::deque under random sequences of operations: three workers that fork and
// join, spawn, and give each other tasks.
#include <parley/detail/driver/deque.hpp>

#include <parley/detail/base/rng.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

namespace {

using parley::base::rng;
using parley::threading::block;
using parley::threading::deque;
using parley::threading::task;

constexpr std::size_t frames = 3000;  // the deepest recursion: three blocks

struct record : task {
    bool in_frame = true;  // reused by its frame, at the same address; else spawned
    bool away = false;     // given to another worker, not run yet
    bool held = false;     // pop() must leave it alone
    unsigned layer = 0;    // held at the same time as others with this number; 0: not held
};

// A message on its way to one worker, and what must be in it.
struct message {
    task* sent = nullptr;
    std::deque<record*> contents;
};

class worker {
public:
    // The record of each recursion depth has one address, as in a stack.
    void fork() {
        if (slots_.size() == frames) return;
        record* const r = &records_[slots_.size()];
        slots_.push_back(tested_.push(r));
        model_.push_back(r);
    }
    void join() {
        if (slots_.empty()) return;
        record* const r = &records_[slots_.size() - 1];
        const bool newest = is_newest(r);
        ASSERT_EQ(tested_.pop_if(r, slots_.back()), newest);
        if (newest) {
            newest_is_gone();
            r->away = false;
        } else if (r->away || buried(r)) {
            return;  // somebody else's now, or below spawned tasks: not joined yet
        }
        slots_.pop_back();
    }
    // Any record of the stack with its slot, gone or not: true exactly if it is the newest.
    void try_any(rng& random) {
        if (slots_.empty()) return;
        const std::size_t depth = random.below(static_cast<std::uint32_t>(slots_.size()));
        record* const r = &records_[depth];
        const bool newest = is_newest(r);
        if (random.below(2) == 0) {
            ASSERT_EQ(tested_.pop_if(r, slots_[depth]), newest);
        } else {
            ASSERT_EQ(tested_.pop_if_newest(r), newest);
        }
        if (!newest) return;
        newest_is_gone();
        slots_[depth] = tested_.push(r);
        model_.push_back(r);
    }
    void spawn() {
        if (free_.empty()) {
            owned_.push_back(std::make_unique<record>(record{{}, false, false, false, 0}));
            free_.push_back(owned_.back().get());
        }
        model_.push_back(free_.back());
        (void)tested_.push(free_.back());
        free_.pop_back();
    }
    void pop() {
        record* expected = model_.empty() || model_.back()->held ? nullptr : model_.back();
        task* const popped = tested_.pop();
        if (popped == nullptr && newer_may_be_held_) return;
        if (popped != nullptr && one_layer_may_be_several_ && !model_.empty()) expected = model_.back();
        ASSERT_EQ(popped, expected);
        if (expected == nullptr) return;
        model_.pop_back();
        ran(expected);
    }
    void hold_all() {
        tested_.hold_all();
        // What took a held one's place is of its layer for the deque.
        one_layer_may_be_several_ = one_layer_may_be_several_ || newer_may_be_held_;
        ++layers_;
        for (record* r : model_) {
            if (!r->held) r->layer = layers_;
            r->held = true;
        }
        newer_may_be_held_ = false;
    }
    // Of several layers the newest task alone, as far as the deque still knows that they are several.
    void let_go() {
        tested_.let_go();
        const bool several = std::any_of(model_.begin(), model_.end(),
                                         [&](const record* r) { return r->held && r->layer != model_.front()->layer; });
        one_layer_may_be_several_ = one_layer_may_be_several_ || newer_may_be_held_;
        newer_may_be_held_ = true;  // it may know of layers that are gone
        if (model_.empty()) return;
        if (several) {
            const auto newest = std::find_if(model_.rbegin(), model_.rend(), [](const record* r) { return r->held; });
            if (newest != model_.rend()) set_free(*newest);
            return;
        }
        for (record* r : model_) set_free(r);
    }
    void take_oldest() {
        if (model_.empty()) return;
        ASSERT_EQ(tested_.take_oldest(), model_.front());
        ran(model_.front());
        model_.pop_front();
    }
    message give_half() {
        message m;
        if (model_.empty()) return m;
        const std::size_t half = (model_.size() + 1) / 2;
        m.sent = tested_.take_half();
        const std::size_t given = model_.size() - tested_.size();
        EXPECT_GE(given, 1u);
        EXPECT_LE(given, std::min<std::size_t>(half, block::capacity));
        move_front(m, given);
        return m;
    }
    message give_one() {
        message m;
        if (model_.empty()) return m;
        m.sent = tested_.take_oldest();
        move_front(m, 1);
        EXPECT_EQ(m.sent, m.contents.front());
        return m;
    }
    void receive(const message& m) {
        tested_.receive(m.sent);
        model_ = m.contents;
        newer_may_be_held_ = false;
        one_layer_may_be_several_ = false;
    }
    void check() const {
        ASSERT_EQ(tested_.size(), model_.size());
        ASSERT_EQ(tested_.empty(), model_.empty());
        // Full implies that so many blocks' worth was pushed since the oldest task.
        ASSERT_FALSE(tested_.full(model_.size() / block::capacity + 3));
    }
    bool empty() const { return model_.empty(); }

private:
    bool is_newest(const record* r) const { return !model_.empty() && model_.back() == r; }
    bool buried(const record* r) const { return std::find(model_.begin(), model_.end(), r) != model_.end(); }
    void newest_is_gone() {
        newer_may_be_held_ = newer_may_be_held_ || model_.back()->held;
        set_free(model_.back());
        model_.pop_back();
    }
    void ran(record* r) {
        r->away = false;
        set_free(r);
        if (!r->in_frame) free_.push_back(r);
    }
    static void set_free(record* r) {
        r->held = false;
        r->layer = 0;
    }
    void move_front(message& m, std::size_t count) {
        // One layer alone: whoever gets them runs them on one stack.
        const unsigned layer = model_.front()->layer;
        for (std::size_t i = 1; i < count && !newer_may_be_held_ && !one_layer_may_be_several_; ++i)
            EXPECT_EQ(model_[i]->layer, layer);
        for (std::size_t i = 0; i < count; ++i) {
            m.contents.push_back(model_.front());
            model_.front()->away = true;
            set_free(model_.front());
            model_.pop_front();
        }
    }

    std::vector<record> records_{frames};
    std::vector<task**> slots_;  // of the frames that have forked and not joined
    std::deque<record*> model_;
    std::vector<record*> free_;
    std::vector<std::unique_ptr<record>> owned_;
    bool newer_may_be_held_ = false;  // see deque::hold_all()
    bool one_layer_may_be_several_ = false;
    unsigned layers_ = 0;
    deque tested_;
};

class three_workers {
public:
    explicit three_workers(std::uint64_t seed) : random_(seed) {
        for (int i = 0; i < 3; ++i) workers_.push_back(std::make_unique<worker>());
    }

    void run(int steps) {
        for (int i = 0; i < steps && !testing::Test::HasFatalFailure(); ++i) {
            if (i % 4000 == 0) growth_ = random_.below(3);
            worker& w = *workers_[random_.below(3)];
            step(w);
            w.check();
        }
        while (!on_its_way_.empty()) drain_and_deliver(*workers_[0]);  // or their blocks would leak
    }

private:
    void step(worker& w) {
        const std::uint32_t pushes = 20 + 20 * growth_;
        const std::uint32_t what = random_.below(100);
        if (what < pushes) burst(w, [](worker& self) { self.fork(); });
        else if (what < 70) burst(w, [](worker& self) { self.join(); });
        else if (what < 75) w.try_any(random_);
        else if (what < 79) w.spawn();
        else if (what < 80) w.hold_all();
        else if (what < 81) w.let_go();
        else if (what < 85) w.pop();
        else if (what < 87) w.take_oldest();
        else if (what < 93) post(w.give_half());
        else if (what < 96) post(w.give_one());
        else if (!on_its_way_.empty()) drain_and_deliver(w);
    }
    // Runs of the same kind reach the block boundaries.
    template <class Action>
    void burst(worker& w, Action action) {
        for (std::uint32_t n = random_.below(60); n > 0; --n) action(w);
    }
    void post(message m) {
        if (m.sent != nullptr) on_its_way_.push_back(std::move(m));
    }
    // A worker asks for tasks when it has none.
    void drain_and_deliver(worker& w) {
        w.let_go();
        while (!w.empty() && !testing::Test::HasFatalFailure()) {
            w.pop();
            w.let_go();
        }
        w.receive(on_its_way_.front());
        on_its_way_.pop_front();
    }

    rng random_;
    std::uint32_t growth_ = 0;
    std::deque<message> on_its_way_;
    std::vector<std::unique_ptr<worker>> workers_;
};

class DequeModel : public testing::TestWithParam<std::uint64_t> {};

TEST_P(DequeModel, BehavesAsAStdDeque) {
    three_workers world(GetParam());
    world.run(20'000);
}

INSTANTIATE_TEST_SUITE_P(Seeds, DequeModel, testing::Range<std::uint64_t>(1, 13));

}  // namespace
