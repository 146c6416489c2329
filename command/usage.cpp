#include "command/usage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <numeric>
#include <system_error>

namespace parley_cli {
namespace {

std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);  // from a's first i letters to b's first j
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replace = diagonal + (a[i - 1] == b[j - 1] ? 0U : 1U);
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, replace});
        }
    }
    return row[b.size()];
}

}  // namespace

std::string join(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) {
        text += text.empty() ? word : ", " + word;
    }
    return text;
}

std::string nearest(std::string_view typed, const std::vector<std::string>& known) {
    constexpr std::size_t longest = 64;  // nothing that long is a slip of the finger
    if (typed.empty() || typed.size() > longest) {
        return {};
    }
    // Two swapped letters are two edits; but something of what was typed has to be left.
    std::size_t allowed = std::min(std::max<std::size_t>(2, typed.size() / 3), typed.size() - 1);
    std::string best;
    for (const std::string& word : known) {
        const std::size_t edits = distance(typed, word);
        if (edits < allowed || (edits == allowed && best.empty())) {
            allowed = edits;
            best = word;
        }
    }
    return best;
}

std::string suggestion(std::string_view typed, const std::vector<std::string>& known) {
    const std::string near = nearest(typed, known);
    return near.empty() ? "" : fmt::format("; did you mean '{}'?", near);
}

std::optional<std::int64_t> whole_number(std::string_view text) {
    std::int64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, trouble] = std::from_chars(text.data(), end, number);
    return trouble == std::errc{} && rest == end && !text.empty() ? std::optional(number) : std::nullopt;
}

std::string shown(std::string_view typed) {
    constexpr std::size_t longest = 80;
    std::string text(typed.substr(0, longest));
    std::replace_if(text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, '?');
    return fmt::format("'{}{}'", text, typed.size() > longest ? "..." : "");
}

}  // namespace parley_cli
