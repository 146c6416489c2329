#include "lab/command/sim/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <ratio>
#include <string_view>
#include <utility>

#include <lab/papers/circulating.hpp>
#include <parley/detail/policy/patience.hpp>

#include "lab/command/profile.hpp"
#include "lab/command/sim/barrier_report.hpp"
#include "lab/command/sim/words.hpp"
#include "lab/peers/tuning_words.hpp"

namespace parley_cli {
namespace {

using namespace parley::sim::timed;

double speedup(const run_report& r) { return ratio(seconds(r.work), seconds(r.took)); }
double efficiency(const run_report& r) { return speedup(r) / static_cast<double>(r.workers.size()); }

namespace protocol = parley::protocol;
namespace words = parley_peers::tuning_words;

// The words are in the order of the values.
template <class Words, class Choice>
std::string_view word(const Words& all, Choice one) {
    return all[static_cast<std::size_t>(one)];
}

std::string_view termination_of(const choices& c) { return c.papers ? protocol::name_of(c.papers->detects) : "scan"; }

std::string strategies_text(const parley::sim::timed::setup& s) {
    const choices& c = s.how;
    const auto papers = c.papers.value_or(protocol::circulating{});
    std::string text = fmt::format("steal {}, split {}, victim {}, termination {}", word(words::steal, c.steal),
                                   word(words::split, c.split), word(words::victim, c.victim), termination_of(c));
    if (papers.refuses != protocol::refusal::forwards) text += ", refuse acknowledge";
    if (papers.revokes != protocol::revocation::any) text += ", revoke own";
    if (papers.continues) text += ", continue";
    if (papers.hijacks) text += ", hijack";
    if (c.requests != 1) text += ", 2 requests";
    if (c.early != 0) text += fmt::format(", early {}", c.early);
    if (c.dry == parley::threading::dry_mailbox::closed) text += ", dry closed";
    if (s.weighs) text += ", weighing";
    if (s.locks_channels) text += ", locked channels";
    if (s.asleep) text += ", asleep at first";
    if (s.cores != 0) text += fmt::format(", on {} cores", s.cores);
    if (s.beside != 0) text += fmt::format(", busy programs beside: {}", s.beside);
    if (s.cores != 0) text += fmt::format(", slices of {}", time_text(s.slice));
    if (s.task_lines != 0) text += fmt::format(", tasks of {} lines", s.task_lines);
    if (s.iteration_lines != 0) text += fmt::format(", iterations of {} lines", s.iteration_lines);
    return text;
}

std::string parts_text(const worker_report& w) {
    duration sum = 0;
    for (const duration d : w.time) sum += d;
    std::string text;
    for (const duration d : w.time) text += fmt::format(" {:>9.2f}%", 100.0 * ratio(seconds(d), seconds(sum)));
    return text;
}

}  // namespace

std::string report_of(const sim_options& o, const sim_run& run, const simulated& found) {
    const run_report& r = found.report;
    const worker_report t = r.total();
    std::string text = fmt::format("{}: {}\n", o.what->name, parameters_text(run.parameters));
    text += fmt::format("{} virtual workers on {}; {}; seed {}{}\n\n", run.setup.workers, run.setup.machine.name,
                        strategies_text(run.setup), run.setup.seed, run.faults == "none" ? "" : "; faults: " + run.faults);
    text += fmt::format("  time        {}  (speedup {:.2f} over {} of work, efficiency {:.1f}%)\n", time_text(r.took),
                        speedup(r), time_text(r.work), 100 * efficiency(r));
    text += fmt::format("  result      {}\n", found.result.dump());
    text += fmt::format("  tasks       {} in {} steals: {:.2f} in each\n", r.tasks, t.steals, ratio(t.stolen, t.steals));
    text += fmt::format("  requests    {}, {:.2f} messages for each; {} found nobody with a task\n", t.requests,
                        ratio(t.hops, t.requests), t.failed);
    text += fmt::format("  splits      {}\n  sleeps      {}\n  interrupts  {}\n", t.splits, t.sleeps, t.interrupts);
    if (run.setup.iteration_lines != 0)
        text += fmt::format("  moved       {} iterations, whose lines came from another worker\n", t.moved);
    text += fmt::format("  the end     announced {} after the last task\n", time_text(r.end_detected_after()));
    if (r.barriers.size() > 1) text += barriers_text(r.barriers);
    if (run.setup.cores != 0) text += fmt::format("  cores       lost {} times to other threads\n", t.core_losses);
    if (r.resizes > 0) {
        text += fmt::format("  workers     {} at the least: resized {} times, went {} times\n", r.fewest, r.resizes,
                            t.departures);
    }
    return text;
}

std::string profile_of(const simulated& found) {
    std::string text = fmt::format("\n  worker      tasks {:>10} {:>10} {:>10} {:>10} {:>10}\n", "running", "en/dequeue",
                                   "tasks", "requests", "idle");
    const auto row = [&](const std::string& name, const worker_report& w) {
        text += fmt::format("  {:<6} {:>10}{}\n", name, w.tasks, parts_text(w));
    };
    for (std::size_t i = 0; i < found.report.workers.size(); ++i) row(std::to_string(i), found.report.workers[i]);
    row("all", found.report.total());
    return text;
}

std::string profile_picture_of(const sim_options& o, const sim_run& run, const simulated& found) {
    std::vector<parley_peers::worker_times> times;
    for (const worker_report& w : found.report.workers) {
        const auto of = [&](spent on_what) { return seconds(w.time[static_cast<std::size_t>(on_what)]); };
        times.push_back({.running = of(spent::running),
                         .queueing = of(spent::queue),
                         .moving_tasks = of(spent::tasks),
                         .moving_requests = of(spent::requests),
                         .idle = of(spent::idle)});
    }
    return profile_picture(times, fmt::format("{}: {}; {} virtual workers on {}", o.what->name,
                                              parameters_text(run.parameters), run.setup.workers, run.setup.machine.name));
}

std::string sweep_head(const sim_options& o) {
    return fmt::format("{:>{}} {:>14} {:>9} {:>11} {:>10} {:>10} {:>10} {:>10} {:>9}\n", o.swept,
                       swept_width(o.swept, o.values), "time", "speedup", "efficiency", "steals", "requests", "messages",
                       "failed", "splits");
}

std::string sweep_row(const sim_options& o, std::size_t i, const simulated& found) {
    const run_report& r = found.report;
    const worker_report t = r.total();
    return fmt::format("{:>{}} {:>14} {:>9.2f} {:>10.1f}% {:>10} {:>10} {:>10} {:>10} {:>9}\n", o.values[i],
                       swept_width(o.swept, o.values), time_text(r.took), speedup(r), 100 * efficiency(r), t.steals,
                       t.requests, t.messages, t.failed, t.splits);
}

std::string json_line(const sim_options& o, const sim_run& run, const simulated& found) {
    const run_report& r = found.report;
    const worker_report t = r.total();
    const choices& how = run.setup.how;
    const auto papers = how.papers.value_or(protocol::circulating{});
    const parley::threading::patience waits(how.papers ? 1 : run.setup.workers, how.patience);
    parley_programs::json line;
    line["program"] = o.what->name;
    line["parameters"] = run.parameters;
    line["tuning"] = {{"steal", word(words::steal, how.steal)},
                      {"split", word(words::split, how.split)},
                      {"victim", word(words::victim, how.victim)},
                      {"termination", termination_of(how)},
                      {"refuse", word(words::refuse, papers.refuses)},
                      {"revoke", papers.revokes == protocol::revocation::own ? "own" : "any"},
                      {"continue", papers.continues},
                      {"hijack", papers.hijacks},
                      {"requests", how.requests},
                      {"early", how.early},
                      {"failed", word(words::failed, how.failed)},
                      {"patience", std::chrono::duration<double, std::micro>(waits.with_victim()).count()},
                      {"answers", word(words::answers, how.answers)},
                      {"dry", word(words::dry, how.dry)},
                      {"watchdog", how.interrupts_for_every_request ? "every-request" : to_string(how.watchdog)},
                      {"channels", run.setup.locks_channels ? "locked" : "lock-free"},
                      {"task_lines", run.setup.task_lines},
                      {"ends", run.setup.barriers_for_waits ? "barriers"
                               : run.setup.barrier          ? "barrier"
                                                            : "wait"}};
    if (run.setup.weighs) line["tuning"]["weigh"] = "on";
    if (run.setup.asleep) line["tuning"]["asleep"] = true;
    if (run.setup.cores != 0) {
        line["tuning"]["cores"] = run.setup.cores;
        line["tuning"]["beside"] = run.setup.beside;
        line["tuning"]["slice"] = seconds(run.setup.slice);
    }
    if (run.faults != "none") line["tuning"]["faults"] = run.faults;
    line["scheduler"] = "parley";
    line["workers"] = run.setup.workers;
    line["seed"] = run.setup.seed;
    line["seconds"] = seconds(r.took);
    line["serial_seconds"] = seconds(r.work);
    line["speedup"] = speedup(r);
    line["efficiency"] = efficiency(r);
    line["end_detected_after"] = seconds(r.end_detected_after());
    line["result"] = found.result;
    line["verified"] = found.problem.empty();
    line["counters"] = {{"tasks", r.tasks},       {"steals", t.steals},     {"stolen", t.stolen},
                        {"failed", t.failed},     {"messages", t.messages}, {"requests", t.requests},
                        {"for_half", t.for_half}, {"hops", t.hops},         {"splits", t.splits},
                        {"sleeps", t.sleeps},     {"wakes", t.wakes},       {"interrupts", t.interrupts}};
    if (run.setup.cores != 0) line["counters"]["core_losses"] = t.core_losses;
    if (run.setup.iteration_lines != 0) {
        line["tuning"]["iteration_lines"] = run.setup.iteration_lines;
        line["counters"]["moved"] = t.moved;
    }
    if (r.barriers.size() > 1) line["barriers"] = barriers_json(r.barriers);
    if (r.resizes > 0) line["resizes"] = {{"times", r.resizes}, {"fewest_workers", r.fewest}, {"departures", t.departures}};
    line["machine"] = run.setup.machine.name;
    if (o.profile) {
        for (const worker_report& w : r.workers) {
            parley_programs::json of_one = {{"tasks", w.tasks}};
            for (std::size_t i = 0; i < kinds_of_time; ++i) of_one[names_of_time[i]] = seconds(w.time[i]);
            line["profile"].push_back(std::move(of_one));
        }
    }
    return line.dump();
}

std::string interrupted_line(const sim_options& o, const sim_run& run) {
    simulated nothing;
    nothing.report.barriers.resize(1);  // a run that has ended has one at least
    auto line = parley_programs::json::parse(json_line(o, run, nothing));
    for (const char* key : {"seconds", "serial_seconds", "speedup", "efficiency", "end_detected_after", "counters"}) {
        line[key] = nullptr;
    }
    line["result"] = parley_programs::json::object();
    line["verified"] = false;
    return line.dump();
}

}  // namespace parley_cli
