// A state as a short string, and back: what an exploration keeps of states that wait to be
// explored, and what it recognises states by.
#pragma once

#include <lab/sim/live_log.hpp>
#include <lab/sim/two_scenes.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <vector>

namespace parley::inline v0::sim {

// Logs of handlers recur in many states and are kept once.
class known_logs {
public:
    using log = std::vector<entry>;
    std::uint32_t number_of(const log& l) {
        const auto [at, is_new] = numbers_.try_emplace(l, static_cast<std::uint32_t>(logs_.size()));
        if (is_new) logs_.push_back(&at->first);  // the map's elements do not move
        return at->second;
    }
    [[nodiscard]] const log& operator[](std::uint32_t number) const { return *logs_[number]; }

private:
    struct hash {
        std::size_t operator()(const log& l) const noexcept {
            std::uint64_t h = l.size();
            for (const entry& e : l)
                for (const std::uint64_t word :
                     {static_cast<std::uint64_t>(e.what), std::uint64_t{e.about}, std::uint64_t{e.detail},
                      std::uint64_t{e.result.yes}, e.result.x, e.result.y})
                    h = (h ^ word) * 0x9E3779B97F4A7C15u + (h >> 29);
            return h;
        }
    };
    std::unordered_map<log, std::uint32_t, hash> numbers_;
    std::vector<const log*> logs_;
};

// The states of the protocol that a worker may be in between handlers: idle or not. They are told
// apart by == alone, so a worker's fields may be private.
template <class Machine>
class known_machines {
public:
    std::uint32_t number_of(const Machine& m) {
        for (std::size_t i = 0; i < machines_.size(); ++i)
            if (machines_[i] == m) return static_cast<std::uint32_t>(i);
        if (machines_.size() == limit) throw std::logic_error("a worker whose strategy remembers can not be explored");
        machines_.push_back(m);
        return static_cast<std::uint32_t>(machines_.size() - 1);
    }
    [[nodiscard]] const Machine& operator[](std::uint32_t number) const { return machines_[number]; }

private:
    static constexpr std::size_t limit = 4096;
    std::vector<Machine> machines_;
};

// Small numbers take one byte; so do the two largest, which mean nobody and nothing.
class packer {
public:
    static constexpr bool unpacks = false;
    packer(char* begin, char* end) noexcept : at_(begin), end_(end) {}
    [[nodiscard]] char* at() const noexcept { return at_; }

    template <class T>
    void number(const T& value) {
        using word = std::make_unsigned_t<T>;
        auto rest = static_cast<word>(static_cast<word>(value) + 2u);
        for (; rest >= 0x80; rest = static_cast<word>(rest >> 7)) put(rest | 0x80);
        put(rest);
    }

private:
    void put(std::uint64_t byte) {
        if (at_ == end_) throw std::length_error("a state too large to be explored");
        *at_++ = static_cast<char>(byte);
    }

    char* at_;
    char* end_;
};

class unpacker {
public:
    static constexpr bool unpacks = true;
    explicit unpacker(const std::string& from) noexcept : at_(from.data()) {}

    template <class T>
    void number(T& value) {
        using word = std::make_unsigned_t<T>;
        word rest = 0;
        for (int shift = 0;; shift += 7) {
            const auto byte = static_cast<unsigned char>(*at_++);
            rest = static_cast<word>(rest | static_cast<word>(word(byte & 0x7F) << shift));
            if (byte < 0x80) break;
        }
        value = static_cast<T>(rest - word{2});
    }

private:
    const char* at_;
};

// Packing and unpacking are one walk over the fields, so they can not differ.
template <class Machine, class Direction>
class state_walk {
public:
    // `live`: only what still matters of each log.
    state_walk(Direction d, known_logs& logs, known_machines<Machine>& machines, bool live = false)
        : d_(d), logs_(logs), machines_(machines), live_(live) {}

