#include "tests/lab/memory/axioms.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

namespace axioms {

namespace {

// A relation between events.
class relation {
public:
    explicit relation(std::size_t n) : rows_(n) {}
    [[nodiscard]] bool has(std::size_t a, std::size_t b) const { return (rows_[a] >> b & 1U) != 0; }
    void add(std::size_t a, std::size_t b) { rows_[a] |= 1U << b; }
    [[nodiscard]] std::size_t size() const { return rows_.size(); }

    friend relation operator|(relation a, const relation& b) {
        for (std::size_t i = 0; i < a.size(); ++i) a.rows_[i] |= b.rows_[i];
        return a;
    }
    // One after the other.
    friend relation operator*(const relation& a, const relation& b) {
        relation r(a.size());
        for (std::size_t i = 0; i < a.size(); ++i)
            for (std::size_t k = 0; k < a.size(); ++k)
                if (a.has(i, k)) r.rows_[i] |= b.rows_[k];
        return r;
    }
    [[nodiscard]] relation closure() const {
        relation r = *this;
        for (std::size_t k = 0; k < size(); ++k)
            for (std::size_t i = 0; i < size(); ++i)
                if (r.has(i, k)) r.rows_[i] |= r.rows_[k];
        return r;
    }
    [[nodiscard]] relation optional() const {
        return *this | identity(size(), [](std::size_t) { return true; });
    }
    [[nodiscard]] bool is_irreflexive() const {
        for (std::size_t i = 0; i < size(); ++i)
            if (has(i, i)) return false;
        return true;
    }
    [[nodiscard]] bool is_acyclic() const { return closure().is_irreflexive(); }

    template <class Holds>
    static relation identity(std::size_t n, const Holds& holds) {
        relation r(n);
        for (std::size_t i = 0; i < n; ++i)
            if (holds(i)) r.add(i, i);
        return r;
    }
    template <class Holds>
    static relation of(std::size_t n, const Holds& holds) {
        relation r(n);
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t k = 0; k < n; ++k)
                if (holds(i, k)) r.add(i, k);
        return r;
    }

private:
    std::vector<std::uint32_t> rows_;
};

struct event {
    int thread;  // -1: an initial value
    int position;
    bool reads, writes, fence;
    int location;
    std::memory_order order;
    const instruction* from;
    int value;
};

bool acquires(std::memory_order o) {
    return o == std::memory_order_acquire || o == std::memory_order_acq_rel || o == std::memory_order_seq_cst;
}
bool releases(std::memory_order o) {
    return o == std::memory_order_release || o == std::memory_order_acq_rel || o == std::memory_order_seq_cst;
}

class enumeration {
public:
    enumeration(const program& p, int locations) : program_(p), locations_(locations) {}

    std::map<std::string, std::uint64_t> run() {
        std::vector<const instruction*> conditional;
        for (const thread& t : program_)
            for (const instruction& i : t)
                if (i.what == does::compare_exchange) conditional.push_back(&i);
        for (std::uint32_t guess = 0; guess < 1U << conditional.size(); ++guess) {
            succeeds_.clear();
            for (std::size_t i = 0; i < conditional.size(); ++i) succeeds_[conditional[i]] = (guess >> i & 1U) != 0;
            make_events();
            read_from(0);
        }
        return found_;
    }

private:
    void make_events() {
        events_.clear();
        for (int l = 0; l < locations_; ++l)
            events_.push_back({-1, 0, false, true, false, l, std::memory_order_relaxed, nullptr, 0});
        for (std::size_t t = 0; t < program_.size(); ++t) {
            int position = 0;
            for (const instruction& i : program_[t]) {
                const bool fails = i.what == does::compare_exchange && !succeeds_[&i];
                const bool reads = i.what != does::store && i.what != does::fence;
                const bool writes = i.what != does::load && i.what != does::fence && !fails;
                const auto order = fails ? std::memory_order_relaxed : i.order;
                const int who = static_cast<int>(t);
                if (i.what == does::fence) events_.push_back({who, position++, false, false, true, -1, order, &i, 0});
                if (reads) events_.push_back({who, position++, true, false, false, i.location, order, &i, 0});
                if (writes) events_.push_back({who, position++, false, true, false, i.location, order, &i, 0});
            }
        }
        from_.assign(events_.size(), 0);
    }

    // Every write for every read from this event on.
    void read_from(std::size_t e) {
        while (e < events_.size() && !events_[e].reads) ++e;
        if (e == events_.size()) return with_reads_from();
        for (std::size_t w = 0; w < events_.size(); ++w) {
            if (!events_[w].writes || events_[w].location != events_[e].location) continue;
            from_[e] = w;
            read_from(e + 1);
        }
    }

    void with_reads_from() {
        const std::size_t n = events_.size();
        sb_ = relation::of(n, [&](std::size_t a, std::size_t b) {
            return events_[a].thread == -1
                       ? events_[b].thread != -1
                       : events_[a].thread == events_[b].thread && events_[a].position < events_[b].position;
        });
        rf_ = relation::of(n, [&](std::size_t a, std::size_t b) { return events_[b].reads && from_[b] == a; });
        if (!(sb_ | rf_).is_acyclic() || !values_are_as_guessed()) return;
        rmw_ = relation::of(n, [&](std::size_t a, std::size_t b) {
            return events_[a].reads && events_[b].writes && events_[a].from == events_[b].from && b == a + 1;
        });
        orders_.assign(static_cast<std::size_t>(locations_), {});
        for (std::size_t e = 0; e < n; ++e)
            if (events_[e].writes) orders_[static_cast<std::size_t>(events_[e].location)].push_back(e);
        order_writes(0);
    }

