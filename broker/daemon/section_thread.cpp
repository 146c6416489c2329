#include <broker/daemon/section_thread.hpp>

#include <broker/client/clock.hpp>
#include <broker/client/realtime_priority.hpp>
#include <broker/daemon/startup_error.hpp>
#include <broker/daemon/unasked.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <utility>
#include <variant>
#include <vector>

namespace parley::inline v0::broker::service {
namespace {

// What an event is about: a program's number, and in the lowest bits of what.
enum key_kind : std::uint64_t { bell = 0, timer = 1, socket_of = 2, process_of = 3 };
constexpr std::uint64_t key_of(key_kind kind, program_id p = 0) noexcept { return p << 2 | kind; }

// The next moment that is a multiple of `step`: all sections' quanta end together, so that who gets a program in
// between has few of them cut.
nanoseconds next_multiple(nanoseconds at, nanoseconds step) noexcept { return (at / step + 1) * step; }

}  // namespace

section_thread::section_thread(section_id self, const settings& how, mailboxes& mail)
    : how_(how),
      mail_(mail),
      state_(self, how.here.table, how.how),
      epoll_(epoll_create1(EPOLL_CLOEXEC)),
      timer_(timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC)) {
    if (!epoll_ || !timer_ || mail_.sections[self]->bell() < 0) throw startup_error("no descriptors left: " + system_says());
    watch(mail_.sections[self]->bell(), key_of(bell), EPOLLIN);
    watch(timer_.get(), key_of(timer), EPOLLIN);
    last_quantum_ = now();
    next_sample_ = next_multiple(last_quantum_, how_.steps.sample);
    next_quantum_ = next_multiple(last_quantum_, how_.steps.quantum);
    set_timer();
}

void section_thread::watch(int fd, std::uint64_t key, std::uint32_t events) {
    epoll_event e{};
    e.events = events;
    e.data.u64 = key;
    epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &e);
}

