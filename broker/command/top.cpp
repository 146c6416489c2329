// `parley top`: who has which cores, and why.
#include <fmt/format.h>

#include <cerrno>
#include <csignal>
#include <ctime>
#include <memory>
#include <nlohmann/json.hpp>
#include <system_error>

#include "broker/command/parse.hpp"
#include "broker/command/picture.hpp"
#include "broker/command/socket_option.hpp"
#include "command/json_lines.hpp"
#include "command/signals.hpp"

namespace parley_cli {
namespace {

constexpr std::uint32_t events_asked = 64;
constexpr std::string_view whole_pictures = "(pictures)";

nlohmann::json json_of(const parley::broker::program_row& r) {
    return {{"program", r.program}, {"name", name_of(r)},        {"pid", r.pid},       {"uid", r.user},
            {"section", r.section}, {"class", class_of(r)},      {"desire", r.desire}, {"allotment", r.cores},
            {"wasted", wasted(r)},  {"asleep", r.is_asleep != 0}};
}

nlohmann::json json_of(const picture& p) {
    nlohmann::json all{{"clock", p.machine.clock},         {"broker", p.machine.pid},
                       {"quantum", p.machine.quantum},     {"programs", nlohmann::json::array()},
                       {"cores", nlohmann::json::array()}, {"events", nlohmann::json::array()}};
    for (const auto& r : p.programs) {
        all["programs"].push_back(json_of(r));
    }
    for (const auto& c : p.cores) {
        all["cores"].push_back(
            {{"core", c.is.number}, {"section", c.section}, {"holders", c.is.holders}, {"program", c.is.first}});
    }
    for (const auto& e : p.events) {
        all["events"].push_back({{"when", e.when}, {"section", e.section}, {"what", text_of(e)}});
    }
    return all;
}

// Where pictures go.
class screen {
public:
    screen(const std::string& json, bool once) : once_(once), as_pictures_(json == whole_pictures) {
        if (!json.empty()) {
            json_ = std::make_unique<json_lines>(as_pictures_ ? "-" : json);
        }
    }
    void show(const picture& p) {
        if (!json_) {
            show_drawn(p);
        } else if (as_pictures_) {
            json_->append(json_of(p).dump());
        } else {
            for (const auto& r : p.programs) {
                nlohmann::json row = json_of(r);
                row["clock"] = p.machine.clock;  // tells pictures apart
                json_->append(row.dump());
            }
        }
    }
    void finish() {
        if (json_) {
            json_->finish();
        }
    }

private:
    void show_drawn(const picture& p) const {
        const bool redraws = on_.interactive && !once_;
        fmt::print("{}{}{}", redraws ? "\033[H\033[J" : "", drawn(p, on_), redraws || once_ ? "" : "\n");
        if (std::fflush(stdout) != 0) {
            throw std::system_error(errno, std::generic_category(), "cannot write standard output");
        }
    }
    bool once_, as_pictures_;
    std::unique_ptr<json_lines> json_;
    terminal on_ = terminal::of(stdout);
};

// Returns whether a signal asks to end.
bool pause_between_pictures() {
    sigset_t set;
    sigemptyset(&set);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        sigaddset(&set, signal);
    }
    constexpr timespec half_a_second{0, 500'000'000};
    return sigtimedwait(&set, nullptr, &half_a_second) > 0;
}

}  // namespace

int top_verb(arguments args) {
    bool once = false;
    std::string socket;
    std::vector<std::string> json;
    CLI::App app("Shows which programs the broker knows, which cores they have, and what was decided last.", "parley top");
    app.add_flag("--once", once, "one picture, then exit");
    add_socket_option(app, socket);
    CLI::Option* const as_json =
        app.add_option("--json", json,
                       "with FILE (- is standard output): one object per program there; without: one object per "
                       "picture on standard output")
            ->expected(0, 1)
            ->type_name("[FILE]");
    if (!parse(app, args)) {
        return exit_status::succeeded;
    }
    const std::string file = as_json->count() == 0                  ? ""
                             : json.empty() || json.front().empty() ? std::string(whole_pictures)
                                                                    : json.front();
    const std::string path = needed_socket("parley top", socket);
    screen out(file, once);
    std::unique_ptr<observer> link;
    try {
        link = std::make_unique<observer>(path);
    } catch (const usage_error& error) {
        throw usage_error(fmt::format("parley top: {}", error.what()));
    }
    block_watched_signals();
    for (;;) {
        out.show(link->look(events_asked));
        if (once) {
            out.finish();
            return exit_status::succeeded;
        }
        if (pause_between_pictures()) {
            return exit_status::was_interrupted;
        }
    }
}

}  // namespace parley_cli
