// Those who look on: when they get pictures, and what goes into one.
#include <parley/broker/service/door.hpp>

#include <parley/broker/clock.hpp>
#include <parley/broker/service/greeting.hpp>

#include <algorithm>
#include <cerrno>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <utility>

namespace parley::inline v0::broker::service {

void door::on_observer(std::uint64_t key, std::uint32_t events) {
    observer& who = observers_.at(key);
    if ((events & EPOLLOUT) != 0 && !who.send_on())
        watch(who.socket(), key, EPOLLIN | EPOLLRDHUP, EPOLL_CTL_MOD);
    if ((events & ~std::uint32_t{EPOLLOUT}) == 0) return;
    receive_buffer buffer{};
    const ssize_t size = recv(who.socket(), buffer.data(), buffer.size(), MSG_DONTWAIT | MSG_TRUNC);
    if (size < 0 && (errno == EAGAIN || errno == EINTR)) return;
    std::string_view why;
    if (size > 0) {
        const auto said = read_greeting(buffer, static_cast<std::size_t>(size), how_.here);
        const observe* const o = std::get_if<observe>(&said);
        if (o == nullptr)
            why = "not a packet that an observer sends";
        else if (who.is_waiting())
            why = "asks faster than it is answered";
        else {
            who.asks(o->events);
            asking_.push_back(key);
            return;
        }
        send_refusal(who.socket(), why);
    }
    observers_.erase(key);
}

// When the first one of those who ask may have a picture.
nanoseconds door::next_picture() const {
    nanoseconds first = never;
    for (const std::uint64_t key : asking_) {
        const auto o = observers_.find(key);
        const auto rate = o == observers_.end() ? pictures_of_.end() : pictures_of_.find(o->second.user());
        first = std::min(first, rate == pictures_of_.end() ? 0 : rate->second.next(0));
    }
    return first;
}

// A picture is much work for all. Whose user has had its part already has to wait.
void door::ask_sections_in_turn() {
    if (asking_.empty()) return;
    const nanoseconds at = now();
    std::erase_if(asking_, [&](std::uint64_t key) {
        const auto o = observers_.find(key);
        if (o == observers_.end()) return true;
        picture_rate& rate = pictures_of_[o->second.user()];
        if (rate.next(at) > at) return false;
        rate.take(at);
        o->second.begin(how_.here.table->sections());
        for (const std::unique_ptr<mailbox>& section : mail_.sections) section->post(look_around{key});
        return true;
    });
    std::erase_if(pictures_of_, [at](const auto& entry) { return entry.second.is_as_new(at); });
}

void door::answer(seen s) {
    const auto found = observers_.find(s.observer);
    if (found == observers_.end() || !found->second.add(std::move(s.view))) return;
    const ownership& table = *how_.here.table;
    found->second.compose({table.cores(), table.sections(), now(), how_.steps.quantum});
    if (found->second.send_on())
        watch(found->second.socket(), found->first, EPOLLIN | EPOLLOUT | EPOLLRDHUP, EPOLL_CTL_MOD);
}

}  // namespace parley::inline v0::broker::service
