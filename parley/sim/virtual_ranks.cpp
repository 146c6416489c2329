#include <parley/base/contract.hpp>
#include <parley/base/rng.hpp>
#include <parley/sim/virtual_ranks.hpp>

#include <algorithm>
#include <deque>
#include <optional>
#include <queue>
#include <unordered_map>
#include <utility>

namespace parley::inline v0::sim {
namespace {

using cluster::bytes;
using cluster::header;
using cluster::message_kind;
using cluster::position;
using cluster::reader;
using cluster::writer;

struct letter {
    header head;
    bytes payload;
};

enum class happening : std::uint8_t { arrival, look, task_end, wake, loss };

struct event {
    double at = 0.0;
    std::uint64_t order = 0;  // of those at the same time
    happening what = happening::look;
    std::uint32_t rank = 0;
    std::uint32_t number = 0;  // of the rank's task, or life: void if there is another one now
    std::shared_ptr<letter> mail = {};
    friend bool operator<(const event& a, const event& b) noexcept {
        return a.at != b.at ? a.at > b.at : a.order > b.order;
    }
};

class rank;

class world {
public:
    world(const virtual_work&, const cluster::options&, const network&);
    virtual_report run();

    void push(event e) {
        e.order = ++events_;
        queue_.push(std::move(e));
    }
    // From rank to rank, in places of the whole ring.
    void deliver(std::uint32_t from, std::uint32_t to, letter, double begins);

    [[nodiscard]] double now() const noexcept { return now_; }
    const virtual_work& work;
    const cluster::options& how;
    const network& net;
    base::rng random;
    virtual_report report;

private:
    void lose(std::uint32_t rank);
    void start_epoch();
    void handle(event&);

    double now_ = 0.0;
    std::uint64_t events_ = 0;
    std::priority_queue<event> queue_;
    std::vector<std::unique_ptr<rank>> ranks_;
    std::vector<bool> is_lost_;
    std::uint32_t epoch_ = 0;
    std::optional<cluster::overlay_graph> graph_;
    std::vector<std::uint32_t> place_;  // of those that live: position to rank
    std::uint64_t on_the_way_ = 0;
    std::vector<double> link_free_;   // when a rank's link has sent all
    std::vector<double> entry_free_;  // and received all
    std::unordered_map<std::uint64_t, std::pair<double, double>> last_arrival_;  // of each pair that talked, both ways
};

// One rank: what it holds, what it does, and when it looks at its messages.
class rank final : public cluster::load, public cluster::outbox {
public:
    rank(world& w, std::uint32_t self) : world_(w), self_(self), tasks_(w.work.tasks(self)) {
        done_.assign(tasks_.size(), 0);
        for (std::uint64_t id = 0; id < tasks_.size(); ++id) tasks_[id].id = id;
    }

    // A new life, among those that are left.
    void start(const cluster::overlay_graph& g, position at, std::uint32_t epoch, std::vector<std::uint32_t> place) {
        place_ = std::move(place);
        waiting_.clear();
        running_.reset();
        mail_.clear();
        asleep_until_ = 0.0;
        ++life_;
        ++number_;
        for (const virtual_task& t : tasks_)
            if (done_[t.id] == 0) {
                waiting_.push_back(t);
                waiting_.back().owner = at;
            }
        graph_.emplace(at, g);
        node_ = std::make_unique<cluster::node>(*graph_, world_.how, world_.how.ends, cluster::node::name{.epoch = epoch}, *this, *this);
        epoch_ = epoch;
        work();
    }
    void arrives(letter l) {
        if (l.head.epoch != epoch_) return;  // from before a loss: its owner does it again
        mail_.push_back(std::move(l));
        if (!running_ && world_.now() >= asleep_until_) look();
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
        world_.report.last_task = world_.now();
        if (world_.work.spawns) {
            std::vector<virtual_task> children;
            world_.work.spawns(t, children);
            waiting_.insert(waiting_.end(), children.begin(), children.end());
        } else if (t.owner == graph_->self()) {
            result_is_home(t.id);
        } else {
            ++node_->count().foreign;
            node_->send_result(t.owner, t.id, false, {});
        }
        if (static_cast<double>(world_.random.next() >> 11) * 0x1p-53 < world_.work.stall_chance) {
            asleep_until_ = world_.now() + world_.work.stall_seconds;
            world_.push({.at = asleep_until_, .what = happening::wake, .rank = self_, .number = life_});
            return;
        }
        look();
    }
    void looks(std::uint32_t number) {
        if (number != number_ || !running_) return;
        look();
        look_later();
    }
    void wakes(std::uint32_t life) {
        if (life == life_) look();
    }

