#include "lab/command/sim/cost_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <ios>
#include <nlohmann/json.hpp>
#include <parley_cost_files.hpp>
#include <sstream>
#include <utility>

#include "command/usage.hpp"

namespace parley_cli {
namespace {

using nlohmann::ordered_json;
using parley::sim::timed::costs;
using parley::sim::timed::duration;

template <class T>
using field = std::pair<const char*, T*>;

std::vector<field<std::uint32_t>> places_of(costs& c) {
    auto& p = c.places;
    return {{"sockets", &p.sockets},
            {"nodes_per_socket", &p.nodes_per_socket},
            {"cores_per_node", &p.cores_per_node},
            {"threads_per_core", &p.threads_per_core}};
}
std::vector<field<duration>> lines_of(costs& c) {
    auto& l = c.line;
    return {{"core", &l.core}, {"node", &l.node}, {"socket", &l.socket}, {"machine", &l.machine}};
}
std::vector<field<duration>> operations_of(costs& c) {
    return {{"push", &c.push},
            {"pop", &c.pop},
            {"poll", &c.poll},
            {"peek", &c.peek},
            {"send_request", &c.send_request},
            {"receive_request", &c.receive_request},
            {"send_tasks", &c.send_tasks},
            {"receive_tasks", &c.receive_tasks},
            {"steal", &c.steal},
            {"steal_each", &c.steal_each},
            {"split", &c.split},
            {"exchange", &c.exchange},
            {"turn", &c.turn},
            {"block", &c.block},
            {"sleep", &c.sleep},
            {"wake", &c.wake},
            {"wake_delay", &c.wake_delay},
            {"signal", &c.signal},
            {"signal_delay", &c.signal_delay},
            {"handler", &c.handler},
            {"suspend", &c.suspend}};
}
std::vector<field<duration>> work_of(costs& c) {
    auto& w = c.work;
    return {{"uts_node", &w.uts_node},
            {"queens_square", &w.queens_square},
            {"multiply_add", &w.multiply_add},
            {"sort_compare", &w.sort_compare},
            {"merge_element", &w.merge_element}};
}

class reader {
public:
    explicit reader(std::string who) : who_(std::move(who)) {}

    [[noreturn]] void refuse(const std::string& what) const {
        throw usage_error(fmt::format("parley sim: {}: {}", who_, what));
    }

    // Whatever is in the object, and nothing else.
    const ordered_json& object(const ordered_json& in, const std::string& key) const {
        if (!in.contains(key)) {
            refuse(fmt::format("{} is missing", key));
        }
        if (!in.at(key).is_object()) {
            refuse(fmt::format("{}: wants an object", key));
        }
        return in.at(key);
    }
    void only(const ordered_json& in, const std::string& path, const std::vector<std::string>& known) const {
        for (const auto& [key, value] : in.items()) {
            if (std::find(known.begin(), known.end(), key) == known.end()) {
                refuse(
                    fmt::format("there is no key {}{}; keys: {}{}", path, shown(key), join(known), suggestion(key, known)));
            }
        }
    }
    template <class T, class Read>
    void fields(const ordered_json& file, const std::string& part, const std::vector<field<T>>& all,
                const Read& read) const {
        const ordered_json& in = object(file, part);
        std::vector<std::string> known;
        for (const auto& [key, where] : all) {
            known.emplace_back(key);
        }
        only(in, part + ".", known);
        for (const auto& [key, where] : all) {
            const std::string path = fmt::format("{}.{}", part, key);
            if (!in.contains(key)) {
                refuse(path + " is missing");
            }
            *where = read(in.at(key), path);
        }
    }
    [[nodiscard]] duration nanoseconds(const ordered_json& value, const std::string& path) const {
        constexpr double most = 1e9;
        if (!value.is_number() || !(value.get<double>() >= 0) || value.get<double>() > most) {
            refuse(fmt::format("{}: {} is not allowed; allowed: nanoseconds from 0 to 1e9", path, value.dump()));
        }
        return std::llround(value.get<double>() * 1000.0);
    }
    [[nodiscard]] std::uint32_t count(const ordered_json& value, const std::string& path, std::int64_t most) const {
        if (!value.is_number_integer() || value.get<std::int64_t>() < 1 || value.get<std::int64_t>() > most) {
            refuse(fmt::format("{}: {} is not allowed; allowed: a whole number from 1 to {}", path, value.dump(), most));
        }
        return value.get<std::uint32_t>();
    }

private:
    std::string who_;
};

}  // namespace

const std::vector<std::string>& known_machines() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all;
        for (const auto& [name, text] : cost_files) {
            all.emplace_back(name);
        }
        return all;
    }();
    return names;
}

