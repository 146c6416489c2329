// A section's life as a log: what came in and what came of it. Sections are deterministic, so a log can be replayed,
// with the policy it was written with or with another one.
#pragma once

#include <broker/policy/section.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace parley::inline v0::broker {

struct record {
    input in;
    outcome out;
    friend bool operator==(const record&, const record&) = default;
};

// A section that keeps what it does.
class recorded_section {
public:
    recorded_section(section_id self, std::shared_ptr<const ownership> table, std::shared_ptr<const policy> how)
        : inner_(self, std::move(table), std::move(how)) {}

    outcome on(input in) {
        outcome out = inner_.on(in);
        log_.push_back({std::move(in), out});
        return out;
    }
    [[nodiscard]] const section& inner() const noexcept { return inner_; }
    [[nodiscard]] std::span<const record> log() const noexcept { return log_; }

private:
    section inner_;
    std::vector<record> log_;
};

// Gives a section that has seen nothing yet the log's inputs. Returns the first record whose outcome differs.
[[nodiscard]] inline std::optional<std::size_t> replay(section& fresh, std::span<const record> log) {
    for (std::size_t i = 0; i < log.size(); ++i)
        if (fresh.on(log[i].in) != log[i].out) return i;
    return std::nullopt;
}

}  // namespace parley::inline v0::broker
