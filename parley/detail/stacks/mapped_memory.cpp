#include <parley/detail/stacks/mapped_memory.hpp>

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <memory>

namespace parley::inline v0::threading {

mapped_memory::mapped_memory() {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen("/proc/self/maps", "re"), &std::fclose);
    if (file == nullptr) return;
    range r;
    while (std::fscanf(file.get(), "%" SCNxPTR "-%" SCNxPTR "%*[^\n]", &r.lowest, &r.end) == 2) ranges_.push_back(r);
}

mapped_memory::range mapped_memory::around(std::uintptr_t address) const noexcept {
    for (const range& r : ranges_)
        if (address >= r.lowest && address < r.end) return r;
    return {};
}

}  // namespace parley::inline v0::threading
