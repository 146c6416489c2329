#include <lab/memory/search.hpp>

#include <lab/memory/consistency.hpp>
#include <lab/memory/orders.hpp>
#include <lab/memory/readable.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace parley::memory {

namespace {

class searching {
public:
    searching(machine& threads, const scene& s, const search_limits& limits) : m_(threads), scene_(s), limits_(limits) {}

    search_result run() {
        todo_.emplace_back();
        while (!todo_.empty() && !result_.found && !result_.is_endless) {
            if (limits_.executions != 0 && result_.executions >= limits_.executions) return result_;
            g_ = std::move(todo_.back());
            todo_.pop_back();
            run_one();
        }
        result_.is_complete = todo_.empty() && !result_.found && !result_.is_endless;
        return result_;
    }

private:
    struct progress {
        std::uint16_t done = 0;  // so many events of the graph
        bool waits = false;
        bool has_to_write = false;      // the second half of a read-modify-write
        std::uint16_t looked_from = 0;  // while it waits: the events of the look that found nothing come after this one
    };

    void run_one() {
        at_ = {};
        m_.begin(scene_);
        for (unsigned t = 0; t < m_.threads() && !m_.failure(); ++t) {
            m_.start(t);
            settle(t);
        }
        if (!m_.failure()) repeat_graph();
        while (!m_.failure() && !result_.is_endless) {
            const auto t = next_thread();
            if (!t) return end();
            if (!step(*t)) {
                ++result_.impossible;
                return;
            }
        }
        if (m_.failure()) result_.found = *m_.failure() + "\n" + text_of(g_);
    }

    // What a thread announces is done at once if it depends on nothing else.
    void settle(unsigned t) {
        progress& p = at_[t];
        while (!m_.failure()) {
            const operation* const o = m_.next(t);
            if (o == nullptr || o->what != does::repeat) return;
            const auto& events = g_.threads[t];
            const bool has_written =
                std::any_of(events.begin() + static_cast<std::ptrdiff_t>(o->operand), events.begin() + p.done,
                            [](const event& e) { return e.what == kind::write; });
            if (!has_written) {
                p.looked_from = static_cast<std::uint16_t>(o->operand);
                p.waits = true;
                return;
            }
            m_.go_on(t, 0, happened(t));
        }
    }

    [[nodiscard]] clock happened(unsigned t) const {
        return at_[t].done == 0 ? clock{} : g_.threads[t][at_[t].done - 1U].after.happened;
    }

    // The thread's operation is done as far as the graph has it.
    void go_on(unsigned t, const event& e) {
        progress& p = at_[t];
        if (e.what == kind::read && waits(*m_.next(t), e.value)) {
            p.waits = true;
            p.looked_from = static_cast<std::uint16_t>(p.done - 1);
            return;
        }
        const std::uint64_t has_read = e.what == kind::write && e.exclusive ? g_.threads[t][p.done - 2U].value : e.value;
        m_.go_on(t, has_read, happened(t));
        settle(t);
    }

    // The threads do what the graph says, in any order in which each write comes before those that read it.
    void repeat_graph() {
        for (bool goes_on = true; goes_on && !m_.failure();) {
            goes_on = false;
            for (unsigned t = 0; t < m_.threads(); ++t)
                while (!m_.failure() && at_[t].done < g_.threads[t].size() && repeat_event(t)) goes_on = true;
        }
        if (m_.failure()) return;
        for (unsigned t = 0; t < m_.threads(); ++t)
            if (at_[t].done != g_.threads[t].size()) throw std::logic_error("an execution cannot be repeated");
    }

    bool repeat_event(unsigned t) {
        progress& p = at_[t];
        const event& e = g_.threads[t][p.done];
        if (e.what == kind::read && e.from.thread != event_id::initial && at_[e.from.thread].done < e.from.index)
            return false;
        if (!p.has_to_write) {
            const operation* const o = m_.next(t);
            if (o == nullptr || p.waits || o->what != e.done.what || (e.what != kind::fence && locate(*o) != e.location))
                throw std::logic_error("threads do something else when an execution is repeated");
            if (!m_.may_access(t)) return false;
        }
        ++p.done;
        p.has_to_write = e.what == kind::read && e.exclusive;
        if (!p.has_to_write) go_on(t, e);
        return true;
    }

