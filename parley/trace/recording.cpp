#include <parley/trace/recording.hpp>

#include <parley/base/errors.hpp>
#include <parley/channel/counter.hpp>
#include <parley/channel/flag.hpp>
#include <parley/trace/crash.hpp>
#include <parley/trace/timeline_file.hpp>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <mutex>
#include <string_view>
#include <system_error>
#include <unistd.h>

namespace parley::inline v0::trace {

namespace {

// Of the process. Made once, never destroyed: it may crash at any time.
struct process_timelines {
    timeline_file file;
    tick_scale::moment origin;
    pid_t owner = ::getpid();
    std::uint32_t given = 0;  // numbers of recordings; written under `changing`
    std::array<channel::published<recording*>, 64> live;
    channel::flag writing;
    std::mutex changing;
};
channel::installed_once<process_timelines> timelines;

// A child of fork() has them, too, but they are its parent's.
process_timelines* own_timelines() noexcept {
    process_timelines* const all = timelines.get();
    return all != nullptr && all->owner == ::getpid() ? all : nullptr;
}

process_timelines& timelines_in(const std::string& path) {
    static std::mutex opening;
    const std::scoped_lock guard(opening);
    process_timelines* const before = timelines.get();
    if (before == nullptr || before->owner != ::getpid()) {
        auto fresh = std::make_unique<process_timelines>();
        // A child's goes beside its parent's.
        fresh->file.open(before == nullptr ? path : path + "." + std::to_string(::getpid()));
        (void)timelines.install(fresh.get(), before);
        write_when_crashing();
        if (before == nullptr) (void)std::atexit([] { write_timelines(); });
        return *fresh.release();
    }
    if (before->file.path() != path && !before->file.path().starts_with(path + "."))
        throw usage_error("parley: timeline " + path + ": this process writes another one, " + before->file.path());
    return *before;
}

void wait_for_turn(channel::flag& writing, bool for_ever) noexcept {
    constexpr timespec moment{0, 1'000'000};
    for (int i = 0; !writing.put_up() && (for_ever || i < 2000); ++i) (void)::nanosleep(&moment, nullptr);
}

// std::strerror may allocate.
void complain(const timeline_file& file) noexcept {
    const auto say = [](std::string_view text) { (void)!::write(STDERR_FILENO, text.data(), text.size()); };
    const char* const reason = ::strerrordesc_np(file.error());
    say("parley: timeline ");
    say(file.path());
    say(": ");
    say(reason != nullptr ? reason : "cannot be written");
    say("; it ends early\n");
}

}  // namespace

recording::recording(std::uint32_t workers, const std::string& timeline, std::size_t events) {
    for (std::uint32_t w = 0; w < workers; ++w)
        recorders_.push_back(std::make_unique<recorder>(timeline.empty() ? 0 : events));
    if (timeline.empty()) return;
    process_timelines& all = timelines_in(timeline);
    const std::scoped_lock guard(all.changing);
    for (auto& slot : all.live) {
        if (slot.own() != nullptr) continue;
        number_ = ++all.given;
        slot.set(this);
        return;
    }
    throw usage_error("parley: timeline " + timeline + ": " + std::to_string(all.live.size()) +
                      " runtimes at a time have one at most");
}

recording::~recording() {
    process_timelines* const all = own_timelines();
    if (number_ == 0 || all == nullptr) return;
    write(false);
    const std::scoped_lock guard(all->changing);
    for (auto& slot : all->live)
        if (slot.own() == this) slot.set(nullptr);
}

std::array<double, activities> recording::spent(std::uint32_t worker) const noexcept {
    const tick_scale scale(begin_, {});
    const ticks_of_activities spent = recorders_[worker]->spent();
    std::array<double, activities> seconds{};
    for (std::size_t a = 0; a < activities; ++a) seconds[a] = scale.seconds(spent[a]);
    return seconds;
}

// Whoever comes second waits until it has been written: then this object may go.
void recording::write(bool crashing) noexcept {
    process_timelines* const all = own_timelines();
    if (all == nullptr || number_ == 0) return;
    wait_for_turn(all->writing, !crashing);
    if (is_written_.put_up()) {
        const int before = all->file.error();
        const tick_scale scale(all->origin, {});
        all->file.begin_recording(number_);
        std::uint32_t worker = 0;
        for (const auto& r : recorders_) {
            const std::uint64_t lost = all->file.write(number_, worker, *r, all->origin.ticks, scale);
            if (lost != 0) all->file.say_lost(number_, worker, lost);
            ++worker;
        }
        all->file.end_recording();
        if (before == 0 && all->file.error() != 0) complain(all->file);
    }
    all->writing.take_down();
}

void write_timelines(bool crashing) noexcept {
    process_timelines* const all = own_timelines();
    if (all == nullptr) return;
    for (auto& slot : all->live)
        if (recording* const r = slot.get()) r->write(crashing);
}

std::string why_not_written(const std::string& path) {
    const int opened = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (opened < 0) return std::system_category().message(errno);
    (void)::close(opened);
    return "";
}

int timeline_error() noexcept {
    const process_timelines* const all = own_timelines();
    return all == nullptr ? 0 : all->file.error();
}

}  // namespace parley::inline v0::trace
