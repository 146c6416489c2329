#include <lab/memory/readable.hpp>

#include <array>
#include <cstddef>
#include <cstdio>
#include <string_view>

namespace parley::memory {

namespace {

std::string text_of_id(event_id e) {
    return e.thread == event_id::initial ? "the initial value" : std::to_string(e.thread) + "." + std::to_string(e.index);
}

std::string text_of_value(std::uint64_t value) {
    if (value < 1000) return std::to_string(value);
    std::array<char, 24> text{};
    std::snprintf(text.data(), text.size(), "0x%llx", static_cast<unsigned long long>(value));
    return text.data();
}

std::string text_of_event(const graph& g, event_id id) {
    const event& e = g.at(id);
    const std::string_view path = e.done.site.file_name();
    std::string text = text_of_id(id) + "  " + name_of(e.done.what) + "(" + name_of(e.order) + ")";
    if (e.what != kind::fence) text += " l" + std::to_string(e.location);
    if (e.what == kind::read) text += " reads " + text_of_value(e.value) + " from " + text_of_id(e.from);
    if (e.what == kind::write)
        text += " writes " + text_of_value(e.value) + ", place " + std::to_string(g.place_of(id, e.location));
    if (e.done.site.line() != 0)
        text += "  " + std::string(path.substr(path.rfind('/') + 1)) + ":" + std::to_string(e.done.site.line());
    return text + "\n";
}

}  // namespace

std::string text_of(const graph& g) {
    std::string text;
    std::array<std::uint16_t, most_threads> done{};
    for (bool goes_on = true; goes_on;) {
        goes_on = false;
        for (std::uint8_t t = 0; t < most_threads; ++t) {
            while (done[t] < g.threads[t].size()) {
                const event& e = g.threads[t][done[t]];
                if (e.what == kind::read && e.from.thread != event_id::initial && done[e.from.thread] < e.from.index) break;
                ++done[t];
                text += text_of_event(g, {t, done[t]});
                goes_on = true;
            }
        }
    }
    return text;
}

}  // namespace parley::memory
