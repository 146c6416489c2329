// One rank in virtual time: the cluster's own node, what it holds, and when it looks at its messages.
#pragma once

#include <lab/sim/rank_world.hpp>
#include <parley/cluster/node.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace parley::inline v0::sim::ranks {

using cluster::bytes;
using cluster::header;
using cluster::position;
using cluster::reader;
using cluster::writer;

class rank final : public cluster::load, public cluster::outbox {
public:
    rank(world& w, std::uint32_t self) : world_(w), self_(self), tasks_(w.work.tasks(self)), left_(tasks_.size()) {
        done_.assign(tasks_.size(), 0);
        for (std::uint64_t id = 0; id < tasks_.size(); ++id) {
            tasks_[id].id = id;
            world_.report.work_seconds += tasks_[id].seconds;
        }
    }

    // A new life, among those that are left.
    void start(const cluster::overlay& graph, std::uint32_t epoch) {
        waiting_.clear();
        running_.reset();
        mail_.clear();
        asleep_until_ = 0.0;
        ++life_;
        ++number_;
        for (const virtual_task& t : tasks_)
            if (done_[t.id] == 0) {
                waiting_.push_back(t);
                waiting_.back().owner = graph.self();
            }
        world_.open += waiting_.size();
        graph_ = &graph;
        node_ = std::make_unique<cluster::node>(*graph_, world_.how, world_.how.ends, cluster::node::name{.epoch = epoch},
                                                *this, *this);
        epoch_ = epoch;
        work();
    }
    void arrives(letter l) {
        if (l.head.epoch != epoch_) return;  // from before a loss: its owner does it again
        mail_.push_back(std::move(l));
        if (running_) look_later();
        else if (world_.now() >= asleep_until_) look();
    }
    void look() {
        handling_ = world_.now();
        while (!mail_.empty()) {
            letter l = std::move(mail_.front());
            mail_.pop_front();
            handling_ += world_.net.handling;
            if (l.head.from < graph_->ranks() && !is_neighbour(l.head.from)) ++world_.report.beyond_overlay;
            node_->receive(l.head, std::move(l.payload));
            node_->advance();
        }
        work();
    }
    void ends(std::uint32_t number) {
        if (number != number_) return;
        const virtual_task t = *running_;
        running_.reset();
        busy_ += t.seconds;
        ++node_->count().tasks;
        ++world_.report.tasks_run;
        --world_.running;
        --world_.open;
        world_.report.last_task = world_.now();
        if (world_.work.spawns) {
            std::vector<virtual_task> children;
            world_.work.spawns(t, children);
            waiting_.insert(waiting_.end(), children.begin(), children.end());
            world_.open += children.size();
            for (const virtual_task& c : children) world_.report.work_seconds += c.seconds;
        } else if (t.owner == graph_->self()) {
            result_is_home(t.id);
        } else {
            ++node_->count().foreign;
            ++world_.away;
            node_->send_result(t.owner, t.id, false, {});
        }
        if (world_.chance() < world_.work.stall_chance) {
            asleep_until_ = world_.now() + world_.work.stall_seconds;
            world_.push({.at = asleep_until_, .rank = self_, .number = life_, .what = happening::wake});
            return;
        }
        look();
    }
    void looks(std::uint32_t number) {
        if (number != number_ || !running_) return;
        will_look_ = false;
        look();
    }
    void wakes(std::uint32_t life) {
        if (life == life_) look();
    }

