// Those who look on: when they get pictures, and what goes into one.
#include <broker/daemon/acceptor.hpp>

#include <broker/client/clock.hpp>
#include <broker/daemon/greeting.hpp>
#include <broker/daemon/unasked.hpp>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string_view>
#include <sys/epoll.h>
#include <utility>
#include <variant>

namespace parley::inline v0::broker::service {

void acceptor::on_observer(std::uint64_t key, std::uint32_t events) {
    observer& who = observers_.at(key);
    if ((events & EPOLLOUT) != 0 && !who.send_on()) watch(who.socket(), key, EPOLLIN | EPOLLRDHUP, EPOLL_CTL_MOD);
    if ((events & ~std::uint32_t{EPOLLOUT}) == 0) return;
    receive_buffer buffer{};
    const packet_taken p = take_packet(who.socket(), buffer);
    if (p.size < 0 && (errno == EAGAIN || errno == EINTR)) return;
    std::string_view why;
    if (p.size > 0 || p.has_descriptors) {
        const auto said = read_greeting(buffer, static_cast<std::size_t>(p.size), how_.here);
        const observe* const o = std::get_if<observe>(&said);
        if (p.has_descriptors) why = no_descriptors;
        else if (o == nullptr) why = "not a packet that an observer sends";
        else if (who.is_waiting()) why = "asks faster than it is answered";
        else {
            who.asks(o->events);
            asking_.push_back(key);
            return;
        }
        send_refusal(who.socket(), why);
    }
    forget_observer(observers_.find(key));
}

void acceptor::forget_observer(std::map<std::uint64_t, observer>::iterator o) {
    epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, o->second.socket(), nullptr);
    observers_.erase(o);
}

// When the first one of those who ask may have a picture.
nanoseconds acceptor::next_picture() const {
    nanoseconds first = never;
    for (const std::uint64_t key : asking_) {
        const auto o = observers_.find(key);
        const auto rate = o == observers_.end() ? pictures_of_.end() : pictures_of_.find(o->second.user());
        first = std::min(first, rate == pictures_of_.end() ? 0 : rate->second.next(0));
    }
    return first;
}

// A picture is much work for all. Whose user has had its part already has to wait.
void acceptor::ask_sections_in_turn() {
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

void acceptor::answer(seen s) {
    const auto found = observers_.find(s.observer);
    if (found == observers_.end() || !found->second.add(std::move(s.view))) return;
    const ownership& table = *how_.here.table;
    found->second.compose({table.cores(), table.sections(), now(), how_.steps.quantum});
    if (found->second.send_on()) watch(found->second.socket(), found->first, EPOLLIN | EPOLLOUT | EPOLLRDHUP, EPOLL_CTL_MOD);
}

}  // namespace parley::inline v0::broker::service
