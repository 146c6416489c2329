#include <lab/memory/graph.hpp>

#include <algorithm>
#include <cstddef>

namespace parley::memory {

bool is_acquire(std::memory_order order) noexcept {
    return order == std::memory_order_acquire || order == std::memory_order_acq_rel || order == std::memory_order_seq_cst;
}
bool is_release(std::memory_order order) noexcept {
    return order == std::memory_order_release || order == std::memory_order_acq_rel || order == std::memory_order_seq_cst;
}

std::uint64_t graph::value_of(event_id write, std::uint32_t of) const noexcept {
    return write.thread == event_id::initial ? locations[of].initial : at(write).value;
}

view graph::view_of(unsigned thread) const noexcept {
    return threads[thread].empty() ? view{} : threads[thread].back().after;
}

event_id graph::next_id(unsigned thread) const noexcept {
    return {static_cast<std::uint8_t>(thread), static_cast<std::uint16_t>(threads[thread].size() + 1)};
}

std::uint32_t graph::place_of(event_id write, std::uint32_t of) const noexcept {
    if (write.thread == event_id::initial) return 0;
    const std::vector<event_id>& order = locations[of].order;
    return static_cast<std::uint32_t>(std::find(order.begin(), order.end(), write) - order.begin()) + 1;
}

event_id graph::write_at(std::uint32_t place, std::uint32_t of) const noexcept {
    return place == 0 ? event_id{} : locations[of].order[place - 1];
}

std::uint32_t graph::place_of(const event& e, event_id id) const noexcept {
    return place_of(e.what == kind::write ? id : e.from, e.location);
}

std::uint32_t graph::least_place(std::uint32_t of, const clock& happened) const noexcept {
    std::uint32_t least = 0;
    for (unsigned t = 0; t < most_threads; ++t) {
        for (std::uint16_t i = 1; i <= happened.of(t); ++i) {
            const event& e = threads[t][i - 1U];
            if (e.what == kind::fence || e.location != of) continue;
            least = std::max(least, place_of(e, {static_cast<std::uint8_t>(t), i}));
        }
    }
    return least;
}

bool graph::may_insert(std::uint32_t place, std::uint32_t of) const noexcept {
    return place > last_place(of) || !at(write_at(place, of)).exclusive;
}

event_id graph::push(unsigned thread, event e) {
    e.stamp = next_stamp_++;
    threads[thread].push_back(e);
    return {static_cast<std::uint8_t>(thread), static_cast<std::uint16_t>(threads[thread].size())};
}

event_id graph::add_read(unsigned thread, event e) {
    const event_id id = push(thread, e);
    compute(id);
    return id;
}

event_id graph::add_write(unsigned thread, event e, std::uint32_t place) {
    const event_id id = push(thread, e);
    compute(id);
    std::vector<event_id>& order = locations[e.location].order;
    order.insert(order.begin() + static_cast<std::ptrdiff_t>(place) - 1, id);
    return id;
}

event_id graph::add_fence(unsigned thread, event e) {
    const event_id id = push(thread, e);
    compute(id);
    return id;
}

void graph::read_instead(event_id read, event_id from) {
    event& e = threads[read.thread][read.index - 1U];
    e.from = from;
    e.value = value_of(from, e.location);
    e.order = read_order(e.done, e.value);
    e.exclusive = written(e.done, e.value).has_value();
    compute(read);
}

void graph::compute(event_id id) noexcept {
    event& e = threads[id.thread][id.index - 1U];
    view v = id.index == 1 ? view{} : threads[id.thread][id.index - 2U].after;
    v.happened.add(id);
    v.causes.add(id);
    switch (e.what) {
        case kind::read:
            if (e.from.thread == event_id::initial) break;
            v.causes.join(at(e.from).after.causes);
            (is_acquire(e.order) ? v.happened : v.to_acquire).join(at(e.from).released);
            break;
        case kind::write:
            e.released = is_release(e.order) ? v.happened : v.released;
            if (e.exclusive) {  // it continues the release sequence
                const event_id before = threads[id.thread][id.index - 2U].from;
                if (before.thread != event_id::initial) e.released.join(at(before).released);
            }
            break;
        case kind::fence:
            if (e.done.what == does::light_fence) break;
            if (is_acquire(e.order)) v.happened.join(v.to_acquire);
            if (is_release(e.order)) v.released = v.happened;
            break;
    }
    e.after = v;
}

graph graph::beginning(const std::array<std::uint16_t, most_threads>& lengths) const {
    graph g;
    for (unsigned t = 0; t < most_threads; ++t) g.threads[t].assign(threads[t].begin(), threads[t].begin() + lengths[t]);
    g.locations.reserve(locations.size());
    for (const location& l : locations) {
        location& kept = g.locations.emplace_back(location{l.key, l.initial, l.bytes, {}});
        for (const event_id w : l.order)
            if (w.index <= lengths[w.thread]) kept.order.push_back(w);
    }
    g.next_stamp_ = next_stamp_;
    return g;
}

}  // namespace parley::memory
