#include "broker/command/picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <broker/policy/classes.hpp>
#include <broker/policy/decision.hpp>
#include <cstddef>

namespace parley_cli {
namespace {

using namespace parley::broker;

constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
constexpr std::size_t cores_per_line = 64;
constexpr std::size_t shown_events = 12;

char letter_of(program_id p) { return letters[(p - 1) % letters.size()]; }

// Of the terminal's six colours that are neither black nor white.
std::string in_colour(program_id p, std::string_view text) {
    return fmt::format("\033[30;{}m{}\033[0m", 41 + (p - 1) % 6, text);
}

std::string core_drawn(const core_entry& c, const terminal& on) {
    const char mark = c.holders == 0 ? '.' : c.holders > 1 ? '+' : letter_of(c.first);
    if (!on.coloured) {
        return std::string(1, mark);
    }
    return c.holders == 0 ? fmt::format("{} ", mark) : in_colour(c.first, fmt::format("{} ", mark));
}

std::string bars(const picture& p, const terminal& on) {
    std::string text;
    std::size_t in_line = 0;
    for (std::size_t i = 0; i < p.cores.size(); ++i) {
        if (i == 0 || p.cores[i].section != p.cores[i - 1].section) {
            text += fmt::format("{}section {:<4} ", i == 0 ? "" : "\n", p.cores[i].section);
            in_line = 0;
        } else if (in_line == cores_per_line) {
            text += fmt::format("\n{:13}", "");
            in_line = 0;
        }
        text += core_drawn(p.cores[i].is, on);
        ++in_line;
    }
    return text + "\n";
}

}  // namespace

double wasted(const program_row& p) {
    const auto held = static_cast<double>(p.held);
    return p.held == 0 ? 0.0 : 1.0 - std::min(1.0, static_cast<double>(p.useful) / held);
}

std::string name_of(const program_row& p) {
    std::string name(p.name.begin(), std::find(p.name.begin(), p.name.end(), '\0'));
    return name.empty() ? "-" : name;
}

std::string class_of(const program_row& p) { return p.judged <= 2 ? name_of(static_cast<program_class>(p.judged)) : "?"; }

std::string text_of(const event_row& e) {
    const char* why = e.why <= static_cast<std::uint32_t>(last_reason) ? name_of(static_cast<reason>(e.why)) : "?";
    switch (e.what) {
        case event_kind::gets: return fmt::format("program {} gets core {}: {}", e.program, e.number, why);
        case event_kind::loses: return fmt::format("program {} loses core {}: {}", e.program, e.number, why);
        case event_kind::leads: return fmt::format("section {} leads program {}: {}", e.section, e.program, why);
        case event_kind::moved: return fmt::format("program {} ran outside its cores: its threads were moved", e.program);
        case event_kind::could_not_be_moved:
            return fmt::format("program {} runs outside its cores, and the system does not let it be moved", e.program);
        case event_kind::freed: return fmt::format("program {} keeps to its cores again", e.program);
    }
    return "?";
}

std::string drawn(const picture& p, const terminal& on) {
    const auto count = [](std::size_t n, std::string_view what) {
        return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
    };
    std::string text = fmt::format("broker {}: {}, {}, {}; quantum {} ms\n", p.machine.pid, count(p.machine.cores, "core"),
                                   count(p.machine.sections, "section"), count(p.programs.size(), "program"),
                                   static_cast<double>(p.machine.quantum) / 1e6);
    text += bars(p, on);
    text += on.bold(fmt::format("  {:>7} {:<16} {:>8} {:>6} {:>7} {:<11} {:>6} {:>9} {:>6}", "program", "name", "pid", "uid",
                                "section", "class", "desire", "allotment", "waste"));
    text += "\n";
    for (const program_row& r : p.programs) {
        const std::string mark(1, letter_of(r.program));
        text += fmt::format("{} {:>7} {:<16.16} {:>8} {:>6} {:>7} {:<11} {:>6} {:>9} {:>5.0f}%\n",
                            on.coloured ? in_colour(r.program, mark) : mark, r.program, name_of(r), r.pid, r.user, r.section,
                            r.is_asleep != 0 ? "asleep" : class_of(r), r.desire, r.cores, wasted(r) * 100);
    }
    for (std::size_t i = p.events.size() - std::min(p.events.size(), shown_events); i < p.events.size(); ++i) {
        const double ago = static_cast<double>(p.machine.clock - std::min(p.machine.clock, p.events[i].when)) / 1e9;
        text += fmt::format("{:>9.3f} s ago  {}\n", ago, text_of(p.events[i]));
    }
    return text;
}

}  // namespace parley_cli
