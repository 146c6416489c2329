#include <broker/daemon/acceptor.hpp>

#include <broker/client/clock.hpp>
#include <broker/client/realtime_priority.hpp>
#include <broker/daemon/greeting.hpp>
#include <broker/daemon/startup_error.hpp>
#include <broker/daemon/unasked.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <fcntl.h>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <utility>
#include <variant>

namespace parley::inline v0::broker::service {
namespace {

constexpr std::uint64_t listening_key = 0, bell_key = 1;
constexpr nanoseconds patience = 1'000'000'000;
constexpr std::size_t most_guests = 128, most_observers = 32;
constexpr nanoseconds a_rest = 50'000'000;
constexpr int most_at_once = 32;           // accepted: others wait for this thread, too
constexpr std::size_t part_of_a_user = 4;  // where others' programs come in: no user has more than one in so many
constexpr std::string_view too_many = "too many programs";
constexpr std::string_view too_many_look = "too many look on already";

descriptor any_descriptor() { return descriptor(open("/dev/null", O_RDONLY | O_CLOEXEC)); }

}  // namespace

acceptor::acceptor(descriptor listening, const settings& how, mailboxes& mail)
    : how_(how),
      mail_(mail),
      listening_(std::move(listening)),
      epoll_(epoll_create1(EPOLL_CLOEXEC)),
      spare_(any_descriptor()),
      programs_at_(how.here.table->sections(), 0) {
    if (!epoll_ || mail_.acceptor.bell() < 0) throw startup_error("no descriptors left: " + system_says());
    // It may have been made by others.
    int listens = 0, type = 0;
    socklen_t size = sizeof listens;
    getsockopt(listening_.get(), SOL_SOCKET, SO_ACCEPTCONN, &listens, &size);
    getsockopt(listening_.get(), SOL_SOCKET, SO_TYPE, &type, &size);
    if (listens == 0 || type != SOCK_SEQPACKET) throw startup_error("what was given is no listening SOCK_SEQPACKET socket");
    fcntl(listening_.get(), F_SETFD, FD_CLOEXEC);
    fcntl(listening_.get(), F_SETFL, fcntl(listening_.get(), F_GETFL) | O_NONBLOCK);
    want_no_descriptors(listening_.get());
    watch(listening_.get(), listening_key, EPOLLIN, EPOLL_CTL_ADD);
    watch(mail_.acceptor.bell(), bell_key, EPOLLIN, EPOLL_CTL_ADD);
}

// The last close of a listening socket closes the connections that nobody has accepted. Of a socket that was given they
// are left to the next broker, unless this was the last descriptor.
acceptor::~acceptor() {
    if (how_.listening >= 0) {
        elsewhere_->close(std::move(listening_));
        return;
    }
    shutdown(listening_.get(), SHUT_RDWR);
    while (descriptor socket{accept4(listening_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC)})
        connection(std::move(socket), elsewhere_);
}

void acceptor::watch(int fd, std::uint64_t key, std::uint32_t events, int how) {
    epoll_event e{};
    e.events = events;
    e.data.u64 = key;
    epoll_ctl(epoll_.get(), how, fd, &e);
}

int acceptor::time_to_wait() const {
    const nanoseconds patience_ends = guests_.empty() ? never : guests_.begin()->second.patience;  // keys grow with time
    const nanoseconds first = std::min({patience_ends, next_picture(), rests_until_});
    if (first == never) return -1;
    const nanoseconds at = now();
    return first <= at ? 0 : static_cast<int>((first - at) / 1'000'000 + 1);
}

void acceptor::run() {
    use_realtime_priority();
    std::array<epoll_event, 64> ready{};
    for (;;) {
        const int n = epoll_wait(epoll_.get(), ready.data(), static_cast<int>(ready.size()), time_to_wait());
        for (int i = 0; i < n; ++i) {
            const epoll_event& e = ready[static_cast<std::size_t>(i)];
            if (e.data.u64 == bell_key) {
                if (!read_mail()) return;
            } else if (e.data.u64 == listening_key) {
                accept_some();
            } else if (guests_.contains(e.data.u64)) {
                on_guest(e.data.u64);
            } else if (observers_.contains(e.data.u64)) {
                on_observer(e.data.u64, e.events);
            }
        }
        go_on();
        send_away_the_silent();
        ask_sections_in_turn();
    }
}

bool acceptor::read_mail() {
    mail_.acceptor.hush();
    while (const std::unique_ptr<mail> m = mail_.acceptor.take()) {
        if (std::holds_alternative<halt>(m->what)) return false;
        if (const gone* const g = std::get_if<gone>(&m->what)) {
            --programs_;
            --programs_at_[g->home];
            if (--programs_of_[g->user] == 0) programs_of_.erase(g->user);
        }
        if (seen* const s = std::get_if<seen>(&m->what)) answer(std::move(*s));
    }
    return true;
}

// ---- Those of whom nothing is known yet.

// Those that are left wake this thread again.
void acceptor::accept_some() {
    for (int i = 0; i < most_at_once; ++i) {
        descriptor socket(accept4(listening_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
        if (!socket && (errno == EMFILE || errno == ENFILE)) return drop_one();
        if (!socket && (errno == ECONNABORTED || errno == EINTR)) continue;
        if (!socket) return;
        if (!spare_) spare_ = any_descriptor();
        auto link = std::make_shared<connection>(std::move(socket), elsewhere_);
        if (!identify(link->socket.get(), link->who, link->process)) continue;
        if (!how_.is_for_all && link->who.user != how_.own_user) {
            send_refusal(link->socket.get(), "this broker is another user's");
            continue;
        }
        make_room_for_guest(link->who.user);
        const std::uint64_t key = ++last_key_;
        watch(link->socket.get(), key, EPOLLIN | EPOLLRDHUP, EPOLL_CTL_ADD);
        ++guests_of_[link->who.user];
        guests_.emplace(key, guest{std::move(link), now() + patience});
    }
}

// Whoever connects much and says nothing loses its own: the oldest one of that user goes, else of who has most.
void acceptor::make_room_for_guest(user_id user) {
    const auto own = guests_of_.find(user);
    const bool has_its_part = !is_trusted(user) && own != guests_of_.end() && own->second >= most_guests / part_of_a_user;
    if (!has_its_part && guests_.size() < most_guests) return;
    const auto most = std::max_element(guests_of_.begin(), guests_of_.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    const user_id who = has_its_part ? user : most->first;
    forget_guest(
        std::find_if(guests_.begin(), guests_.end(), [&](const auto& entry) { return entry.second.link->who.user == who; }));
}

void acceptor::forget_guest(std::map<std::uint64_t, guest>::iterator g) {
    const auto of_user = guests_of_.find(g->second.link->who.user);
    if (--of_user->second == 0) guests_of_.erase(of_user);
    epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, g->second.link->socket.get(), nullptr);
    guests_.erase(g);
}

bool acceptor::is_trusted(user_id user) const noexcept { return user == 0 || user == how_.own_user; }

// Others do not take the places of the broker's own user.
bool acceptor::may_look_on(user_id user) const {
    std::size_t own = 0, alike = 0;
    for (const auto& [key, o] : observers_) {
        if (o.user() == user) ++own;
        if (is_trusted(o.user()) == is_trusted(user)) ++alike;
    }
    return alike < most_observers && (is_trusted(user) || own < most_observers / part_of_a_user);
}

// No descriptor is left. A connection that is not accepted would wake this thread for ever.
void acceptor::drop_one() {
    spare_.reset();
    if (descriptor socket(accept4(listening_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC)); socket)
        connection(std::move(socket), elsewhere_);
    spare_ = any_descriptor();
    if (!spare_) rest();
}

// Those whom it cannot even turn away would wake this thread without end.
void acceptor::rest() {
    epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, listening_.get(), nullptr);
    rests_until_ = now() + a_rest;
}

void acceptor::go_on() {
    if (rests_until_ > now()) return;
    rests_until_ = never;
    watch(listening_.get(), listening_key, EPOLLIN, EPOLL_CTL_ADD);
}

void acceptor::send_away_the_silent() {
    const nanoseconds at = now();
    while (!guests_.empty() && guests_.begin()->second.patience <= at) {
        send_refusal(guests_.begin()->second.link->socket.get(), "no hello came within a second");
        forget_guest(guests_.begin());
    }
}

void acceptor::on_guest(std::uint64_t key) {
    const std::shared_ptr<connection> link = guests_.at(key).link;
    receive_buffer buffer{};
    const packet_taken p = take_packet(link->socket.get(), buffer);
    if (p.size < 0 && (errno == EAGAIN || errno == EINTR)) return;
    forget_guest(guests_.find(key));
    if (p.has_descriptors) return send_refusal(link->socket.get(), no_descriptors);
    if (p.size <= 0) return;
    const auto said = read_greeting(buffer, static_cast<std::size_t>(p.size), how_.here);
    if (const std::string* const wrong = std::get_if<std::string>(&said)) {
        send_refusal(link->socket.get(), *wrong);
    } else if (const observe* const o = std::get_if<observe>(&said)) {
        if (!may_look_on(link->who.user)) return send_refusal(link->socket.get(), too_many_look);
        observers_.emplace(key, observer(link)).first->second.asks(o->events);
        watch(link->socket.get(), key, EPOLLIN | EPOLLRDHUP, EPOLL_CTL_ADD);
        asking_.push_back(key);
    } else {
        welcome_program(link, std::get<hello>(said));
    }
}

// ---- Programs.

void acceptor::welcome_program(std::shared_ptr<connection> link, const hello& h) {
    std::uint32_t& of_user = programs_of_[link->who.user];
    if (programs_ >= how_.programs || of_user >= how_.programs_per_user) {
        if (of_user == 0) programs_of_.erase(link->who.user);
        return send_refusal(link->socket.get(), too_many);
    }
    std::optional<page_pair> pages = make_pages();
    if (!pages) {
        if (of_user == 0) programs_of_.erase(link->who.user);
        return send_refusal(link->socket.get(), "the broker has no descriptors or memory left");
    }
    ++of_user;
    ++programs_;
    const ownership& table = *how_.here.table;
    const usable_cores usable(table.cores(), [&](core_id c) { return allows(h, how_.here.number[c]); });
    const section_id home = home_for(usable);
    ++programs_at_[home];
    const program_id id = ++last_program_;
    // Else users would outbid each other.
    const std::uint32_t weight = is_trusted(link->who.user) ? h.weight : 1;
    newcomer n{{id, link->who.user, weight, std::min(h.most, usable.count(table.cores())), usable}, link, nullptr};
    // A tree may take long to look at, which is nothing for the thread that lets programs in.
    const auto ran = h.is_led != 0 ? std::nullopt : how_.ran(link->who.pid, link->process.get());
    n.program =
        std::make_unique<joined_program>(id, h, std::move(link), std::move(*pages), ran, room_of(n.link->who.pid), now());
    mail_.sections[home]->post(std::move(n));
}

std::shared_ptr<process_room> acceptor::room_of(pid_t process) {
    const auto make = [this] { return std::make_shared<process_room>(how_.ran, how_.ran_in_tree); };
    if (process <= 0) return make();  // of another namespace: any of them
    std::erase_if(rooms_, [](const auto& entry) { return entry.second.expired(); });
    std::shared_ptr<process_room> room = rooms_[process].lock();
    if (!room) rooms_[process] = room = make();
    return room;
}

// Where it may use most cores; of equals, where the fewest programs began.
section_id acceptor::home_for(const usable_cores& usable) const {
    const ownership& table = *how_.here.table;
    section_id best = 0;
    std::ptrdiff_t most = -1;
    for (section_id s = 0; s < table.sections(); ++s) {
        const std::span<const core_id> cores = table.cores_of(s);
        const auto n = std::count_if(cores.begin(), cores.end(), [&](core_id c) { return usable.has(c); });
        if (n < most || (n == most && programs_at_[s] >= programs_at_[best])) continue;
        best = s;
        most = n;
    }
    return best;
}

}  // namespace parley::inline v0::broker::service
