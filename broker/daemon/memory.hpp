// The two pages of a program (pages.hpp) as memory that it shares with the broker, and with nobody else.
#pragma once

#include <broker/client/descriptor.hpp>
#include <broker/client/pages.hpp>

#include <cstddef>
#include <memory>
#include <optional>

namespace parley::inline v0::broker::service {

struct unmap {
    std::size_t size;
    void operator()(const void* page) const noexcept;
};
template <class Page>
using mapped = std::unique_ptr<Page, unmap>;

struct page_pair {
    mapped<allotment_page> allotment;      // writable here only
    mapped<const feedback_page> feedback;  // not writable here
    // To be given to the program.
    descriptor allotment_file, feedback_file;
};

// None, if the system has no descriptors or memory left.
[[nodiscard]] std::optional<page_pair> make_pages();

}  // namespace parley::inline v0::broker::service
