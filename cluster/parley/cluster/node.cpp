#include <parley/cluster/node.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace parley::inline v0::cluster {
namespace {

void write_summary(writer& w, const summary& s) { w(s.counts, s.failed, s.failed_rank, s.first_failure); }

summary read_summary(reader& r) {
    summary s;
    s.counts = r.get<statistics>();
    s.failed = r.get<std::uint64_t>();
    s.failed_rank = r.get<std::uint32_t>();
    s.first_failure = r.get<std::string>();
    return s;
}

void add(summary& sum, const summary& s) {
    add(sum.counts, s.counts);
    if (s.failed != 0 && (sum.failed == 0 || s.failed_rank < sum.failed_rank)) {
        sum.failed_rank = s.failed_rank;
        sum.first_failure = s.first_failure;
    }
    sum.failed += s.failed;
}

}  // namespace

node::node(const overlay& graph, const options& how, termination ends, const name& n, outbox& to, load& l)
    : relays_(how.relays),
      ends_(ends),
      load_(&l),
      out_(graph.self(), n.set_number, n.epoch, n.types, to),
      thief_(graph.neighbours(), how, out_),
      victim_(how, out_),
      router_(graph, how, out_),
      waves_(graph.parent(), graph.children(), graph.is_root(), out_) {}

void node::receive(const header& h, bytes payload) {
    out_.received(h);
    reader r(payload);
    switch (h.kind) {
        case message_kind::request: victim_.asked(h, *load_); break;
        case message_kind::tasks:
            out_.count.stolen += h.count;
            load_->take(h.count, r);
            thief_.answered_tasks(*load_);
            break;
        case message_kind::nothing: thief_.answered_nothing(); break;
        case message_kind::offer: thief_.offered(h); break;
        case message_kind::decline: victim_.declined(h); break;
        case message_kind::results: router_.received(r, *load_); break;
        case message_kind::wave: waves_.begin(h.wave); break;
        case message_kind::report: waves_.reported(h, std::move(payload)); break;
        case message_kind::finished: finish(); break;
        case message_kind::closed: close(std::move(payload)); break;
        default: throw malformed("parley: a message of an unknown kind from rank " + std::to_string(h.from));
    }
}

void node::advance() {
    if (stage_ == stage::closed) return;
    const std::size_t waiting = load_->waiting();
    const bool may_take = stage_ == stage::working && load_->is_attended() && load_->room() > 0;
    const bool is_idle = may_take && load_->free_workers() > waiting;
    // Results wait for company only while there is something else to do.
    router_.flush(waiting == 0 || !load_->is_attended());
    victim_.advance(*load_);
    const std::uint32_t starving = may_take && relays_ && waiting == 0 ? victim_.starving() : 0;
    thief_.advance({.is_idle = is_idle, .starving = starving}, *load_);
    advance_waves();
}

void node::send_result(position owner, std::uint64_t id, bool has_failed, std::span<const std::byte> data) {
    router_.add(owner, id, has_failed, data);
}

void node::failed(const std::string& why) {
    own_.failed_rank = out_.self();
    if (own_.failed++ == 0) own_.first_failure = "rank " + std::to_string(out_.self()) + ": " + why;
}

// While tasks are left: a rank that is passive (waves), or whose own tasks are all home (barrier). Afterwards: one whose
// request has been answered.
bool node::may_report() const {
    if (stage_ != stage::working) return !thief_.is_out();
    if (ends_ == termination::barrier) return load_->is_complete();
    return load_->waiting() == 0 && !load_->is_busy() && router_.empty();
}

void node::advance_waves() {
    if (waves_.is_root() && !waves_.is_open()) waves_.begin(waves_.number() + 1);
    if (!waves_.is_due() || !may_report()) return;
    const bool works = stage_ == stage::working;
    const std::uint64_t sent = works ? out_.work_sent() : out_.sent();
    const std::uint64_t received = works ? out_.work_received() : out_.received();
    if (!waves_.is_root()) {
        waves_.report(sent, received, works ? bytes{} : sum_up());
        return;
    }
    const bool nothing_moved = waves_.end(sent, received);
    if (works && (nothing_moved || ends_ == termination::barrier)) {
        waves_.tell(message_kind::finished);
        finish();
    } else if (!works && nothing_moved) {
        bytes said = sum_up();
        waves_.tell(message_kind::closed, said);
        close(std::move(said));
        return;
    }
    waves_.begin(waves_.number() + 1);
    // A tree of one rank has nobody whose report would call again.
    if (waves_.is_due()) advance_waves();
}

void node::finish() {
    if (!waves_.is_root()) waves_.tell(message_kind::finished);
    stage_ = stage::finished;
    waves_.forget();
    thief_.stop();
    victim_.stop();
}

bytes node::sum_up() {
    load_->begin_sum();
    summary sum = own_;
    sum.counts = out_.count;
    for (const bytes& child : waves_.said()) {
        reader r(child);
        add(sum, read_summary(r));
        load_->add(r);
    }
    bytes said;
    writer w(said);
    write_summary(w, sum);
    load_->write_sum(w);
    return said;
}

void node::close(bytes said) {
    if (stage_ == stage::closed) return;
    if (!waves_.is_root()) waves_.tell(message_kind::closed, said);
    if (said.empty()) {  // of a rank that was closed alone
        close_alone();
        return;
    }
    reader r(said);
    total_ = read_summary(r);
    load_->sum_of_all(r);
    last_words_ = std::move(said);
    stage_ = stage::closed;
}

void node::close_alone() {
    total_ = own_;
    total_.counts = out_.count;
    stage_ = stage::closed;
}

void node::inherit(const node& earlier) {
    own_ = earlier.own_;
    own_.failed_rank = out_.self();
    out_.count = earlier.out_.count;
    out_.count.seconds = 0.0;
}

}  // namespace parley::inline v0::cluster