costs costs_from(std::string_view text, const std::string& who) {
    const reader r(who);
    const ordered_json file = ordered_json::parse(text, nullptr, false);
    if (!file.is_object()) {
        r.refuse("this is no JSON object");
    }
    r.only(
        file, "",
        {"name", "topology", "thread_percent", "work_percent", "line_ns", "operation_ns", "switch_ns", "work_ns", "notes"});
    costs c;
    if (!file.contains("name") || !file.at("name").is_string()) {
        r.refuse("name is missing, or no string");
    }
    c.name = file.at("name").get<std::string>();
    r.fields(file, "topology", places_of(c),
             [&](const ordered_json& v, const std::string& path) { return r.count(v, path, 1024); });
    const auto time = [&](const ordered_json& v, const std::string& path) { return r.nanoseconds(v, path); };
    r.fields(file, "line_ns", lines_of(c), time);
    r.fields(file, "operation_ns", operations_of(c), time);
    r.fields(file, "work_ns", work_of(c), time);
    if (file.contains("switch_ns")) c.switch_thread = time(file.at("switch_ns"), "switch_ns");
    const auto percent = [&](const std::string& key) {
        if (!file.contains(key) || !file.at(key).is_array() || file.at(key).size() != c.places.threads_per_core) {
            r.refuse(fmt::format("{}: wants a list of {} numbers, as many as topology.threads_per_core", key,
                                 c.places.threads_per_core));
        }
        std::vector<std::uint32_t> all;
        for (const ordered_json& v : file.at(key)) {
            all.push_back(r.count(v, key, 100));
        }
        return all;
    };
    c.thread_percent = percent("thread_percent");
    if (file.contains("work_percent")) {
        c.work_percent = percent("work_percent");
    }
    return c;
}

costs costs_of(const std::string& name_or_file) {
    for (const auto& [name, text] : cost_files) {
        if (name == name_or_file) {
            return costs_from(text, "--costs " + name_or_file);
        }
    }
    std::ifstream in(name_or_file, std::ios::binary);
    std::ostringstream text;
    if (!in || !(text << in.rdbuf())) {
        throw usage_error(fmt::format("parley sim: --costs: {} cannot be read; allowed: a cost file, or {}",
                                      shown(name_or_file), join(known_machines())));
    }
    return costs_from(text.str(), "--costs " + shown(name_or_file));
}

std::string text_of(const costs& given, const std::string& notes) {
    costs c = given;
    ordered_json file;
    file["name"] = c.name;
    for (const auto& [key, value] : places_of(c)) {
        file["topology"][key] = *value;
    }
    file["thread_percent"] = c.thread_percent;
    if (!c.work_percent.empty()) {
        file["work_percent"] = c.work_percent;
    }
    const auto write = [&](const char* part, const std::vector<field<duration>>& all) {
        for (const auto& [key, value] : all) {
            file[part][key] = static_cast<double>(*value) / 1000.0;
        }
    };
    write("line_ns", lines_of(c));
    write("operation_ns", operations_of(c));
    file["switch_ns"] = static_cast<double>(c.switch_thread) / 1000.0;
    write("work_ns", work_of(c));
    file["notes"] = notes;
    return file.dump(2) + "\n";
}

}  // namespace parley_cli
