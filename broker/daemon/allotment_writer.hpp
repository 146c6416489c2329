// The writing side of a program's allotment page: one at any time, whoever leads the program.
#pragma once

#include <broker/client/pages.hpp>
#include <broker/daemon/process.hpp>
#include <broker/policy/classes.hpp>

#include <cstdint>

namespace parley::inline v0::broker::service {

struct allotted {
    core_set alone{}, shared{};  // by the system's numbers
    std::uint32_t desire = 0;
    program_class judged = program_class::satisfied;
    nanoseconds slot_length = 0;  // 0: no turns
    std::uint32_t slot_period = 1, first_slot = 0;

    [[nodiscard]] core_set all() const noexcept;
    [[nodiscard]] std::uint32_t count() const noexcept;
};

// What a page's next content does to what the program may use. Pages are written in this order.
enum class page_change : std::uint8_t {
    only_takes,  // cores away
    moves,       // takes some away and adds others
    other,
};

class allotment_writer {
public:
    explicit allotment_writer(allotment_page& page) noexcept : page_(&page) {}

    // Returns whether the program has to look: what it only may like to know makes no new generation.
    bool write(const allotted&, nanoseconds now) noexcept;
    void beat(nanoseconds now) noexcept;

    [[nodiscard]] page_change change_by(const allotted& next) const noexcept;
    [[nodiscard]] const allotted& last() const noexcept { return last_; }
    [[nodiscard]] std::uint32_t generation() const noexcept { return generation_; }
    [[nodiscard]] nanoseconds changed_at() const noexcept { return changed_at_; }

private:
    allotment_page* page_;
    allotted last_;
    std::uint32_t generation_ = 0;
    nanoseconds changed_at_ = 0;
};

}  // namespace parley::inline v0::broker::service