    std::uint32_t locate(const operation& o) {
        const std::uint64_t key = m_.key_of(o);
        const auto known =
            std::find_if(g_.locations.begin(), g_.locations.end(), [&](const location& l) { return l.key == key; });
        if (known != g_.locations.end()) return static_cast<std::uint32_t>(known - g_.locations.begin());
        g_.locations.push_back({key, o.bytes == 0 ? 0 : machine::initial_of(o), o.bytes, {}});
        return static_cast<std::uint32_t>(g_.locations.size() - 1);
    }

    // It follows from the graph alone.
    [[nodiscard]] std::optional<unsigned> next_thread() const {
        std::optional<unsigned> first;
        for (unsigned t = m_.threads(); t-- > 0;) {
            if (at_[t].has_to_write) return t;
            if (m_.next(t) != nullptr && !at_[t].waits) first = t;
        }
        return first;
    }

    // False: there is no such execution.
    bool step(unsigned t) {
        std::size_t events = 0;
        for (const auto& thread : g_.threads) events += thread.size();
        if (events >= limits_.steps) {
            result_.is_endless = true;
            return true;
        }
        const operation o = *m_.next(t);
        if (at_[t].has_to_write) return write(t, o, g_.threads[t].back().location);
        if (is_fence(o)) {
            g_.add_fence(t, {.what = kind::fence, .order = o.order, .done = o});
            ++at_[t].done;
            go_on(t, g_.threads[t].back());
            return true;
        }
        const std::uint32_t where = locate(o);
        if (m_.failure() || !m_.may_access(t)) return true;
        if (!reads(o)) return write(t, o, where);
        read(t, o, where);
        return true;
    }

    void read(unsigned t, const operation& o, std::uint32_t where) {
        const std::uint32_t last = g_.last_place(where);
        const auto from = [&](std::uint32_t place) {
            const event_id w = g_.write_at(place, where);
            const std::uint64_t value = g_.value_of(w, where);
            return event{.what = kind::read,
                         .order = read_order(o, value),
                         .exclusive = written(o, value).has_value(),
                         .location = where,
                         .value = value,
                         .from = w,
                         .done = o};
        };
        for (std::uint32_t place = g_.least_place(where, happened(t)); place < last; ++place) {
            graph other = g_;
            if (stays_consistent(other, other.add_read(t, from(place)))) todo_.push_back(std::move(other));
        }
        g_.add_read(t, from(last));
        ++at_[t].done;
        const event& e = g_.threads[t].back();
        at_[t].has_to_write = e.exclusive;
        if (!e.exclusive) go_on(t, e);
    }

    bool write(unsigned t, const operation& o, std::uint32_t where) {
        event e{.what = kind::write, .order = o.order, .exclusive = at_[t].has_to_write, .location = where, .done = o};
        e.value = *written(o, e.exclusive ? g_.threads[t].back().value : 0);
        read_by_earlier_reads(t, e);
        std::vector<graph> possible = with_write(g_, t, e);
        if (possible.empty()) return false;
        g_ = std::move(possible.back());
        possible.pop_back();
        std::move(possible.begin(), possible.end(), std::back_inserter(todo_));
        ++at_[t].done;
        at_[t].has_to_write = false;
        go_on(t, g_.threads[t].back());
        return true;
    }

    // The graph with the write in each place in which it may be.
    static std::vector<graph> with_write(const graph& g, unsigned t, const event& e, std::optional<event_id> reader = {}) {
        std::vector<graph> all;
        const view before = g.view_of(t);
        const std::uint32_t least = g.least_place(e.location, before.happened) + 1, last = g.last_place(e.location) + 1;
        const std::uint32_t only = e.exclusive ? g.place_of(g.threads[t].back().from, e.location) + 1 : 0;
        for (std::uint32_t place = least; place <= last; ++place) {
            if ((only != 0 && place != only) || !g.may_insert(place, e.location)) continue;
            graph other = g;
            const event_id w = other.add_write(t, e, place);
            if (reader) {
                const clock earlier =
                    reader->index == 1
                        ? clock{}
                        : other.at({reader->thread, static_cast<std::uint16_t>(reader->index - 1)}).after.happened;
                if (place < other.least_place(e.location, earlier)) continue;
                other.read_instead(*reader, w);
            }
            if (stays_consistent(other, reader ? *reader : w)) all.push_back(std::move(other));
        }
        return all;
    }

