// The policy of the paper: its figure 3 as it stands, for comparison [BI §2.3, §2.5].
//
// Each program that is efficient and satisfied gets one core more per quantum: from an inefficient program of its
// section that has more than one; else by broadcast to the other sections; else it shares the core of the worst worker
// of the efficient and satisfied program that has most cores. The functions have the figure's names.
//
// Where the paper says nothing, or two things:
// - By how much desire changes: one core, as allotments do.
// - Cores of programs that have ended: no line of the figure would ever give them to anybody. They are available, too.
// - The figure takes whom to share with from outside SI, the text says "another" program: outside, if there is an
//   outside. Its worst worker's core that the asker does not have already.
// - "According to a configurable efficiency threshold time-sharing will be allowed": if that worker's efficiency is
//   not above the threshold. By default always, as in the figure.
// - Efficient and deprived programs get nothing in the figure; in the text "if other processes become less efficient
//   then resources will be redistributed". The figure, unless `serves_deprived`.
// - Programs that may not use all cores: each line passes over cores that the program may not use.
#pragma once

#include <broker/policy/policy.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>

namespace parley::inline v0::broker {

struct bias_options {
    double least_efficiency = 0.8;          // below it: inefficient
    double most_efficiency_to_share = 1.0;  // of a worker whose core is to be shared
    bool starts_everywhere = true;          // "both applications initially spawn 8 workers, one on each core" [BI §5]
    bool serves_deprived = false;
    friend bool operator==(const bias_options&, const bias_options&) = default;
};

// [BI §5]: programs report every 3 s, sections allot every 6 s.
inline constexpr nanoseconds paper_report_quantum = 3'000'000'000;
inline constexpr nanoseconds paper_allotment_quantum = 6'000'000'000;

class bias_policy final : public policy {
public:
    explicit bias_policy(bias_options o = {}) : options_(o) {}

    [[nodiscard]] std::optional<gift> get_available_core(program_id taker, const knowledge&) const;
    [[nodiscard]] std::optional<section_id> broadcast_for_available_core(const led_program&, const knowledge&) const;
    [[nodiscard]] std::optional<section_id> has_most_cores(program_id taker, const knowledge&) const;
    [[nodiscard]] std::optional<gift> get_core_to_timeshare_with(program_id taker, const knowledge&) const;

    void welcome(led_program&, const knowledge&) const override;
    void judge(led_program&, const program_use&, nanoseconds quantum, const knowledge&) const override;
    [[nodiscard]] std::uint32_t lacks(const led_program& p, const knowledge&) const override {
        return p.starting ? p.wish.cores - std::min(p.wish.cores, p.held()) : p.wanted;
    }
    [[nodiscard]] std::optional<gift> give(program_id taker, const knowledge&) const override;
    [[nodiscard]] std::optional<section_id> ask(const led_program&, const knowledge&) const override;
    [[nodiscard]] std::optional<sharing> ask_to_share(const led_program&, const knowledge&) const override;
    [[nodiscard]] std::optional<gift> share(program_id taker, terms, const knowledge&) const override;

private:
    bias_options options_;
};

}  // namespace parley::inline v0::broker
