#include "cluster/command/units.hpp"

#include <charconv>
#include <cmath>
#include <cstddef>
#include <system_error>

namespace parley_cli {
namespace {

// A number and what is behind it.
struct split {
    double number = 0;
    std::string_view rest;
};

std::optional<split> split_number(std::string_view text) {
    split s;
    const char* const end = text.data() + text.size();
    const auto [rest, trouble] = std::from_chars(text.data(), end, s.number, std::chars_format::fixed);
    if (text.empty() || trouble != std::errc{} || !(s.number >= 0) || !std::isfinite(s.number)) return std::nullopt;
    s.rest = std::string_view(rest, static_cast<std::size_t>(end - rest));
    return s;
}

}  // namespace

std::optional<double> seconds_in(std::string_view text) {
    const auto s = split_number(text);
    if (!s) return std::nullopt;
    if (s->rest.empty() || s->rest == "s") return s->number;
    if (s->rest == "ms") return s->number * 1e-3;
    if (s->rest == "us") return s->number * 1e-6;
    return std::nullopt;
}

std::optional<std::uint64_t> count_in(std::string_view text) {
    const auto s = split_number(text);
    if (!s) return std::nullopt;
    const double unit = s->rest.empty() ? 1 : s->rest == "k" ? 1e3 : s->rest == "M" ? 1e6 : s->rest == "G" ? 1e9 : 0;
    const double value = s->number * unit;
    // Beyond 2^53 a double has no odd numbers any more.
    if (unit == 0 || value > 9e15 || value != std::floor(value)) return std::nullopt;
    return static_cast<std::uint64_t>(value);
}

}  // namespace parley_cli
