// What a program did with the cores it held: from its feedback page, the service's own clock and the system's.
#pragma once

#include <broker/client/pages.hpp>
#include <broker/daemon/machine.hpp>
#include <broker/policy/feedback.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace parley::inline v0::broker::service {

class usage {
public:
    // `workers`: as many lines of the page are looked at. `ran`: what it has run before; if that is not known of a led
    // program, it begins with the first take().
    usage(std::uint32_t workers, bool is_led, nanoseconds began, std::optional<nanoseconds> ran = std::nullopt);

    // From now on it holds these cores, each with so many others: of a core that n programs share each holds one nth of
    // the time.
    void holds(std::map<core_id, std::uint32_t> holders, nanoseconds now);

    // Copies the lines that are whole.
    void look(const feedback_page&, nanoseconds now) noexcept;

    // What it did since the last time, and in how long. `ran`: its run time since its start, where the system says so.
    struct spell {
        program_use use;
        nanoseconds length = 0;
        // As long as the cores were there that it held in this spell or the last one: who has lost some leaves them a
        // little later. Shared ones count as its own, since others may leave them to it.
        nanoseconds room = 0;
    };
    [[nodiscard]] spell take(const machine&, std::optional<nanoseconds> ran, nanoseconds now);

    // The room of the spell that has not ended.
    [[nodiscard]] nanoseconds room_until(nanoseconds now);
    [[nodiscard]] nanoseconds since() const noexcept { return since_; }

private:
    struct line {
        core_counters said;  // core: the system's number
        meter counts;
    };
    void account(nanoseconds now);
    [[nodiscard]] std::vector<core_id> held_now() const;
    [[nodiscard]] nanoseconds room_of(const std::vector<core_id>& held, nanoseconds length) const;
    program_use from_lines(const machine&);
    program_use from_run_time(nanoseconds ran);

    std::vector<line> lines_;
    bool is_led_;
    nanoseconds began_, since_, accounted_;
    std::optional<nanoseconds> ran_at_first_, ran_;
    nanoseconds led_ran_ = 0;
    std::map<core_id, std::uint32_t> holders_;
    std::map<core_id, nanoseconds> held_;
    std::vector<core_id> held_before_;  // in the spell before
};

}  // namespace parley::inline v0::broker::service