    Direction all_of(scene<Machine>& s) {
        world& w = s.shared;
        for (member& m : w.workers) each(m);
        each(w.lobby, w.jobs, w.jobs_sent, w.barrier_open, w.manager, w.active, w.lent, w.threads_started, w.cancelling,
             w.step, w.jobs_read_at);
        for (task_state& t : w.tasks) each(t.status, t.worker, t.awaited, t.counted, t.waiters);
        sim::elsewhere& e = w.elsewhere;
        each(e.is_visited, e.sleeps_as_first, e.passed_on, e.done, e.told, e.owed, e.begun, e.word);
        for (std::size_t i = 0; i < w.locks.size(); ++i) {
            bool taken = w.locks[i];
            one(taken);
            w.locks[i] = taken;
        }
        for (debts& d : w.owed) each(d.bell, d.mail, d.wakes);
        for (auto& v : s.workers) each(v);
        for (outsider& o : s.outsiders) {
            of_agent(o);
            each(o.errand, o.waited);
        }
        return d_;
    }

private:
    template <class... T>
    void each(T&... fields) {
        (one(fields), ...);
    }
    template <class T>
    void one(T& value) {
        if constexpr (std::is_same_v<T, bool>) {
            auto small = static_cast<std::uint8_t>(value);
            d_.number(small);
            value = small != 0;
        } else if constexpr (std::is_enum_v<T>) {
            auto small = static_cast<std::underlying_type_t<T>>(value);
            d_.number(small);
            value = static_cast<T>(small);
        } else {
            d_.number(value);
        }
    }
    template <class T>
    void one(std::vector<T>& list) {
        auto size = static_cast<std::uint32_t>(list.size());
        d_.number(size);
        if constexpr (Direction::unpacks) list.resize(size);
        for (T& element : list) one(element);
    }
    void one(protocol::letter& t) {
        each(t.request, t.start, t.stride, t.hop, t.status, t.preferred, t.preferred_waits, t.samples, t.most_spare);
    }
    void one(frame& f) { each(f.kind, f.task, f.pc, f.worked, f.was_isolated, f.held_before, f.held_then); }
    void one(member& m) {
        each(m.letters.open, m.letters.letters, m.messages, m.requests, m.attention, m.standing.idle, m.standing.sent,
             m.standing.received, m.registered_idle, m.deque, m.held, m.isolated, m.tasks_run, m.lends_a_hand, m.woken);
    }
    void one(own_request& r) {
        each(r.state, r.wish, r.letter_away, r.answer, r.victim, r.goes_on, r.load, r.taker, r.letter_holder, r.claimer);
    }
    void one(virtual_worker<Machine>& v) {
        of_agent(v, v.machine.counts_tasks() || v.machine.remembers_victims(), v.machine.circulates());
        known(machines_, v.machine);
        each(v.stack, v.asks, v.goes, v.chosen, v.news_group, v.visit, v.has_left, v.waits_alone, v.hands_on, v.lends,
             v.blocks);
    }
    // Where requests circulate, handlers are short, and live_log does not know them.
    void of_agent(agent& a, bool remembers = false, bool circulates = false) {
        each(a.at, a.job, a.next, a.woken, a.tells_on, a.saw_relay);
        if (!live_ || circulates || a.log.empty()) {
            known(logs_, a.log);
        } else {
            live_log().make(a.at, a.log, remembers, rest_);
            known(logs_, rest_);
        }
    }
    template <class Table, class T>
    void known(Table& table, T& value) {
        std::uint32_t number = 0;
        if constexpr (!Direction::unpacks) number = table.number_of(value);
        d_.number(number);
        if constexpr (Direction::unpacks) value = table[number];
    }

    Direction d_;
    known_logs& logs_;
    known_machines<Machine>& machines_;
    bool live_;
    std::vector<entry> rest_;
};

template <class Machine>
class state_packer {
public:
    template <class Scene>
    void pack(Scene& s, std::string& to) {
        walk(s, to, false);
    }
    // What tells states apart that do not go on alike.
    template <class Scene>
    void pack_key(Scene& s, std::string& to) {
        walk(s, to, true);
    }
    // Into a scene of the same program and settings.
    template <class Scene>
    void unpack(const std::string& from, Scene& s) {
        (void)all_of(unpacker(from), s, false);
    }

private:
    template <class Direction>
    Direction all_of(Direction d, scene<Machine>& s, bool live) {
        return state_walk<Machine, Direction>(d, logs_, machines_, live).all_of(s);
    }
    template <class Direction>
    Direction all_of(Direction d, two_scenes<Machine>& s, bool live) {
        return all_of(all_of(d, s.first, live), s.second, live);
    }
    template <class Scene>
    void walk(Scene& s, std::string& to, bool live) {
        const char* const end = all_of(packer(buffer_.data(), buffer_.data() + buffer_.size()), s, live).at();
        to.assign(buffer_.data(), static_cast<std::size_t>(end - buffer_.data()));
    }

    std::array<char, 4096> buffer_{};
    known_logs logs_;
    known_machines<Machine> machines_;
};

}  // namespace parley::inline v0::sim