    // Each earlier read that may read the new write instead.
    void read_by_earlier_reads(unsigned t, const event& e) {
        const clock causes = g_.view_of(t).causes;
        for (unsigned u = 0; u < m_.threads(); ++u) {
            for (std::uint16_t i = static_cast<std::uint16_t>(causes.of(u) + 1); i <= g_.threads[u].size(); ++i) {
                const event& r = g_.threads[u][i - 1U];
                if (r.what != kind::read || r.location != e.location || u == t) continue;
                std::array<std::uint16_t, most_threads> kept{};
                if (!goes_in_its_latest_place({static_cast<std::uint8_t>(u), i}, causes, kept)) continue;
                const graph rest = g_.beginning(kept);
                std::vector<graph> possible = with_write(rest, t, e, event_id{static_cast<std::uint8_t>(u), i});
                std::move(possible.begin(), possible.end(), std::back_inserter(todo_));
            }
        }
    }

    // Was everything that goes, and this read, added in its latest place? `kept`: how much stays of each thread.
    bool goes_in_its_latest_place(event_id read, const clock& causes, std::array<std::uint16_t, most_threads>& kept) const {
        const std::uint32_t stamp = g_.at(read).stamp;
        for (unsigned t = 0; t < m_.threads(); ++t) {
            for (std::uint16_t i = 1; i <= g_.threads[t].size(); ++i) {
                const event_id id{static_cast<std::uint8_t>(t), i};
                const event& e = g_.at(id);
                const bool goes = e.stamp > stamp && !causes.has(id);
                if (!goes) kept[t] = i;
                if ((goes || id == read) && !is_in_latest_place(id, e, causes)) return false;
            }
        }
        return true;
    }

    // As far as the events before it are concerned, and those that cause the new write.
    bool is_in_latest_place(event_id id, const event& e, const clock& causes) const {
        if (e.what == kind::fence) return true;
        const auto is_before = [&](event_id other) {
            return other.thread == event_id::initial || causes.has(other) || g_.at(other).stamp <= e.stamp;
        };
        const event_id write = e.what == kind::read ? e.from : id;
        if (!is_before(write)) return false;
        for (std::uint32_t place = g_.place_of(write, e.location) + 1; place <= g_.last_place(e.location); ++place)
            if (is_before(g_.write_at(place, e.location))) return false;
        return e.what == kind::read || !is_read_before(id, is_before);
    }

    template <class IsBefore>
    bool is_read_before(event_id write, const IsBefore& is_before) const {
        for (unsigned t = 0; t < m_.threads(); ++t)
            for (std::uint16_t i = 1; i <= g_.threads[t].size(); ++i)
                if (const event_id id{static_cast<std::uint8_t>(t), i};
                    g_.at(id).what == kind::read && g_.at(id).from == write && is_before(id))
                    return true;
        return false;
    }

    // No thread goes on.
    void end() {
        if (limits_.notes != nullptr) limits_.notes->note(g_, scene_.name);
        bool all_ended = true, all_wait_for_ever = true;
        unsigned who = 0;
        for (unsigned t = 0; t < m_.threads(); ++t) {
            if (m_.next(t) == nullptr) continue;
            all_ended = false;
            who = t;
            for (std::size_t i = at_[t].looked_from; i < g_.threads[t].size(); ++i) {
                const event& e = g_.threads[t][i];
                if (e.what == kind::read && g_.place_of(e.from, e.location) != g_.last_place(e.location))
                    all_wait_for_ever = false;
            }
        }
        if (all_ended) {
            m_.finish(g_);
            ++result_.executions;
            ++result_.outcomes[m_.outcome()];
            if (m_.failure()) result_.found = *m_.failure() + "\n" + text_of(g_);
        } else if (all_wait_for_ever) {
            result_.found = "thread " + std::to_string(who) + " waits for ever\n" + text_of(g_);
        } else {
            ++result_.waiting;
        }
    }

    machine& m_;
    const scene& scene_;
    const search_limits limits_;
    std::vector<graph> todo_;
    graph g_;
    std::array<progress, most_threads> at_;
    search_result result_;
};

}  // namespace

search_result search(machine& threads, const scene& s, const search_limits& limits) {
    return searching(threads, s, limits).run();
}

}  // namespace parley::memory
