// The default policy: desire grows and shrinks by factors (desire.hpp), the cores are divided fairly among the desires
// (equipartition.hpp), and as few as possible change hands.
//
// A program keeps the cores it holds. What it does not desire it gives up unasked, worst worker first. What it lacks
// it takes from idle cores of its leader's section; then from programs above their share that are led there, the
// inefficient ones first; then from other sections, nearest first. It shares a core only if there are too few for
// one each, or none that it may use can be had alone, and leaves it as soon as there is a better one. For programs
// that may not use all cores others make room (make_room.hpp). Who is asleep has no share and holds nothing until it
// runs again.
#pragma once

#include <broker/policy/equipartition.hpp>
#include <broker/policy/policy.hpp>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace parley::inline v0::broker {

struct fair_share_options {
    desire_options desire = {};
    // Of a program that has just come: all, of which it gets its fair share. Alone it need not grow into the machine,
    // and one that cannot use it gives half of it back in each quantum.
    std::uint32_t first_desire = unlimited;
    user_caps caps = {};
    // Who is alone gets all that it has workers for, whatever it desires: nobody else wants them, and its next phase may
    // be wide.
    bool alone_gets_all = true;
    friend bool operator==(const fair_share_options&, const fair_share_options&) = default;
};

class fair_share final : public policy {
public:
    explicit fair_share(fair_share_options o = {}) : options_(std::move(o)) {}

    void welcome(led_program&, const knowledge&) const override;
    void judge(led_program&, const program_use&, nanoseconds quantum, const knowledge&) const override;
    void compute_shares(knowledge&) const override;
    [[nodiscard]] std::uint32_t lacks(const led_program&, const knowledge&) const override;
    [[nodiscard]] std::vector<release> releases(const led_program&, const knowledge&) const override;
    [[nodiscard]] std::optional<gift> give(program_id taker, const knowledge&) const override;
    [[nodiscard]] std::optional<section_id> ask(const led_program&, const knowledge&) const override;
    [[nodiscard]] std::optional<sharing> ask_to_share(const led_program&, const knowledge&) const override;
    [[nodiscard]] std::optional<gift> share(program_id taker, terms, const knowledge&) const override;

private:
    [[nodiscard]] std::uint32_t keeps(const led_program&, const knowledge&) const;

    fair_share_options options_;
};

}  // namespace parley::inline v0::broker
