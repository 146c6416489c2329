#include <broker/daemon/allotment_writer.hpp>

#include <parley/detail/sync/versioned.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <tuple>

namespace parley::inline v0::broker::service {
namespace {

using sync::set_part;

auto binding(const allotted& a) { return std::tie(a.alone, a.shared, a.slot_length, a.slot_period, a.first_slot); }

void put_words(core_words& to, const core_set& from) noexcept {
    for (std::size_t i = 0; i < to.size(); ++i) set_part(to[i], from[i]);
}

}  // namespace

core_set allotted::all() const noexcept {
    core_set both = alone;
    for (std::size_t i = 0; i < both.size(); ++i) both[i] |= shared[i];
    return both;
}

std::uint32_t allotted::count() const noexcept {
    int n = 0;
    for (const std::uint64_t word : all()) n += std::popcount(word);
    return static_cast<std::uint32_t>(n);
}

page_change allotment_writer::change_by(const allotted& next) const noexcept {
    const core_set before = last_.all();
    const core_set after = next.all();
    bool takes = false, adds = false;
    for (std::size_t i = 0; i < before.size(); ++i) {
        takes = takes || (before[i] & ~after[i]) != 0;
        adds = adds || (after[i] & ~before[i]) != 0;
    }
    return !takes ? page_change::other : adds ? page_change::moves : page_change::only_takes;
}

bool allotment_writer::write(const allotted& next, nanoseconds now) noexcept {
    set_part(page_->desire, next.desire);
    set_part(page_->judged, static_cast<std::uint32_t>(next.judged));
    const bool is_new = generation_ == 0 || binding(next) != binding(last_);
    last_ = next;
    if (!is_new) return false;
    generation_ = sync::write_whole(page_->generation, [&] {
        set_part(page_->cores, next.count());
        put_words(page_->alone, next.alone);
        put_words(page_->shared, next.shared);
        set_part(page_->slot_phase, nanoseconds{0});
        set_part(page_->slot_length, next.slot_length);
        set_part(page_->slot_period, next.slot_period);
        set_part(page_->first_slot, next.first_slot);
        set_part(page_->own_slots, 1u);
    });
    changed_at_ = now;
    return true;
}

void allotment_writer::beat(nanoseconds now) noexcept { set_part(page_->heartbeat, now); }

}  // namespace parley::inline v0::broker::service