    [[nodiscard]] const cluster::node& protocol() const { return *node_; }
    [[nodiscard]] double busy() const noexcept { return busy_; }
    [[nodiscard]] std::uint64_t missing() const {
        return world_.work.spawns ? 0 : static_cast<std::uint64_t>(std::ranges::count(done_, 0u));
    }
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
            const double begins = std::max(handling_, world_.now());
            ends_at_ = begins + running_->seconds;
            world_.push({.at = ends_at_, .what = happening::task_end, .rank = self_, .number = number_});
            look_later();
        }
        handling_ = std::max(handling_, world_.now());
        node_->advance();
    }
    // While a task runs, messages wait for the next look.
    void look_later() {
        const double at = world_.now() + world_.how.look_seconds;
        if (at < ends_at_) world_.push({.at = at, .what = happening::look, .rank = self_, .number = number_});
    }
    void result_is_home(std::uint64_t id) { ++done_[id]; }
    [[nodiscard]] bool is_neighbour(position p) const {
        return std::ranges::binary_search(graph_->neighbours(), p);
    }

    // --- cluster::outbox
    void send(position to, const header& h, bytes payload) override {
        handling_ += world_.net.handling;
        world_.deliver(self_, place_[to], {h, std::move(payload)}, handling_);
    }

    // --- cluster::load
    [[nodiscard]] bool is_attended() const override { return true; }
    [[nodiscard]] std::size_t waiting() const override { return waiting_.size(); }
    [[nodiscard]] std::size_t free_workers() const override { return running_ ? 0 : 1; }
    [[nodiscard]] bool is_busy() const override { return running_.has_value(); }
    [[nodiscard]] bool is_complete() const override { return std::ranges::find(done_, 0u) == done_.end(); }
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
    void result(std::uint64_t id, bool, reader&) override { result_is_home(id); }
    void begin_sum() override {}
    void add(reader&) override {}
    void write_sum(writer&) const override {}
    void sum_of_all(reader&) override {}

    world& world_;
    std::uint32_t self_;
    std::vector<virtual_task> tasks_;  // its own
    std::vector<std::uint32_t> done_;  // how often each one's result has come home
    std::deque<virtual_task> waiting_;
    std::optional<virtual_task> running_;
    double ends_at_ = 0.0;
    double handling_ = 0.0;  // until when it is busy with messages
    double asleep_until_ = 0.0;
    double busy_ = 0.0;
    std::deque<letter> mail_;
    std::uint32_t life_ = 0;    // one for each epoch
    std::uint32_t number_ = 0;  // of its task
    std::uint32_t epoch_ = 0;
    std::vector<std::uint32_t> place_;
    std::optional<cluster::overlay> graph_;
    std::unique_ptr<cluster::node> node_;
};

world::world(const virtual_work& w, const cluster::options& h, const network& n)
    : work(w), how(h), net(n), random(w.seed), is_lost_(w.ranks, false), link_free_(w.ranks, 0.0), entry_free_(w.ranks, 0.0) {
    for (std::uint32_t r = 0; r < w.ranks; ++r) ranks_.push_back(std::make_unique<rank>(*this, r));
    for (const lost_rank& l : w.lost) push({.at = l.at, .what = happening::loss, .rank = l.rank});
}

