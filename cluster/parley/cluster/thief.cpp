#include <parley/cluster/thief.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

namespace parley::inline v0::cluster {

thief::thief(std::span<const position> neighbours, const options& how, sender& out)
    : out_(&out),
      how_(how.steal),
      random_(how.seed * 0x9E3779B97F4A7C15u + out.self()),
      order_(neighbours.begin(), neighbours.end()) {}

void thief::advance(const need& wanted, const load& l) {
    if (is_out_) return;
    const bool wants = !has_stopped_ && how_ != stealing::none && (wanted.is_idle || wanted.starving > 0);
    // Whoever has offered waits for a word (victim.hpp counts them).
    while (!wants && !offers_.empty()) {
        out_->send(offers_.front(), {.kind = message_kind::decline});
        offers_.pop_front();
    }
    if (!wants) {
        is_in_round_ = false;
        return;
    }
    // Marks that say "early" are worth less: who has become idle since asks everybody once more.
    if (!is_in_round_ || (round_is_early_ && wanted.is_idle)) {
        is_in_round_ = true;
        round_is_early_ = !wanted.is_idle;
        next_ = 0;
        for (std::size_t i = order_.size(); i > 1; --i)
            std::swap(order_[i - 1], order_[random_.below(static_cast<std::uint32_t>(i))]);
        if (const auto last = std::ranges::find(order_, last_victim_); has_victim_ && last != order_.end())
            std::iter_swap(order_.begin(), last);
    }
    if (const std::optional<position> victim = next_victim()) ask(*victim, wanted, l);
}

std::optional<position> thief::next_victim() {
    if (!offers_.empty()) {
        const position p = offers_.front();
        offers_.pop_front();
        return p;
    }
    if (next_ < order_.size()) return order_[next_++];
    return std::nullopt;
}

void thief::ask(position victim, const need& wanted, const load& l) {
    const bool half = how_ == stealing::half || (how_ == stealing::adaptive && adaptive_.wish() == protocol::amount::half);
    is_out_ = true;
    asked_ = victim;
    ++out_->count.requests;
    out_->send(victim, {.kind = message_kind::request,
                        .is_early = !wanted.is_idle,
                        .half = half,
                        .count = wanted.starving + (wanted.is_idle ? 1u : 0u),
                        .room = l.room()});
}

void thief::answered_nothing() {
    is_out_ = false;
    ++out_->count.refused;
    if (has_victim_ && asked_ == last_victim_) has_victim_ = false;
}

void thief::answered_tasks(const load& l) {
    is_out_ = false;
    is_in_round_ = false;
    has_victim_ = true;
    last_victim_ = asked_;
    ++out_->count.steals;
    adaptive_.stole(l.tasks_run());
}

}  // namespace parley::inline v0::cluster
