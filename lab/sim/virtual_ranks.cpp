#include <lab/sim/rank_world.hpp>
#include <lab/sim/timed/report.hpp>
#include <lab/sim/virtual_rank.hpp>
#include <parley/detail/base/contract.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace parley::inline v0::sim {
namespace ranks {
namespace {

// Nobody runs a task, none has ended for so long: it never ends. In virtual seconds, and in longest ways of a message.
constexpr double patience = 100.0;
constexpr double patience_in_messages = 1000.0;
constexpr std::uint64_t events_between_stops = 4096;

}  // namespace

world::world(const virtual_work& w, const cluster::options& h, const network& n)
    : work(w),
      how(h),
      net(n),
      random_(w.seed),
      is_lost_(w.ranks, false),
      is_finished_(w.ranks, false),
      is_closed_(w.ranks, false),
      link_free_(w.ranks, 0.0),
      entry_free_(w.ranks, 0.0) {
    for (std::uint32_t r = 0; r < w.ranks; ++r) ranks_.push_back(std::make_unique<rank>(*this, r));
    for (const lost_rank& l : w.lost) push({.at = l.at, .rank = l.rank, .what = happening::loss});
}

world::~world() = default;

void world::deliver(std::uint32_t from, position place, letter l, double begins) {
    const std::uint32_t to = place_[place];
    // The time that its real bytes would take.
    std::size_t size = sizeof(header) + l.payload.size() + l.head.padding;
    if (l.head.kind == cluster::message_kind::results) size += l.head.count * work.result_bytes;
    double& link = link_free_[from];
    link = std::max(link, begins) + static_cast<double>(size) / net.bandwidth;
    // The receiver's link takes as long for it: several that send to one share it.
    double& entry = entry_free_[to];
    double at = entry = std::max(link + net.latency, entry + static_cast<double>(size) / net.bandwidth);
    // Else they come in the order of their entry, and no pair needs to be remembered.
    if (net.most_delay > 0 || net.connect > 0) {
        if (net.most_delay > 0) at += chance() * net.most_delay;
        auto [pair, is_new] = last_arrival_.try_emplace(std::uint64_t{std::min(from, to)} << 32 | std::max(from, to));
        if (is_new) at += net.connect;
        double& last = from < to ? pair->second.first : pair->second.second;
        last = at = std::max(at, last);
    }
    push({.at = at, .rank = to, .number = mail_.put(std::move(l)), .what = happening::arrival});
}

void world::start_epoch() {
    place_.clear();
    for (std::uint32_t r = 0; r < work.ranks; ++r)
        if (!is_lost_[r]) place_.push_back(r);
    is_finished_.assign(work.ranks, false);
    is_closed_.assign(work.ranks, false);
    finished_ = closed_ = 0;
    open = running = away = 0;
    if (place_.empty()) return;
    graphs_ = cluster::overlay::of_all({static_cast<position>(place_.size()), how.overlay});
    report.neighbours = 0;
    for (const cluster::overlay& g : graphs_) report.neighbours += g.neighbours().size();
    for (position p = 0; p < place_.size(); ++p) ranks_[place_[p]]->start(graphs_[p], epoch_);
    note_all();  // a rank without tasks, alone, is done at once
}

void world::lose(std::uint32_t rank) {
    if (is_lost_[rank]) return;
    is_lost_[rank] = true;
    ++epoch_;
    start_epoch();
}

void world::handle(const event& e) {
    if (e.what == happening::loss) return lose(e.rank);
    if (e.what == happening::arrival) {
        letter l = mail_.take(e.number);
        if (!is_lost_[e.rank]) ranks_[e.rank]->arrives(std::move(l));
    }
    if (is_lost_[e.rank]) return;
    if (e.what == happening::look) ranks_[e.rank]->looks(e.number);
    if (e.what == happening::task_end) ranks_[e.rank]->ends(e.number);
    if (e.what == happening::wake) ranks_[e.rank]->wakes(e.number);
    note(e.rank);
}

void world::note(std::uint32_t r) {
    const cluster::node& n = ranks_[r]->protocol();
    if (n.is_finished() && !is_finished_[r]) {
        is_finished_[r] = true;
        if (finished_++ == 0) report.announced = now_;
        if (open != 0 || away != 0) report.early = true;
        report.detected = now_;
    }
    if (n.is_closed() && !is_closed_[r]) {
        is_closed_[r] = true;
        ++closed_;
    }
}

void world::note_all() {
    std::ranges::for_each(place_, [this](std::uint32_t r) { note(r); });
}

bool world::has_time() const noexcept {
    const double slowest = net.latency + net.most_delay + net.connect + work.stall_seconds;
    return running > 0 || now_ - report.last_task < patience + patience_in_messages * slowest;
}

virtual_report world::run() {
    start_epoch();
    for (std::uint64_t i = 1; !queue_.empty() && closed_ < place_.size() && has_time(); ++i) {
        if (i % events_between_stops == 0 && work.stops && work.stops()) throw timed::stopped();
        const event e = queue_.top();
        queue_.pop();
        now_ = e.at;
        handle(e);
    }
    sum_up();
    return std::move(report);
}

void world::sum_up() {
    report.closed = now_;
    report.seconds = report.detected;
    report.ended = closed_ == place_.size();
    report.left_behind = !mail_.empty();
    for (std::uint32_t r = 0; r < work.ranks; ++r) {
        report.busy.push_back(ranks_[r]->busy());
        report.began.push_back(ranks_[r]->began());
        if (is_lost_[r]) continue;
        report.results_missing += ranks_[r]->missing();
        report.results_doubled += ranks_[r]->doubled();
    }
    if (!place_.empty()) report.total = ranks_[place_.front()]->protocol().total().counts;
}

}  // namespace ranks

virtual_report run_virtual(const virtual_work& w, const cluster::options& how, const network& net) {
    PARLEY_REQUIRE(w.ranks >= 1);
    PARLEY_REQUIRE(how.look_seconds > 0);
    return ranks::world(w, how, net).run();
}

}  // namespace parley::inline v0::sim
