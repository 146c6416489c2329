#include <parley/detail/trace/recording.hpp>

#include <parley/detail/sync/counter.hpp>
#include <parley/detail/sync/flag.hpp>
#include <parley/detail/sync/of_this_process.hpp>
#include <parley/detail/trace/crash.hpp>
#include <parley/detail/trace/timeline_file.hpp>
#include <parley/errors.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace parley::inline v0::trace {

// The process may crash at any time. So a thread that writes takes the turn first, and then looks which recordings
// there are.
struct process_timelines {
    timeline_file file;
    const tick_scale::moment origin;
    std::uint32_t given = 0;  // the numbers of recordings, counted under `changing`
    std::array<sync::published<recording*>, 64> live;
    sync::flag is_taken;  // whether a thread has the turn to write
    sync::hint<pid_t> holder{0};
    bool is_full = false;  // changed by the thread that has the turn
    std::mutex changing;
};

namespace {

constinit sync::of_this_process<process_timelines> timelines;

class turn_to_write {
public:
    turn_to_write(process_timelines& all, bool crashing) noexcept : all_(all) {
        constexpr timespec moment{0, 1'000'000};
        constexpr int patience = 2000;  // milliseconds to wait for a thread that writes and gets nowhere
        std::uint64_t progress = all.file.progress();
        for (int left = patience; !(has_it_ = all.is_taken.put_up());) {
            // The thread that crashed may be the one that writes.
            if (crashing && (all.holder.get() == ::gettid() || left-- == 0)) return;
            (void)::nanosleep(&moment, nullptr);
            if (const std::uint64_t now = all.file.progress(); now != progress) {
                progress = now;
                left = patience;
            }
        }
        all.holder.set(::gettid());
    }
    ~turn_to_write() {
        if (!has_it_) return;
        all_.holder.set(0);
        all_.is_taken.take_down();
    }
    turn_to_write(const turn_to_write&) = delete;
    turn_to_write& operator=(const turn_to_write&) = delete;

    [[nodiscard]] bool has_it() const noexcept { return has_it_; }

private:
    process_timelines& all_;
    bool has_it_ = false;
};

void say(const timeline_file& file, std::string_view what, std::string_view so) noexcept {
    constexpr std::string_view begin = "parley: timeline ", between = ": ", end = "\n";
    for (const std::string_view text : {begin, std::string_view(file.path()), between, what, so, end})
        (void)!::write(STDERR_FILENO, text.data(), text.size());
}
// What the error's number means. glibc's std::strerror() may allocate, musl's does not.
const char* meaning_of(int error) noexcept {
#ifdef __GLIBC__
    return ::strerrordesc_np(error);
#else
    return std::strerror(error);
#endif
}
void complain(const timeline_file& file) noexcept {
    const char* const reason = meaning_of(file.error());
    say(file, reason != nullptr ? reason : "cannot be written", "; it ends early");
}

}  // namespace

recording::recording(std::uint32_t workers, const std::string& timeline, std::size_t events) {
    for (std::uint32_t w = 0; w < workers; ++w)
        recorders_.push_back(std::make_unique<recorder>(timeline.empty() ? 0 : events));
    if (timeline.empty()) return;
    process_timelines& all = timelines.get();
    const std::scoped_lock guard(all.changing);
    if (!all.file.is_open()) {
        all.file.open(timeline);
        write_when_crashing();
        static std::once_flag at_exit;  // a child of fork() has registered functions, too
        std::call_once(at_exit, [] { (void)std::atexit([] { write_timelines(); }); });
    }
    if (all.file.wanted() != timeline)
        throw usage_error("parley: timeline " + timeline + ": this process writes another one, " + all.file.wanted());
    for (auto& slot : all.live) {
        if (slot.own() != nullptr) continue;
        number_ = ++all.given;
        home_ = &all;
        slot.set(this);
        return;
    }
    throw usage_error("parley: timeline " + timeline + ": at most " + std::to_string(all.live.size()) +
                      " runtimes at a time have one");
}

// A child of fork() has its parent's recordings, and must not write them.
recording::~recording() {
    if (home_ == nullptr || timelines.look() != home_) return;
    const turn_to_write turn(*home_, false);
    write(*home_);
    for (auto& slot : home_->live)
        if (slot.own() == this) slot.set(nullptr);
}

std::array<double, activities> recording::spent(std::uint32_t worker) const noexcept {
    const tick_scale scale(begin_, {});
    const ticks_of_activities spent = recorders_[worker]->spent();
    std::array<double, activities> seconds{};
    for (std::size_t a = 0; a < activities; ++a) seconds[a] = scale.seconds(spent[a]);
    return seconds;
}

// The limit of the file, for all runtimes of the process that follow each other. An event takes some 100 bytes.
std::uint64_t recording::most_bytes() const noexcept {
    std::uint64_t events = 0;
    for (const auto& r : recorders_) events += r->events_kept();
    return 64 * 100 * events;
}

void recording::write(process_timelines& all) noexcept {
    if (is_written_) return;
    is_written_ = true;
    if (all.file.bytes() > most_bytes()) {
        if (!std::exchange(all.is_full, true))
            say(all.file, "is as large as 64 such runtimes may make it", "; others are left out");
        return;
    }
    const int before = all.file.error();
    const tick_scale scale(all.origin, {});
    all.file.begin_recording(number_);
    std::uint32_t worker = 0;
    for (const auto& r : recorders_) {
        const std::uint64_t lost = all.file.write(number_, worker, *r, all.origin.ticks, scale);
        if (lost != 0) all.file.say_lost(number_, worker, lost);
        ++worker;
    }
    all.file.end_recording();
    if (before == 0 && all.file.error() != 0) complain(all.file);
}

void write_timelines(bool crashing) noexcept {
    process_timelines* const all = timelines.look();
    if (all == nullptr) return;
    const turn_to_write turn(*all, crashing);
    if (!turn.has_it()) return;
    for (auto& slot : all->live)
        if (recording* const r = slot.get()) r->write(*all);
}

std::string why_not_written(const std::string& path) {
    struct stat what{};
    const bool is_there = ::stat(path.c_str(), &what) == 0;
    if (is_there && (S_ISFIFO(what.st_mode) || S_ISSOCK(what.st_mode))) return "it is a pipe";
    const int opened = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
    if (opened < 0) return std::system_category().message(errno);
    (void)::close(opened);
    if (!is_there) (void)::unlink(path.c_str());  // if something else goes wrong, no file is left
    return "";
}

bool can_be_written_to(const std::string& path) {
    process_timelines* const all = timelines.look();
    if (all == nullptr) return true;
    const std::scoped_lock guard(all->changing);
    return (!all->file.is_open() || all->file.wanted() == path) &&
           std::any_of(all->live.begin(), all->live.end(), [](const auto& slot) { return slot.own() == nullptr; });
}

int timeline_error() noexcept {
    const process_timelines* const all = timelines.look();
    return all == nullptr ? 0 : all->file.error();
}

}  // namespace parley::inline v0::trace
