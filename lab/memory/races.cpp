#include <lab/memory/races.hpp>

#include <algorithm>
#include <cstddef>

namespace parley::memory {

namespace {

constexpr std::uintptr_t word = 8;

bool conflict(access a, access b) noexcept {
    return a == access::frees || b == access::frees ||
           (a != b ? a == access::writes || b == access::writes : a == access::writes);
}

const char* name_of(access how) noexcept {
    switch (how) {
        case access::reads: return "reads";
        case access::writes: return "writes";
        case access::atomic: return "changes by an atomic operation";
        case access::frees: return "frees";
    }
    return "";
}

}  // namespace

std::optional<std::string> race_detector::see(unsigned thread, std::uintptr_t address, std::size_t bytes, access how,
                                              const clock& happened) {
    const event_id next{static_cast<std::uint8_t>(thread), static_cast<std::uint16_t>(happened.of(thread) + 1)};
    const std::uintptr_t end = address + bytes;
    for (std::uintptr_t at = address / word * word; at < end; at += word) {
        const std::uintptr_t low = std::max(at, address) - at, high = std::min(at + word, end) - at;
        const auto set = static_cast<std::uint8_t>((0xFFU << low) & (0xFFU >> (word - high)));
        std::vector<seen>& all = words_[at];
        bool is_noted = false;
        for (seen& s : all) {
            if ((s.bytes & set) != 0 && conflict(s.how, how)) {
                const bool is_ordered = s.next.thread == thread || happened.has(s.next);
                if (!is_ordered || s.how == access::frees)
                    return std::string("data race: thread ") + std::to_string(thread) + " " + name_of(how) +
                           " what thread " + std::to_string(s.next.thread) + " " + name_of(s.how);
            }
            if (s.next.thread == thread && s.how == how && s.bytes == set) {
                s.next = next;
                is_noted = true;
            }
        }
        if (!is_noted) all.push_back({set, how, next});
    }
    return std::nullopt;
}

}  // namespace parley::memory
