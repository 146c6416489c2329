// Which memory of this process lies around an address: for people who look for a stack.
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

    // As the kernel shows it now. Knows nothing where it shows nothing.
    mapped_memory();

    // {0, 0}: it is not known. Below each stack lies a page of other rights, so a range is one stack.
    [[nodiscard]] range around(std::uintptr_t address) const noexcept;

private:
    std::vector<range> ranges_;  // in the order of their addresses
};

}  // namespace parley::inline v0::threading
