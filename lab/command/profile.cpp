#include "lab/command/profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string_view>

namespace parley_cli {
namespace {

using parley_peers::worker_times;

struct part {
    std::string_view name;
    double worker_times::* seconds;
    std::string_view block, letter;  // one column of a bar
    int colour;                      // the terminal's
    std::string_view fill;           // the picture's
};
constexpr std::array<part, 5> parts{{
    {"running tasks", &worker_times::running, "█", "#", 32, "#3a7d44"},
    {"enqueueing, dequeueing", &worker_times::queueing, "▓", "+", 36, "#2d7dd2"},
    {"moving tasks", &worker_times::moving_tasks, "▒", "o", 33, "#f2a541"},
    {"moving requests", &worker_times::moving_requests, "░", ".", 31, "#c8553d"},
    {"idle", &worker_times::idle, " ", " ", 0, "#dddddd"},
}};

double all_of(const worker_times& w) {
    double sum = 0;
    for (const part& p : parts) {
        sum += w.*p.seconds;
    }
    return sum;
}

double share(const worker_times& w, const part& p) {
    const double all = all_of(w);
    return all > 0 ? std::max(0.0, w.*p.seconds / all) : 0.0;  // what is left may be less than nothing by rounding
}

std::string bar_of(const worker_times& w, const terminal& t) {
    constexpr double width = 40;
    std::string bar;
    double up_to = 0;
    long drawn = 0;
    for (const part& p : parts) {
        up_to += share(w, p) * width;
        std::string piece;
        for (; drawn < std::lround(up_to); ++drawn) {
            piece += t.utf8 ? p.block : p.letter;
        }
        bar += t.coloured && p.colour != 0 && !piece.empty() ? fmt::format("\033[{}m{}\033[0m", p.colour, piece) : piece;
    }
    return bar + std::string(static_cast<std::size_t>(std::lround(width) - drawn), ' ');
}

std::string escaped(std::string_view text) {
    std::string safe;
    for (const char c : text) {
        switch (c) {
            case '&': safe += "&amp;"; break;
            case '<': safe += "&lt;"; break;
            case '>': safe += "&gt;"; break;
            default: safe += c;
        }
    }
    return safe;
}

}  // namespace

std::string profile_chart(const std::vector<worker_times>& workers, const terminal& t) {
    if (workers.empty()) {
        return "";
    }
    std::string text = "  time of each worker, in percent:";
    for (const part& p : parts) {
        text += fmt::format(" {} {}{}", t.utf8 ? p.block : p.letter, p.name, &p == &parts.back() ? "\n" : ",");
    }
    for (std::size_t i = 0; i < workers.size(); ++i) {
        text += fmt::format("  worker {:>3}  {} ", i, bar_of(workers[i], t));
        for (const part& p : parts) {
            text += fmt::format(" {:5.1f}", 100 * share(workers[i], p));
        }
        text += "\n";
    }
    return text;
}

std::string profile_picture(const std::vector<worker_times>& workers, const std::string& title) {
    constexpr double left = 60, top = 64, width = 720, row = 18, bar = 14;
    const double bottom = top + row * static_cast<double>(workers.size());
    std::string svg = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
        "font-family=\"sans-serif\" font-size=\"12\">\n"
        "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
        "<text x=\"{2}\" y=\"20\" font-size=\"14\">{3}</text>\n",
        left + width + 40, bottom + 40, left, escaped(title));
    double legend = left;
    for (const part& p : parts) {
        svg += fmt::format(
            "<rect x=\"{}\" y=\"34\" width=\"12\" height=\"12\" fill=\"{}\"/>"
            "<text x=\"{}\" y=\"44\">{}</text>\n",
            legend, p.fill, legend + 16, p.name);
        legend += 34 + 6.6 * static_cast<double>(p.name.size());
    }
    for (std::size_t i = 0; i < workers.size(); ++i) {
        const double y = top + row * static_cast<double>(i);
        svg += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>", left - 8, y + 11, i);
        double x = left;
        for (const part& p : parts) {
            const double length = width * share(workers[i], p);
            svg += fmt::format(
                "<rect x=\"{:.2f}\" y=\"{}\" width=\"{:.2f}\" height=\"{}\" fill=\"{}\">"
                "<title>worker {}: {} {:.2f} %, {:.4g} s</title></rect>",
                x, y, length, bar, p.fill, i, p.name, 100 * share(workers[i], p), workers[i].*p.seconds);
            x += length;
        }
        svg += "\n";
    }
    for (int percent = 0; percent <= 100; percent += 20) {
        const double x = left + width * percent / 100;
        svg += fmt::format(
            "<line x1=\"{0}\" x2=\"{0}\" y1=\"{1}\" y2=\"{2}\" stroke=\"#555555\"/>"
            "<text x=\"{0}\" y=\"{3}\" text-anchor=\"middle\">{4} %</text>\n",
            x, bottom, bottom + 5, bottom + 20, percent);
    }
    return svg + fmt::format(
                     "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">share of the time of each worker"
                     "</text>\n</svg>\n",
                     left + width / 2, bottom + 36);
}

}  // namespace parley_cli
