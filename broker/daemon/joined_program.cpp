#include <broker/daemon/joined_program.hpp>

#include <broker/client/clock.hpp>
#include <broker/daemon/printable.hpp>
#include <parley/detail/sync/versioned.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

namespace parley::inline v0::broker::service {
namespace {

std::string_view text_of(const std::array<char, 32>& name) {
    return {name.begin(), std::find(name.begin(), name.end(), '\0')};
}

void scale(program_use& use, double by) {
    const auto scaled = [by](nanoseconds t) { return static_cast<nanoseconds>(static_cast<double>(t) * by); };
    for (core_use& c : use.cores) {
        c.useful = scaled(c.useful);
        c.steal = scaled(c.steal);
        c.mug = scaled(c.mug);
        c.held = std::max(scaled(c.held), c.useful + c.steal + c.mug);
    }
}

}  // namespace

joined_program::joined_program(program_id id, const hello& h, std::shared_ptr<const connection> link, page_pair pages,
                               std::optional<nanoseconds> ran, std::shared_ptr<process_room> room, nanoseconds now)
    : id_(id),
      name_(printable(text_of(h.name))),
      allowed_(h.allowed),
      is_led_(h.is_led != 0),
      link_(std::move(link)),
      pages_(std::move(pages)),
      room_(std::move(room)),
      page_(*pages_.allotment),
      usage_(h.most, is_led_, now, ran),
      began_(now) {
    page_.beat(now);
}

joined_program::~joined_program() {
    const nanoseconds at = now();
    end(at);
    while (!gives_back(at, nullptr)) {}
}

void joined_program::end(nanoseconds now) {
    if (std::exchange(has_ended_, true)) return;
    room_->add(usage_.room_until(now));
    was_last_ = !room_->leaves(id_);
}

bool joined_program::gives_back(nanoseconds now, look_budget* budget) {
    return !was_last_ || has_ended(link_->process.get()) || room_->give_back(process(), allowed_, now, budget);
}

process_room::subject joined_program::process() const noexcept { return {who().pid, link_->process.get(), is_led_}; }

void joined_program::welcome_it(const pace& p) {
    if (std::exchange(is_welcomed_, true)) return;
    const std::array files{pages_.allotment_file.get(), pages_.feedback_file.get()};
    const welcome w{.program = id_, .sample = p.sample, .quantum = p.quantum};
    // If it cannot be sent the program has gone: its home hears of it.
    send_packet(link_->socket.get(), w, files);
    pages_.allotment_file.reset();
    pages_.feedback_file.reset();
}

void joined_program::allot(const allotted& a, std::map<core_id, std::uint32_t> holders, const pace& p, nanoseconds now) {
    usage_.holds(std::move(holders), now);
    if (a.count() == 0 && page_.generation() != 0) return;  // it goes on with its last ones
    const bool has_to_look = page_.write(a, now);
    room_->holds(id_, a.all());
    if (!is_welcomed_) {
        if (a.count() > 0) welcome_it(p);
    } else if (has_to_look) {
        send_packet(link_->socket.get(), ring{.generation = page_.generation()});
    }
}

follow joined_program::look(const pace& p, nanoseconds now, look_budget& budget) {
    page_.beat(now);
    usage_.look(*pages_.feedback, now);
    if (!is_welcomed_ && now - began_ > p.quantum) welcome_it(p);
    return look_after(p, now, budget);
}

bool joined_program::says_it_follows() const noexcept { return sync::part(pages_.feedback->followed) == page_.generation(); }

follow joined_program::look_after(const pace& p, nanoseconds now, look_budget& budget) {
    if (!p.moves) return follow::yes;
    distrust_.bound(room_->bound_at());
    const bool is_believed = !distrust_.is_on(now);
    process_room::standing how = process_room::standing::waits;
    if (is_believed && says_it_follows()) how = process_room::standing::follows;
    // Those of a program that is led are other processes', and moved by their leader; or not.
    else if (!(is_led_ && is_believed) && is_welcomed_ && page_.last().count() > 0 &&
             now - page_.changed_at() >= 2 * p.quantum)
        how = process_room::standing::strays;
    const process_room::outcome done = room_->keep(id_, how, process(), now, 2 * p.quantum, budget);
    if (done.moved > 0 || done.refused > 0 || done.is_freed) last_turn_ = now;
    if (done.is_freed) return follow::freed_now;
    if (done.moved > 0) return follow::moved_now;
    return done.refused > 0 ? follow::cannot : follow::yes;
}

std::optional<program_use> joined_program::take(const machine& here, const pace& p, nanoseconds length, nanoseconds end,
                                                look_budget& budget) {
    const nanoseconds since = usage_.since();
    if (end < since || end - since < length / 2) return std::nullopt;
    const tree_clock::reading ran = room_->read(process(), end, length / 2, budget);
    if (ran.is_seen) last_turn_ = end;
    sleep_.note(ran, end, p.asleep_after);
    // It ran until now: others' turns before its own may have taken a while since the quantum's end.
    const nanoseconds at = now();
    usage_.look(*pages_.feedback, at);
    usage::spell s = usage_.take(here, ran.ran, at);
    // What it ran before its first look nobody saw.
    const bool is_unseen = is_led_ && !ran_before_ && (ran.ran || !ran.is_seen);
    compare(ran, s, at);
    if (is_unseen) return std::nullopt;
    // Another section may have begun to count at another time.
    if (s.length != length) scale(s.use, static_cast<double>(length) / static_cast<double>(s.length));
    last_use_ = s.use;
    return std::move(s.use);
}

// That it follows is its own word, which the system's may contradict. Only of spells in which it should have kept to
// its cores from the beginning: by its word, or since it had been moved there by then.
void joined_program::compare(const tree_clock::reading& r, const usage::spell& s, nanoseconds now) {
    constexpr nanoseconds spells_to_follow = 3, spells_of_distrust = 100;
    const nanoseconds room = room_->add(s.room);
    const bool has_page = page_.generation() != 0 && is_welcomed_;
    const bool has_had_time = page_.changed_at() + spells_to_follow * s.length <= now;
    const bool should_now = has_page && (says_it_follows() || has_had_time);
    const nanoseconds length = length_ += s.length;
    if (!r.is_seen) {
        should_follow_ = should_follow_ && should_now;
        return;
    }
    length_ = 0;
    const nanoseconds room_here = room - std::exchange(room_before_, room);
    const std::optional<nanoseconds> before = std::exchange(ran_before_, r.ran);
    const bool should = std::exchange(should_follow_, should_now);
    if (!should || !r.ran || !before) return;
    if (!overuse_.add(length, *r.ran - std::min(*r.ran, *before), room_here)) return;
    overuse_.forget();
    distrust_.begin(now, spells_of_distrust * s.length);
}

}  // namespace parley::inline v0::broker::service
