#include <broker/daemon/memory.hpp>

#include <cstddef>
#include <fcntl.h>
#include <new>
#include <optional>
#include <sys/mman.h>

namespace parley::inline v0::broker::service {
namespace {

descriptor file_of(const char* name, std::size_t size) {
    descriptor file(memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING));
    if (file && ftruncate(file.get(), static_cast<off_t>(size)) != 0) file.reset();
    return file;
}

void* map(const descriptor& file, std::size_t size, int how) {
    void* const at = mmap(nullptr, size, how, MAP_SHARED | MAP_POPULATE, file.get(), 0);
    return at == MAP_FAILED ? nullptr : at;
}

}  // namespace

void unmap::operator()(const void* page) const noexcept { munmap(const_cast<void*>(page), size); }

std::optional<page_pair> make_pages() {
    page_pair p;
    p.allotment_file = file_of("parley-allotment", sizeof(allotment_page));
    p.feedback_file = file_of("parley-feedback", sizeof(feedback_page));
    if (!p.allotment_file || !p.feedback_file) return std::nullopt;
    void* const down = map(p.allotment_file, sizeof(allotment_page), PROT_READ | PROT_WRITE);
    if (down == nullptr) return std::nullopt;
    p.allotment = mapped<allotment_page>(::new (down) allotment_page, unmap{sizeof(allotment_page)});
    void* const up = map(p.feedback_file, sizeof(feedback_page), PROT_READ);
    if (up == nullptr) return std::nullopt;
    // Zeros, as a new file is, are what its constructor would write.
    p.feedback = mapped<const feedback_page>(static_cast<const feedback_page*>(up), unmap{sizeof(feedback_page)});
    // A file cut short would kill who reads its memory. From FUTURE_WRITE on only the mapping above can write.
    const int sizes = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
    if (fcntl(p.allotment_file.get(), F_ADD_SEALS, sizes | F_SEAL_FUTURE_WRITE) != 0) return std::nullopt;
    if (fcntl(p.feedback_file.get(), F_ADD_SEALS, sizes) != 0) return std::nullopt;
    return p;
}

}  // namespace parley::inline v0::broker::service