void world::deliver(std::uint32_t from, std::uint32_t to, letter l, double begins) {
    // The time that its real bytes would take.
    std::size_t size = sizeof(header) + l.payload.size() + l.head.padding;
    if (l.head.kind == message_kind::results) size += l.head.count * work.result_bytes;
    double& link = link_free_[from];
    link = std::max(link, begins) + static_cast<double>(size) / net.bandwidth;
    // The receiver's link takes as long for it: several that send to one share it.
    double& entry = entry_free_[to];
    double at = entry = std::max(link + net.latency, entry + static_cast<double>(size) / net.bandwidth);
    if (net.most_delay > 0) at += static_cast<double>(random.next() >> 11) * 0x1p-53 * net.most_delay;
    auto [pair, is_new] = last_arrival_.try_emplace(std::uint64_t{std::min(from, to)} << 32 | std::max(from, to));
    if (is_new) at += net.connect;
    double& last = from < to ? pair->second.first : pair->second.second;
    last = at = std::max(at, last);
    ++on_the_way_;
    push({.at = at, .what = happening::arrival, .rank = to, .mail = std::make_shared<letter>(std::move(l))});
}

void world::start_epoch() {
    place_.clear();
    for (std::uint32_t r = 0; r < work.ranks; ++r)
        if (!is_lost_[r]) place_.push_back(r);
    if (place_.empty()) return;
    graph_.emplace(static_cast<position>(place_.size()), how.overlay);
    for (position p = 0; p < place_.size(); ++p) ranks_[place_[p]]->start(*graph_, p, epoch_, place_);
}

void world::lose(std::uint32_t rank) {
    if (is_lost_[rank]) return;
    is_lost_[rank] = true;
    ++epoch_;
    start_epoch();
}

void world::handle(event& e) {
    if (e.what == happening::arrival) --on_the_way_;
    if (e.what != happening::loss && is_lost_[e.rank]) return;
    switch (e.what) {
        case happening::arrival: ranks_[e.rank]->arrives(std::move(*e.mail)); break;
        case happening::look: ranks_[e.rank]->looks(e.number); break;
        case happening::task_end: ranks_[e.rank]->ends(e.number); break;
        case happening::wake: ranks_[e.rank]->wakes(e.number); break;
        case happening::loss: lose(e.rank); break;
    }
}

virtual_report world::run() {
    for (std::uint32_t r = 0; r < work.ranks; ++r)
        for (const virtual_task& t : work.tasks(r)) report.work_seconds += t.seconds;
    start_epoch();
    std::vector<bool> is_finished(work.ranks, false);
    std::vector<bool> is_closed(work.ranks, false);
    std::size_t closed = 0;
    const auto note = [&](std::uint32_t r) {
        const cluster::node& n = ranks_[r]->protocol();
        if (n.is_finished() && !is_finished[r]) {
            is_finished[r] = true;
            report.detected = now_;
        }
        if (n.is_closed() && !is_closed[r]) {
            is_closed[r] = true;
            ++closed;
        }
    };
    const auto note_all = [&] { std::ranges::for_each(place_, note); };
    note_all();  // a rank without tasks, alone, is done at once
    while (!queue_.empty() && closed < place_.size()) {
        event e = queue_.top();
        queue_.pop();
        now_ = e.at;
        handle(e);
        if (e.what == happening::loss) {
            is_finished.assign(work.ranks, false);
            is_closed.assign(work.ranks, false);
            closed = 0;
            note_all();
        } else if (!is_lost_[e.rank]) {
            note(e.rank);
        }
    }
    report.closed = now_;
    report.seconds = report.detected;
    report.ended = closed == place_.size();
    report.left_behind = on_the_way_ != 0;
    for (std::uint32_t r = 0; r < work.ranks; ++r) {
        report.busy.push_back(ranks_[r]->busy());
        if (is_lost_[r]) continue;
        report.results_missing += ranks_[r]->missing();
        report.results_doubled += ranks_[r]->doubled();
    }
    if (!place_.empty()) report.total = ranks_[place_.front()]->protocol().total().counts;
    return std::move(report);
}

}  // namespace

virtual_report run_virtual(const virtual_work& w, const cluster::options& how, const network& net) {
    PARLEY_REQUIRE(w.ranks >= 1);
    return world(w, how, net).run();
}

}  // namespace parley::inline v0::sim