    [[nodiscard]] const cluster::node& protocol() const { return *node_; }
    [[nodiscard]] double busy() const noexcept { return busy_; }
    [[nodiscard]] double began() const noexcept { return began_; }
    [[nodiscard]] std::uint64_t missing() const { return world_.work.spawns ? 0 : left_; }
    [[nodiscard]] std::uint64_t doubled() const {
        std::uint64_t n = 0;
        for (const std::uint32_t d : done_) n += d > 1 ? 1 : 0;
        return n;
    }

private:
    // Begins a task, or asks for one.
    void work() {
        if (!running_ && !waiting_.empty()) {
            running_ = waiting_.front();
            waiting_.pop_front();
            ++number_;
            ++world_.running;
            looks_from_ = world_.now();
            will_look_ = false;
            const double begins = std::max(handling_, world_.now());
            began_ = std::min(began_, begins);
            ends_at_ = begins + running_->seconds;
            world_.push({.at = ends_at_, .rank = self_, .number = number_, .what = happening::task_end});
        }
        handling_ = std::max(handling_, world_.now());
        node_->advance();
    }
    // While a task runs, messages wait for the next look. Where there are none it changes nothing, and is left out.
    void look_later() {
        if (will_look_) return;
        const double each = world_.how.look_seconds;
        const double at = looks_from_ + each * (std::floor((world_.now() - looks_from_) / each) + 1);
        if (at >= ends_at_) return;
        will_look_ = true;
        world_.push({.at = std::max(at, world_.now()), .rank = self_, .number = number_, .what = happening::look});
    }
    void result_is_home(std::uint64_t id) {
        if (done_[id]++ == 0) --left_;
    }
    [[nodiscard]] bool is_neighbour(position p) const { return std::ranges::binary_search(graph_->neighbours(), p); }

    // --- cluster::outbox
    void send(position to, const header& h, bytes payload) override {
        handling_ += world_.net.handling;
        world_.deliver(self_, to, {h, std::move(payload)}, handling_);
    }

    // --- cluster::load
    [[nodiscard]] bool is_attended() const override { return true; }
    [[nodiscard]] std::size_t waiting() const override { return waiting_.size(); }
    [[nodiscard]] std::size_t free_workers() const override { return running_ ? 0 : 1; }
    [[nodiscard]] bool is_busy() const override { return running_.has_value(); }
    [[nodiscard]] bool is_complete() const override { return left_ == 0; }
    [[nodiscard]] std::size_t room() const override { return world_.how.held_bytes; }
    [[nodiscard]] std::uint64_t tasks_run() const override { return node_ ? node_->count().tasks : 0; }
    std::uint32_t give(std::uint32_t count, std::size_t size, writer& w) override {
        const std::size_t fit = std::max<std::size_t>(1, size / std::max<std::size_t>(1, world_.work.task_bytes));
        const auto n = static_cast<std::uint32_t>(std::min<std::size_t>({count, fit, waiting_.size()}));
        for (std::uint32_t i = 0; i < n; ++i) {
            // What has been spawned first is nearest to the root: most is behind it.
            const bool oldest = static_cast<bool>(world_.work.spawns);
            w(oldest ? waiting_.front() : waiting_.back());
            if (world_.work.task_bytes > sizeof(virtual_task)) w.pad(world_.work.task_bytes - sizeof(virtual_task));
            if (oldest) waiting_.pop_front();
            else waiting_.pop_back();
        }
        return n;
    }
    void take(std::uint32_t count, reader& r) override {
        for (std::uint32_t i = 0; i < count; ++i) waiting_.push_back(r.get<virtual_task>());
    }
    void result(std::uint64_t id, bool, reader&) override {
        --world_.away;
        result_is_home(id);
    }
    void begin_sum() override {}
    void add(reader&) override {}
    void write_sum(writer&) const override {}
    void sum_of_all(reader&) override {}

    world& world_;
    std::uint32_t self_;
    std::vector<virtual_task> tasks_;  // its own
    std::uint64_t left_;               // of them, whose results are not home
    std::vector<std::uint32_t> done_;  // how often each one's result has come home
    std::deque<virtual_task> waiting_;
    std::optional<virtual_task> running_;
    double looks_from_ = 0.0;  // when it began
    double ends_at_ = 0.0;
    bool will_look_ = false;  // before it ends: that has been pushed
    double handling_ = 0.0;   // until when it is busy with messages
    double asleep_until_ = 0.0;
    double busy_ = 0.0;
    double began_ = std::numeric_limits<double>::infinity();
    std::deque<letter> mail_;
    std::uint32_t life_ = 0;    // one for each epoch
    std::uint32_t number_ = 0;  // of its task
    std::uint32_t epoch_ = 0;
    const cluster::overlay* graph_ = nullptr;
    std::unique_ptr<cluster::node> node_;
};

}  // namespace parley::inline v0::sim::ranks
