#include <lab/memory/consistency.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace parley::memory {

namespace {

struct seen_event {
    event_id id;
    const event* e = nullptr;
    std::uint32_t place = 0;  // in modification order: its own, or that of what it reads
};

// The relations of RC11's predicate about seq_cst events, over all events of a graph.
class relations {
public:
    explicit relations(const graph& g) : g_(g) {
        for (unsigned t = 0; t < most_threads; ++t) {
            for (std::size_t i = 0; i < g.threads[t].size(); ++i) {
                const event& e = g.threads[t][i];
                const event_id id{static_cast<std::uint8_t>(t), static_cast<std::uint16_t>(i + 1)};
                const seen_event s{id, &e, e.what == kind::fence ? 0 : g.place_of(e, id)};
                all_.push_back(s);
                if (e.order != std::memory_order_seq_cst) continue;
                sc_.push_back(s);
                has_fences_ = has_fences_ || e.what == kind::fence;
            }
        }
    }

    // By Kahn's algorithm: as long as something has no predecessor left, it leaves.
    [[nodiscard]] bool psc_is_acyclic() const {
        std::vector<seen_event> left = sc_;
        for (;;) {
            const std::size_t before = left.size();
            if (before == 0) return true;
            std::erase_if(left, [&](const seen_event& b) {
                return std::none_of(left.begin(), left.end(),
                                    [&](const seen_event& a) { return a.id != b.id && psc(a, b); });
            });
            if (left.size() == before) return false;
        }
    }

private:
    [[nodiscard]] static bool same_place(const seen_event& a, const seen_event& b) noexcept {
        return a.e->what != kind::fence && b.e->what != kind::fence && a.e->location == b.e->location;
    }
    [[nodiscard]] static bool po(const seen_event& a, const seen_event& b) noexcept {
        return a.id.thread == b.id.thread && a.id.index < b.id.index;
    }
    [[nodiscard]] static bool hb(const seen_event& a, const seen_event& b) noexcept {
        return a.id != b.id && b.e->after.happened.has(a.id);
    }
    // Extended coherence order: (rf | mo | rb)+.
    [[nodiscard]] static bool eco(const seen_event& a, const seen_event& b) noexcept {
        if (a.id == b.id || !same_place(a, b)) return false;
        const bool reads_it = a.e->what == kind::write && b.e->what == kind::read;
        return reads_it ? a.place <= b.place : a.place < b.place;
    }
    [[nodiscard]] static bool mo_or_rb(const seen_event& a, const seen_event& b) noexcept {
        return same_place(a, b) && b.e->what == kind::write && a.place < b.place;
    }
    // Program order to something elsewhere, happens-before, and program order from something elsewhere. The first event
    // after `a` that is elsewhere and the last one before `b` decide.
    [[nodiscard]] bool hb_elsewhere(const seen_event& a, const seen_event& b) const noexcept {
        const auto& of_a = g_.threads[a.id.thread];
        std::size_t c = a.id.index;  // as an index of the vector: the event after a
        while (c < of_a.size() && is_at(of_a[c], *a.e)) ++c;
        const auto& of_b = g_.threads[b.id.thread];
        std::size_t d = b.id.index - 1U;  // one more than the index of the event before b
        while (d > 0 && is_at(of_b[d - 1], *b.e)) --d;
        if (c >= of_a.size() || d == 0) return false;
        return of_b[d - 1].after.happened.of(a.id.thread) > c && (a.id.thread != b.id.thread || c != d - 1);
    }
    [[nodiscard]] static bool is_at(const event& e, const event& other) noexcept {
        return e.what != kind::fence && other.what != kind::fence && e.location == other.location;
    }
    [[nodiscard]] bool scb(const seen_event& a, const seen_event& b) const noexcept {
        return po(a, b) || mo_or_rb(a, b) || (same_place(a, b) && hb(a, b)) || hb_elsewhere(a, b);
    }

    [[nodiscard]] bool psc(const seen_event& a, const seen_event& b) const {
        if (!has_fences_) return scb(a, b);
        const bool from_fence = a.e->what == kind::fence, to_fence = b.e->what == kind::fence;
        for (const seen_event& x : all_) {
            if (x.id != a.id && !(from_fence && hb(a, x))) continue;
            for (const seen_event& y : all_) {
                if (y.id != b.id && !(to_fence && hb(y, b))) continue;
                if (scb(x, y) || (from_fence && to_fence && x.id != a.id && y.id != b.id && eco(x, y))) return true;
            }
        }
        return false;  // a fence that happens before another one comes before an event that does, by program order
    }

    const graph& g_;
    std::vector<seen_event> all_, sc_;
    bool has_fences_ = false;
};

}  // namespace

bool stays_consistent(const graph& g, event_id newest) {
    const event& e = g.at(newest);
    // Nothing follows what is last in all orders, so that no cycle leads through it.
    if (e.what == kind::fence || g.place_of(e, newest) == g.last_place(e.location)) return true;
    return relations(g).psc_is_acyclic();
}

}  // namespace parley::memory
