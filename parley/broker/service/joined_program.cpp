#include <parley/broker/service/joined_program.hpp>

#include <parley/broker/clock.hpp>
#include <parley/broker/service/printable.hpp>
#include <parley/broker/service/process_tree.hpp>
#include <parley/channel/versioned.hpp>

#include <algorithm>
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
                               run_time_source ran, std::shared_ptr<process_room> room, nanoseconds now)
    : id_(id), name_(printable(text_of(h.name))), allowed_(h.allowed), is_led_(h.is_led != 0), link_(std::move(link)),
      pages_(std::move(pages)), run_time_(ran), tree_time_(ran), room_(std::move(room)), page_(*pages_.allotment),
      // A tree may take long to look at, which is nothing for the thread that lets programs in.
      usage_(h.most, is_led_, now, is_led_ ? std::nullopt : ran(link_->who.pid, link_->process.get())), began_(now) {
    page_.beat(now);
}

joined_program::~joined_program() {
    const nanoseconds at = now();
    room_->add(usage_.room_until(at));
    const bool has_others = room_->leaves(id_);
    if (is_moved_ && !has_ended(link_->process.get())) unbind(moved_to_, has_others ? room_->cores() : allowed_, at);
}

void joined_program::welcome_it(const pace& p) {
    if (std::exchange(is_welcomed_, true)) return;
    const std::array files{pages_.allotment_file.get(), pages_.feedback_file.get()};
    const welcome w{.program = id_, .sample = p.sample, .quantum = p.quantum};
    // If it cannot be sent the program has gone: its home hears of it.
    send_packet(link_->socket.get(), w, files);
    pages_.allotment_file.reset();
    pages_.feedback_file.reset();
}

void joined_program::allot(const allotted& a, std::map<core_id, std::uint32_t> holders, const pace& p,
                           nanoseconds now) {
    usage_.holds(std::move(holders), now);
    const bool has_to_look = page_.write(a, now);
    room_->holds(id_, a.all());
    if (!is_welcomed_) {
        if (a.count() > 0) welcome_it(p);
    } else if (has_to_look) {
        send_packet(link_->socket.get(), ring{.generation = page_.generation()});
    }
}

follow joined_program::look(const pace& p, nanoseconds now) {
    page_.beat(now);
    usage_.look(*pages_.feedback, now);
    if (!is_welcomed_ && now - began_ > p.quantum) welcome_it(p);
    return look_after(p, now);
}

bool joined_program::says_it_follows() const noexcept {
    return channel::part(pages_.feedback->followed) == page_.generation();
}

follow joined_program::look_after(const pace& p, nanoseconds now) {
    if (says_it_follows() && now >= distrusted_until_) {
        looked_after_at_ = 0;
        if (!is_moved_ || !may_bind(now)) return follow::yes;
        is_moved_ = false;
        // Threads that it has bound by itself are elsewhere.
        unbind(moved_to_, room_->cores(), now);
        return follow::freed_now;
    }
    // Those of a program that is led are other processes', and moved by their leader; or not.
    const bool is_its_leaders = is_led_ && now >= distrusted_until_;
    if (!p.moves || is_its_leaders || !is_welcomed_ || page_.last().count() == 0) return follow::yes;
    // A thread does not say which program of the process it is of.
    const core_set to = room_->cores();
    if (!may_bind(now)) return follow::yes;
    if (is_moved_ && to != moved_to_) unbind(std::exchange(moved_to_, to), to, now);
    if (!may_bind(now)) return follow::yes;
    if (now - std::max(page_.changed_at(), looked_after_at_) < 2 * p.quantum) return follow::yes;
    looked_after_at_ = now;
    const confined done = bind(to, now);
    if (done.moved == 0) return done.refused > 0 ? follow::cannot : follow::yes;
    moved_to_ = to;
    is_moved_ = true;
    return follow::moved_now;
}

std::optional<program_use> joined_program::take(const machine& here, nanoseconds length, nanoseconds end) {
    const nanoseconds since = usage_.since();
    if (end < since || end - since < length / 2) return std::nullopt;
    const tree_clock::reading ran = read_run_time(end);
    // It ran until now: others' turns before its own may have taken a while since the quantum's end.
    const nanoseconds at = now();
    usage_.look(*pages_.feedback, at);
    usage::spell s = usage_.take(here, ran.ran, at);
    const bool is_first_look = is_led_ && ran.ran && !ran_before_;
    compare(ran, s, at);
    if (is_first_look) return std::nullopt;  // what it ran before nobody saw
    // Another section may have begun to count at another time.
    if (s.length != length) scale(s.use, static_cast<double>(length) / static_cast<double>(s.length));
    last_use_ = s.use;
    return std::move(s.use);
}

// That it follows is its own word, which the system's may contradict. Only of spells in which it should have kept to its
// cores from the beginning: by its word, or since it had been moved there by then.
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
    distrusted_until_ = now + spells_of_distrust * s.length;
}

tree_clock::reading joined_program::read_run_time(nanoseconds now) noexcept {
    const int pidfd = link_->process.get();
    return is_led_ ? tree_time_.read(who().pid, pidfd, now) : tree_clock::reading{run_time_(who().pid, pidfd)};
}

confined joined_program::bind(const core_set& to, nanoseconds now) noexcept {
    if (!is_led_) return confine(who().pid, link_->process.get(), to);
    confined done;
    tree_time_.spend(now, [&] { done = confine_tree(who().pid, link_->process.get(), to); });
    return done;
}

void joined_program::unbind(const core_set& from, const core_set& to, nanoseconds now) noexcept {
    if (!is_led_) return set_free(who().pid, link_->process.get(), from, to);
    tree_time_.spend(now, [&] { set_tree_free(who().pid, link_->process.get(), from, to); });
}

}  // namespace parley::inline v0::broker::service
