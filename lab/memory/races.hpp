// Data races: accesses to the same memory of which one changes it, at least one is not atomic, and neither happens before
// the other.
#pragma once

#include <lab/memory/graph.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace parley::memory {

enum class access : std::uint8_t { reads, writes, atomic, frees };

class race_detector {
public:
    // An access of `bytes` bytes at `address`, before which `happened` has happened in its thread. Returns what is wrong.
    // Any access to what was freed is a race, also in the thread that freed it.
    std::optional<std::string> see(unsigned thread, std::uintptr_t address, std::size_t bytes, access how,
                                   const clock& happened);
    void clear() noexcept { words_.clear(); }

private:
    // The latest access of its kind by a thread to these bytes of a word.
    struct seen {
        std::uint8_t bytes;  // a set
        access how;
        event_id next;  // the thread's first event that comes after the access
    };
    std::unordered_map<std::uintptr_t, std::vector<seen>> words_;
};

}  // namespace parley::memory