    // Along sb and rf, which have no cycle.
    bool values_are_as_guessed() {
        const relation before = (sb_ | rf_).closure();
        std::vector<std::size_t> order(events_.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        const auto rank = [&](std::size_t e) {
            return std::count_if(order.begin(), order.end(), [&](std::size_t a) { return before.has(a, e); });
        };
        std::vector<std::pair<long, std::size_t>> ranked;
        for (const std::size_t e : order) ranked.emplace_back(rank(e), e);
        std::sort(ranked.begin(), ranked.end());
        for (const auto& [r, e] : ranked) {
            event& now = events_[e];
            if (now.reads) now.value = events_[from_[e]].value;
            if (now.reads && now.from->what == does::compare_exchange &&
                (now.value == now.from->expected) != succeeds_[now.from])
                return false;
            if (now.writes && now.thread != -1)
                now.value = now.from->what == does::add ? events_[e - 1].value + now.from->value : now.from->value;
        }
        return true;
    }

    // Every order of the writes to each location from this one on. The initial value stays first.
    void order_writes(std::size_t location) {
        if (location == orders_.size()) return with_orders();
        std::vector<std::size_t>& order = orders_[location];
        std::sort(order.begin(), order.end());
        do order_writes(location + 1);
        while (std::next_permutation(order.begin() + 1, order.end()));
    }

    void with_orders() {
        const std::size_t n = events_.size();
        relation mo(n), rb(n);
        for (const auto& order : orders_)
            for (std::size_t i = 0; i < order.size(); ++i)
                for (std::size_t k = i + 1; k < order.size(); ++k) mo.add(order[i], order[k]);
        for (std::size_t r = 0; r < n; ++r)
            for (std::size_t w = 0; w < n; ++w)
                if (events_[r].reads && mo.has(from_[r], w)) rb.add(r, w);
        if (!is_rc11(mo, rb)) return;
        std::string outcome;
        for (const event& e : events_)
            if (e.thread != -1 && (e.reads || !is_read_too(e))) outcome += " " + std::to_string(e.reads ? e.value : 0);
        for (const auto& order : orders_) outcome += " " + std::to_string(events_[order.back()].value);
        outcome.erase(0, 1);
        ++found_[outcome];
    }

    // The write of a read-modify-write says nothing more.
    [[nodiscard]] static bool is_read_too(const event& e) { return e.writes && e.from->what != does::store; }

    [[nodiscard]] bool is_rc11(const relation& mo, const relation& rb) const {
        const std::size_t n = events_.size();
        const auto only = [&](const auto& holds) {
            return relation::identity(n, [&](std::size_t i) { return holds(events_[i]); });
        };
        const relation sequence = only([](const event& e) { return e.writes; }) * (rf_ * rmw_).closure().optional();
        const relation fence_before = only([](const event& e) { return e.fence && releases(e.order); }) * sb_;
        const relation fence_after = sb_ * only([](const event& e) { return e.fence && acquires(e.order); });
        const relation release = only([](const event& e) { return e.writes && releases(e.order); }) |
                                 fence_before * only([](const event& e) { return e.writes; });
        const relation acquire = only([](const event& e) { return e.reads && acquires(e.order); }) |
                                 only([](const event& e) { return e.reads; }) * fence_after;
        const relation hb = (sb_ | release * sequence * rf_ * acquire).closure();
        const relation eco = (rf_ | mo | rb).closure();
        if (!(hb * eco.optional()).is_irreflexive() || !mo.is_acyclic()) return false;
        if (!excludes(rmw_, rb * mo)) return false;
        return psc(mo, rb, hb, eco).is_acyclic();
    }

    [[nodiscard]] relation psc(const relation& mo, const relation& rb, const relation& hb, const relation& eco) const {
        const std::size_t n = events_.size();
        const auto same = [&](std::size_t a, std::size_t b) {
            return events_[a].location != -1 && events_[a].location == events_[b].location;
        };
        const relation elsewhere =
            relation::of(n, [&](std::size_t a, std::size_t b) { return sb_.has(a, b) && !same(a, b); });
        const relation hb_here = relation::of(n, [&](std::size_t a, std::size_t b) { return hb.has(a, b) && same(a, b); });
        const auto is_sc = [&](std::size_t i) {
            return events_[i].thread != -1 && events_[i].order == std::memory_order_seq_cst;
        };
        const relation accesses = relation::identity(n, [&](std::size_t i) { return is_sc(i) && !events_[i].fence; });
        const relation fences = relation::identity(n, [&](std::size_t i) { return is_sc(i) && events_[i].fence; });
        const relation scb = sb_ | elsewhere * hb * elsewhere | hb_here | mo | rb;
        const relation base = (accesses | fences * hb.optional()) * scb * (accesses | hb.optional() * fences);
        return base | fences * (hb | hb * eco * hb) * fences;
    }

    static bool excludes(const relation& a, const relation& b) {
        for (std::size_t i = 0; i < a.size(); ++i)
            for (std::size_t k = 0; k < a.size(); ++k)
                if (a.has(i, k) && b.has(i, k)) return false;
        return true;
    }

    const program& program_;
    const int locations_;
    std::map<const instruction*, bool> succeeds_;
    std::vector<event> events_;
    std::vector<std::size_t> from_;
    std::vector<std::vector<std::size_t>> orders_;
    relation sb_{0}, rf_{0}, rmw_{0};
    std::map<std::string, std::uint64_t> found_;
};

}  // namespace

std::map<std::string, std::uint64_t> executions_of(const program& p, int locations) {
    return enumeration(p, locations).run();
}

}  // namespace axioms
