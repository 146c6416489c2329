#include "lab/command/sim/timeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "command/usage.hpp"

namespace parley_cli {
namespace {

using parley::sim::timed::doing;
using parley::sim::timed::phase;
using parley::sim::timed::sight;
using parley::trace::happening;

constexpr std::size_t most_events_of_a_worker = 100'000;
constexpr std::size_t most_events_of_all = 1'000'000;
constexpr std::uint32_t the_only_recording = 1;

happening happening_of(const sight& s) {
    const bool begins = s.how == phase::begins;
    switch (s.what) {
        case doing::run: return begins ? happening::run_begins : happening::run_ends;
        case doing::task: return begins ? happening::task_begins : happening::task_ends;
        case doing::search: return begins ? happening::search_begins : happening::search_ends;
        case doing::sleep: return begins ? happening::sleep_begins : happening::sleep_ends;
        case doing::giving: return begins ? happening::giving_begins : happening::giving_ends;
        case doing::getting: return begins ? happening::getting_begins : happening::getting_ends;
        case doing::split: break;
    }
    return happening::split;
}

std::string reason_of(int error) { return std::generic_category().message(error); }

}  // namespace

std::size_t virtual_timeline::events_of_each(std::uint32_t workers, std::uint32_t chosen) noexcept {
    return chosen != 0 ? chosen : std::min(most_events_of_a_worker, most_events_of_all / workers);
}

// What every file begins with is written before the run, which may be long: a disk that is full is found out then.
virtual_timeline::virtual_timeline(const std::string& option, const std::string& file, std::uint32_t workers,
                                   std::size_t events_of_each)
    : file_(std::make_unique<parley::trace::timeline_file>()), most_(events_of_each), workers_(workers) {
    const auto refuse = [&](int error) {
        throw usage_error(fmt::format("{} {}: cannot write it ({}); wants a writable file", option, file, reason_of(error)));
    };
    try {
        file_->open(file);
    } catch (const std::system_error& trouble) {
        refuse(trouble.code().value());
    }
    file_->begin_recording(the_only_recording, "virtual runtime");
    file_->end_recording();
    if (file_->error() != 0) refuse(file_->error());
}

void virtual_timeline::sees(const sight& s) {
    of_worker& w = workers_[s.worker];
    const auto when = static_cast<std::uint64_t>(s.when / parley::sim::timed::nanosecond);
    const parley::trace::recorder::event e{when, happening_of(s), s.stack, s.number};
    if (w.ring.size() < most_) {
        w.ring.push_back(e);
    } else {
        w.ring[w.seen % most_] = e;
    }
    ++w.seen;
    last_ = std::max(last_, when);
}

std::string virtual_timeline::write() {
    for (std::uint32_t w = 0; w < workers_.size(); ++w) write(w);
    file_->end_recording();
    return file_->error() == 0 ? ""
                               : fmt::format("timeline {}: {}; it ends early", file_->path(), reason_of(file_->error()));
}

void virtual_timeline::write(std::uint32_t worker) {
    const of_worker& w = workers_[worker];
    file_->begin_worker();
    const std::uint64_t first = w.seen - w.ring.size();
    for (std::uint64_t n = first; n < w.seen; ++n) {
        const auto& e = w.ring[n % most_];
        file_->put_event(the_only_recording, worker, e, e.when);
    }
    file_->end_open_slices(the_only_recording, worker, last_);
    if (first != 0) file_->say_lost(the_only_recording, worker, first);
}

}  // namespace parley_cli
