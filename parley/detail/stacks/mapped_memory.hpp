// Which memory of this process lies around an address, for people who look for a stack.
#pragma once

#include <cstdint>
#include <vector>

namespace parley::inline v0::threading {

class mapped_memory {
public:
    struct range {
        std::uintptr_t lowest = 0;
        std::uintptr_t end = 0;
    };

    // Reads what the kernel shows now, which may be nothing.
    mapped_memory();

    // Returns {0, 0} if it is not known. A page of other rights lies below each stack, so a range is one stack.
    [[nodiscard]] range around(std::uintptr_t address) const noexcept;

private:
    std::vector<range> ranges_;  // in the order of their addresses
};

}  // namespace parley::inline v0::threading
