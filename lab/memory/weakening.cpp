#include <lab/memory/weakening.hpp>

#include <array>
#include <regex>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace parley::memory {

namespace {

std::optional<weakening> now;
bool has_met = false;

constexpr std::array orders{std::memory_order_relaxed, std::memory_order_acquire, std::memory_order_release,
                            std::memory_order_acq_rel, std::memory_order_seq_cst};

}  // namespace

weakening weakening_of(const std::string& text) {
    static const std::regex form(R"(([^:=]+):(\d{1,6})(?::(\d{1,6}))?=(failure:)?(\w+))");
    std::smatch m;
    if (!std::regex_match(text, m, form)) throw std::invalid_argument("'" + text + "' is no FILE:LINE[:COLUMN]=ORDER");
    for (const std::memory_order order : orders) {
        if (m[5] != name_of(order)) continue;
        return {.file = m[1],
                .line = static_cast<std::uint32_t>(std::stoul(m[2])),
                .column = m[3].matched ? static_cast<std::uint32_t>(std::stoul(m[3])) : 0,
                .order = order,
                .of_failure = m[4].matched};
    }
    throw std::invalid_argument("'" + m[5].str() + "' is no memory order");
}

void set_weakening(std::optional<weakening> which) {
    now = std::move(which);
    has_met = false;
}
bool was_weakened() noexcept { return has_met; }

operation weakened(operation o) noexcept {
    if (!now || o.site.line() != now->line || (now->column != 0 && o.site.column() != now->column)) return o;
    if (!std::string_view(o.site.file_name()).ends_with(now->file)) return o;
    has_met = true;
    (now->of_failure ? o.failure : o.order) = now->order;
    return o;
}

}  // namespace parley::memory
