#include "lab/command/sim/farm_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "command/usage.hpp"
#include "lab/command/sim/cost_file.hpp"
#include "lab/command/sim/given_options.hpp"
#include "lab/command/sim/option_table.hpp"
#include "lab/programs/farm_model.hpp"
#include "lab/programs/shapes/farms.hpp"

namespace parley_cli {
namespace {

namespace farms = parley::sim::farms;
namespace timed = parley::sim::timed;
using parley_programs::program;
using parley_programs::shapes::farm_shape;

// As parley/farm/pipeline.hpp and batch_size.hpp have them: batches under way for each lane, and what one takes.
constexpr std::uint64_t batches_per_lane = 16;
constexpr std::uint64_t longest_batch = 256;
constexpr timed::duration batch_time = 8 * timed::microsecond;

bool computes(const program& p) { return p.name != "farm-sleep"; }

class farm_command_line {
public:
    farm_command_line(const program& p, arguments words)
        : program_(p), typed_(p, options_of_farm_sim(p, computes(p)), words) {}

    [[nodiscard]] const given_options& typed() const noexcept { return typed_; }

    [[nodiscard]] farm_options options() const {
        farm_options o;
        o.what = &program_;
        o.json_file = typed_.value("json", "");
        typed_.require_different_files("trace", "json");
        given_options::sweep sweep = typed_.swept();
        for (const option_texts& given : sweep.runs) {
            o.runs.push_back(run(given));
        }
        o.timeline = typed_.timeline(sweep);
        o.swept = std::move(sweep.name);
        o.values = std::move(sweep.values);
        o.picture = typed_.picture(std::move(sweep.points));
        return o;
    }

private:
    [[nodiscard]] farm_run run(const option_texts& given) const {
        const auto number = [&](const char* name, std::uint64_t otherwise) {
            return given.contains(name) ? std::stoull(given.at(name)) : otherwise;
        };
        farm_run r;
        r.speeds = given.contains("speeds") ? speeds_in(given.at("speeds")) : std::vector<std::uint64_t>{};
        r.parameters = parameters(given, r.speeds.size());
        farm_shape shape = parley_programs::shapes::farm_of(program_.name, r.parameters);
        r.speeds.resize(shape.lanes, 1000);
        if (given.contains("item")) set_item(shape, given.at("item"));
        r.item = shape.item;
        r.streams = shape.streams;
        farms::setup& s = r.setup;
        s.items = shape.items;
        s.pool = shape.pool;
        s.ordered = shape.ordered;
        for (std::size_t i = 0; i < shape.lanes; ++i) {
            const timed::duration item = i + 1 == shape.lanes ? shape.last : shape.item;
            s.lanes.push_back(std::max<timed::duration>(
                1, std::llround(static_cast<double>(item) * 1000 / static_cast<double>(r.speeds[i]))));
        }
        require_some_end(r);
        s.cores = static_cast<std::uint32_t>(std::min<std::uint64_t>(number("cores", shape.lanes), shape.lanes));
        if (computes(program_)) s.slice = in_picoseconds(typed_.text(given, "slice"));
        if (s.slice == 0) typed_.refuse("slice", "0 is not allowed; allowed: a time above 0, to 1s");
        s.schedule = parley_programs::shapes::schedule_of(r.parameters);
        s.bound = number("bound", 0);
        s.spread = static_cast<std::uint32_t>(number("spread", 0));
        s.machine = costs_of(typed_.text(given, "costs"));
        r.faults = typed_.text(given, "faults");
        s.faults = faults_named(r.faults);
        s.seed = number("seed", 1);
        (void)s.schedule.begin(shape.lanes);  // refuses what cannot work before anything is printed
        const std::uint64_t least = s.schedule.least_tokens();
        s.tokens = number("tokens", usual_tokens(s, least));
        if (s.tokens < least) {
            typed_.refuse("tokens", fmt::format("{} is not allowed; {} needs {} or more", s.tokens,
                                                r.parameters.at("schedule").get<std::string>(), least));
        }
        r.model = model_of(s);
        return r;
    }

