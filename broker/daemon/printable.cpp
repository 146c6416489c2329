#include <broker/daemon/printable.hpp>

#include <bit>
#include <cstddef>
#include <string>
#include <string_view>

namespace parley::inline v0::broker::service {
namespace {

// Plain char may have a sign.
unsigned byte_at(std::string_view text, std::size_t i) noexcept { return static_cast<unsigned char>(text[i]); }

struct character {
    std::size_t size = 1;  // in bytes
    bool is_printable = false;
};

// Begins a line, or turns the direction of what stands after it, beyond the text's end, too.
bool turns_text(unsigned code) noexcept { return (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069); }

// Unicode 3.9, table 3-7: the shortest form only, no surrogates, at most 10FFFF.
character first_of(std::string_view text) noexcept {
    const unsigned head = byte_at(text, 0);
    if (head < 0x80) return {1, head >= 0x20 && head != 0x7f};
    const auto size = static_cast<std::size_t>(std::countl_one(static_cast<unsigned char>(head)));
    if (size < 2 || size > 4 || text.size() < size) return {};
    unsigned code = head & (0x7fu >> size);
    for (std::size_t i = 1; i < size; ++i) {
        if ((byte_at(text, i) & 0xc0u) != 0x80) return {};
        code = code << 6 | (byte_at(text, i) & 0x3fu);
    }
    const unsigned least = size == 2 ? 0x80 : size == 3 ? 0x800 : 0x10000;
    if (code < least || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return {};
    return {size, code >= 0xa0 && !turns_text(code)};  // below a0: control characters
}

}  // namespace

std::string printable(std::string_view text) {
    std::string all;
    while (!text.empty()) {
        const character c = first_of(text);
        all += c.is_printable ? text.substr(0, c.size) : "?";
        text.remove_prefix(c.size);
    }
    return all;
}

}  // namespace parley::inline v0::broker::service