void section_thread::set_timer() {
    nanoseconds next = std::min(next_sample_, next_quantum_);
    if (retry_at_ != 0) next = std::min(next, retry_at_);
    itimerspec at{};
    at.it_value.tv_sec = static_cast<time_t>(next / 1'000'000'000);
    at.it_value.tv_nsec = static_cast<long>(next % 1'000'000'000);
    timerfd_settime(timer_.get(), TFD_TIMER_ABSTIME, &at, nullptr);
}

void section_thread::run() {
    use_realtime_priority();
    std::array<epoll_event, 64> ready{};
    for (;;) {
        const int n = epoll_wait(epoll_.get(), ready.data(), static_cast<int>(ready.size()), -1);
        for (int i = 0; i < n; ++i) {
            const std::uint64_t key = ready[static_cast<std::size_t>(i)].data.u64;
            if (key != key_of(bell)) on_event(key);
            else if (!read_mail()) return;
        }
        allot_again_if_due();
        rewrite_pages();
    }
}

void section_thread::on_event(std::uint64_t key) {
    if (key == key_of(timer)) return on_timer();
    const program_id p = key >> 2;
    const auto found = home_.find(p);
    if (found == home_.end()) return;  // ended by what came before it
    if ((key & 3) == process_of) return depart(p, {});
    // It has nothing to say any more but that it goes.
    bye b;
    const packet_taken said = take_packet(found->second.link->socket.get(), std::as_writable_bytes(std::span(&b, 1)));
    if (said.size < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (said.has_descriptors) return depart(p, no_descriptors);
    const bool is_bye = said.size == sizeof b && b.head.magic == packet_magic && b.head.version == packet_version &&
                        b.head.type == packet_type::bye;
    depart(p, said.size <= 0 || is_bye ? "" : "not a packet that a program sends after its hello");
}

void section_thread::on_timer() {
    std::uint64_t expired = 0;
    if (read(timer_.get(), &expired, sizeof expired) < 0) return;
    const nanoseconds at = now();
    if (at >= next_sample_) {
        look_after_programs(at);
        next_sample_ = next_multiple(at, how_.steps.sample);
    }
    if (at >= next_quantum_) {
        end_quantum(at);
        next_quantum_ = next_multiple(at, how_.steps.quantum);
    }
    if (retry_at_ != 0 && at >= retry_at_) allot_again_ = true;
    set_timer();
}

bool section_thread::read_mail() {
    mailbox& own = *mail_.sections[state_.known().self];
    own.hush();
    while (const std::unique_ptr<mail> m = own.take()) {
        if (std::holds_alternative<halt>(m->what)) return false;
        if (auto* const n = std::get_if<newcomer>(&m->what)) handle(std::move(*n));
        if (auto* const b = std::get_if<between_sections>(&m->what)) handle(std::move(*b));
        if (auto* const l = std::get_if<look_around>(&m->what)) handle(*l);
    }
    return true;
}

bool section_thread::settle() {
    const bool had_mail = mail_.sections[state_.known().self]->has_mail();
    read_mail();
    return had_mail;
}

void section_thread::handle(newcomer n) {
    const program_id p = n.how.program;
    home_.emplace(p, resident{n.link, n.how.user});
    led_.emplace(p, std::move(n.program));
    feed(n.how);
    // Level-triggered: what has happened to it meanwhile is heard now.
    watch(n.link->socket.get(), key_of(socket_of, p), EPOLLIN | EPOLLRDHUP);
    if (n.link->process) watch(n.link->process.get(), key_of(process_of, p), EPOLLIN);
}

void section_thread::handle(between_sections b) {
    const handover* const h = std::get_if<handover>(&b.what.what);
    if (h != nullptr && b.with) led_[h->state.row.program] = std::move(b.with);
    feed(std::move(b.what));
}

void section_thread::depart(program_id p, std::string_view why) {
    const auto found = home_.find(p);
    const resident r = std::move(found->second);
    home_.erase(found);
    epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, r.link->socket.get(), nullptr);
    if (r.link->process) epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, r.link->process.get(), nullptr);
    if (!why.empty()) send_refusal(r.link->socket.get(), why);
    // Its leader may have the socket a moment longer.
    shutdown(r.link->socket.get(), SHUT_RDWR);
    feed(leaving{p});
    mail_.acceptor.post(gone{state_.known().self, r.user});
}

void section_thread::allot_again_if_due() {
    if (std::exchange(allot_again_, false)) feed(quantum{});
    allot_again_ = false;
    const bool lacks = somebody_lacks_cores();
    if (lacks && (retry_after_ == 0 || (retry_at_ != 0 && now() >= retry_at_))) retry_later();
    if (lacks || retry_after_ == 0) return;
    retry_at_ = retry_after_ = 0;
    set_timer();
}

// Who asks while others come and go may be refused by sections that do not know yet what is whose share. The quantum's
// end mends that, but may be seconds away: sooner, then, and less and less often. Who lacks them still after a quantum
// shares cores because there are too few: its end is enough.
bool section_thread::somebody_lacks_cores() const {
    const knowledge& known = state_.known();
    return std::any_of(known.led.begin(), known.led.end(),
                       [&](const auto& entry) { return !entry.second.asked && how_.how->lacks(entry.second, known) > 0; });
}

void section_thread::retry_later() {
    constexpr nanoseconds at_first = 2'000'000;
    const nanoseconds longest = std::max(how_.steps.quantum, at_first);
    const bool is_in_vain = retry_after_ >= longest;
    retry_after_ = std::min(std::max(retry_after_ * 2, at_first), longest);
    retry_at_ = is_in_vain ? 0 : now() + retry_after_;
    set_timer();
}

// Of those of one user who has waited longest goes first: there may not be time for all.
std::vector<joined_program*> section_thread::by_turn() const {
    std::vector<joined_program*> all;
    for (const auto& [p, program] : led_) all.push_back(program.get());
    std::stable_sort(all.begin(), all.end(), [](const auto* a, const auto* b) { return a->last_turn() < b->last_turn(); });
    return all;
}

void section_thread::look_after_programs(nanoseconds at) {
    std::erase_if(ended_, [&](const auto& p) { return p->gives_back(at, &budget_of(*p)); });
    for (joined_program* const program : by_turn()) {
        const program_id p = program->id();
        const follow f = program->look(how_.steps, at, budget_of(*program));
        if (f == follow::moved_now) remember({at, event_kind::moved, {}, p, 0});
        if (f == follow::freed_now) remember({at, event_kind::freed, {}, p, 0});
        if (f == follow::cannot && stuck_.insert(p).second) remember({at, event_kind::could_not_be_moved, {}, p, 0});
    }
}

// Those that have ended.
void section_thread::let_go() {
    for (auto i = led_.begin(); i != led_.end();) {
        if (state_.leads(i->first)) {
            ++i;
            continue;
        }
        std::unique_ptr<joined_program> p = std::move(i->second);
        i = led_.erase(i);
        const nanoseconds at = now();
        if (p) p->end(at);
        if (p && !p->gives_back(at, &budget_of(*p))) ended_.push_back(std::move(p));
    }
}

void section_thread::end_quantum(nanoseconds at) {
    quantum q{.length = at - last_quantum_, .samples = {}};
    last_quantum_ = at;
    for (joined_program* const program : by_turn())
        if (auto use = program->take(how_.here, how_.steps, q.length, at, budget_of(*program)))
            q.samples.push_back({program->id(), std::move(*use), program->is_asleep()});
    std::sort(q.samples.begin(), q.samples.end(), [](const auto& a, const auto& b) { return a.program < b.program; });
    allot_again_ = false;
    if (!led_.empty()) feed(std::move(q));  // else there is nothing to decide
}

}  // namespace parley::inline v0::broker::service