    // As many lanes as there are speeds, unless both are given.
    [[nodiscard]] parley_programs::json parameters(const option_texts& given, std::size_t speeds) const {
        option_texts with = given;
        if (speeds != 0) {
            const auto lanes = with.emplace("lanes", std::to_string(speeds)).first;
            if (std::stoull(lanes->second) != speeds) {
                typed_.refuse("speeds", fmt::format("{} speeds for {} lanes", speeds, lanes->second));
            }
            const auto& specs = program_.options;
            const auto spec = std::find_if(specs.begin(), specs.end(), [](const auto& o) { return o.name == "lanes"; });
            if (static_cast<std::int64_t>(speeds) < spec->low) {
                typed_.refuse("speeds", fmt::format("{} lane is not enough; {} wants {}", speeds, program_.name, spec->low));
            }
        }
        auto all = program_.parameters(typed_.request(with));
        typed_.require_no_complaint(all);
        return all;
    }

    // Virtual time has an end, and a longer one than anybody waits for.
    void require_some_end(const farm_run& r) const {
        constexpr double most = 30 * 24 * 3600.0;
        const timed::duration longest = *std::max_element(r.setup.lanes.begin(), r.setup.lanes.end());
        const double at_most =
            2e-12 * static_cast<double>(longest) * static_cast<double>(r.setup.items) * static_cast<double>(r.streams);
        if (at_most > most) {
            throw usage_error(
                fmt::format("parley sim {}: this may take {:.0f} days of virtual time; allowed: fewer or shorter items, "
                            "of 30 days",
                            program_.name, at_most / (24 * 3600.0)));
        }
    }

    static timed::duration in_picoseconds(const std::string& time) { return std::llround(*microseconds_in(time) * 1e6); }

    void set_item(farm_shape& shape, const std::string& time) const {
        const timed::duration item = in_picoseconds(time);
        if (item == 0) typed_.refuse("item", "0 is not allowed; allowed: a time above 0, to 1s");
        shape.last =
            std::llround(static_cast<double>(item) * static_cast<double>(shape.last) / static_cast<double>(shape.item));
        shape.item = item;
    }

    static std::uint64_t usual_tokens(const farms::setup& s, std::uint64_t least) {
        if (s.pool != 0) return std::max(s.pool, least);  // all go round at once
        if (least > 1) return least;
        const timed::duration longest = std::max<timed::duration>(1, *std::max_element(s.lanes.begin(), s.lanes.end()));
        const auto batch = static_cast<std::uint64_t>(std::max<timed::duration>(1, batch_time / longest));
        return batches_per_lane * s.lanes.size() * std::min(batch, longest_batch);
    }

    // A lane has the part of its core that is left to it.
    static double model_of(const farms::setup& s) {
        std::vector<double> seconds;
        for (std::size_t i = 0; i < s.lanes.size(); ++i) {
            const std::size_t core = i % s.cores;
            const std::size_t sharing = (s.lanes.size() - core + s.cores - 1) / s.cores;
            seconds.push_back(static_cast<double>(s.lanes[i]) * static_cast<double>(sharing));
        }
        return parley_programs::model_speedup(seconds);
    }

    const program& program_;
    given_options typed_;
};

}  // namespace

bool is_farm(std::string_view program) {
    const auto& names = parley_programs::shapes::farm_names();
    return std::find(names.begin(), names.end(), program) != names.end();
}

std::optional<farm_options> parse_farm_sim(arguments words) {
    const farm_command_line line(*parley_programs::find_program(words.front()), words.subspan(1));
    if (line.typed().wants_help()) {
        line.typed().print_help();
        return std::nullopt;
    }
    return line.options();
}

}  // namespace parley_cli
