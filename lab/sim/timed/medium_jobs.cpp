// Jobs: what workers that are to go give up, and others take (protocol/jobs.hpp).
#include <lab/sim/timed/medium.hpp>
#include <parley/detail/protocol/jobs.hpp>

#include <cstdint>
#include <optional>

namespace parley::inline v0::sim::timed {

// Counted before it is sent: a task in a channel always is (I4).
void medium::submit(threading::task* job) {
    may_be_late();
    spend(spent::tasks, 2 * cost_.exchange + cost_.send_tasks);
    home_.write_line(self_, home_.jobs.line, spent::tasks);
    ++home_.jobs.sent;
    home_.jobs.waiting.push(job);
    protocol::relay_jobs(*this);
}

// A job may be older than what is in the deque, and what is there may wait for it: it is kept in hand then.
bool medium::take_job() {
    if (home_.is_to_go(self_.id) || self_.job != nullptr) return false;
    const std::optional<threading::task*> job = draw_job();
    if (!job) return false;
    if (self_.tasks.empty()) self_.tasks.push(*job);
    else self_.job = *job;
    self_.tasks.hold_all();
    return true;
}

bool medium::jobs_waiting() {
    if (home_.is_to_go(self_.id)) return false;
    home_.read_line(self_, home_.jobs.line, spent::requests);
    return !home_.jobs.waiting.empty();
}

std::uint64_t medium::jobs_sent() {
    home_.read_line(self_, home_.jobs.line, spent::requests);
    return home_.jobs.sent;
}

std::optional<threading::task*> medium::draw_job() {
    spend(spent::tasks, cost_.exchange);
    home_.write_line(self_, home_.jobs.line, spent::tasks);
    if (home_.jobs.waiting.empty()) return std::nullopt;
    return home_.jobs.waiting.take_front();
}

void medium::put_back_job(threading::task* job) {
    spend(spent::tasks, cost_.exchange);
    home_.write_line(self_, home_.jobs.line, spent::tasks);
    home_.jobs.waiting.push_front(job);
}

void medium::send_job(request_id r, threading::task* job) {
    const showing here(home_, self_, doing::giving, r);  // whoever hands it on: it is the request's answer
    at(r).answer = {job, 1};
    at(r).range = 0;
    spend(spent::tasks, cost_.send_tasks);
    touch(r, spent::tasks);
    at(r).victim = protocol::no_worker;
    at(r).answered = true;
    home_.stir(home_.at(protocol::thief_of(r)), self_.now);
}

}  // namespace parley::inline v0::sim::timed
