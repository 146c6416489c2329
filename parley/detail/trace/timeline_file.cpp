#include <parley/detail/trace/timeline_file.hpp>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace parley::inline v0::trace {

namespace {

enum class shape : std::uint8_t { begin, end, instant };

struct look {
    shape as;
    std::string_view name;      // of what begins or happens
    std::string_view argument;  // the name of the number; empty: the number means nothing
};

constexpr look look_of(happening what) noexcept {
    switch (what) {
        case happening::run_begins: return {shape::begin, "run", ""};
        case happening::task_begins: return {shape::begin, "task", ""};
        case happening::search_begins: return {shape::begin, "looks for tasks", ""};
        case happening::sleep_begins: return {shape::begin, "asleep", ""};
        case happening::giving_begins: return {shape::begin, "gives tasks", "request"};
        case happening::getting_begins: return {shape::begin, "gets tasks", "request"};
        case happening::job_begins: return {shape::begin, "gets a job", "request"};
        case happening::split: return {shape::instant, "split", "iterations"};
        case happening::run_ends:
        case happening::task_ends:
        case happening::search_ends:
        case happening::sleep_ends:
        case happening::giving_ends:
        case happening::getting_ends:
        case happening::job_ends: break;
    }
    return {shape::end, "", ""};
}

}  // namespace

// A child of fork() shares its parent's lock. A file that it opens itself has another lock.
void timeline_file::open(const std::string& path) {
    const auto refuse = [](int error, const std::string& name) {
        throw std::system_error(error, std::generic_category(), "parley: timeline " + name);
    };
    const auto open_one = [&](const std::string& name) {
        const int opened = ::open(name.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
        if (opened < 0) refuse(errno, name);
        return opened;
    };
    int opened = open_one(path);
    path_ = wanted_ = path;
    struct stat what{};
    (void)::fstat(opened, &what);
    if (S_ISFIFO(what.st_mode)) {
        (void)::close(opened);
        refuse(EPIPE, path);
    }
    if (S_ISREG(what.st_mode)) {
        if (::flock(opened, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
            (void)::close(opened);
            path_ += "." + std::to_string(::getpid());
            opened = open_one(path_);
        }
        (void)!::ftruncate(opened, 0);
    }
    descriptor_ = opened;
}

void timeline_file::flush() noexcept {
    std::size_t done = 0;
    while (error_ == 0 && done < used_) {
        const ssize_t n = ::write(descriptor_, buffer_ + done, used_ - done);
        if (n > 0) done += static_cast<std::size_t>(n);
        else if (n == 0) error_ = EIO;
        else if (errno != EINTR) error_ = errno;
    }
    used_ = 0;
    flushes_.add();
}

void timeline_file::end_recording() noexcept {
    constexpr std::string_view end = "\n]\n";
    const bool may_go_back = ::lseek(descriptor_, 0, SEEK_CUR) >= 0;
    if (may_go_back) put(end);
    flush();
    if (may_go_back) (void)::lseek(descriptor_, -static_cast<off_t>(end.size()), SEEK_CUR);
}

std::uint64_t timeline_file::bytes() const noexcept {
    const off_t at = ::lseek(descriptor_, 0, SEEK_CUR);
    return at > 0 ? static_cast<std::uint64_t>(at) : 0;
}

void timeline_file::put(std::string_view text) noexcept {
    if (text.size() > sizeof buffer_ - used_) flush();
    std::memcpy(buffer_ + used_, text.data(), text.size());
    used_ += text.size();
}

void timeline_file::put(std::uint64_t number) noexcept {
    char digits[20];
    const auto end = std::to_chars(std::begin(digits), std::end(digits), number).ptr;
    put(std::string_view(digits, static_cast<std::size_t>(end - digits)));
}

// Writes microseconds with three decimals, as the format wants them.
void timeline_file::put_time(std::uint64_t nanoseconds) noexcept {
    put(nanoseconds / 1000);
    const std::uint64_t rest = nanoseconds % 1000;
    const char decimals[4] = {'.', static_cast<char>('0' + rest / 100), static_cast<char>('0' + rest / 10 % 10),
                              static_cast<char>('0' + rest % 10)};
    put(std::string_view(decimals, 4));
}

void timeline_file::begin_line(char phase, std::uint32_t recording, std::uint64_t thread) noexcept {
    put(is_empty_ ? "[\n" : ",\n");
    is_empty_ = false;
    put(R"({"ph":")");
    put(std::string_view(&phase, 1));
    put(R"(","pid":)");
    put(recording);
    put(R"(,"tid":)");
    put(thread);
}

void timeline_file::begin_event(char phase, std::uint32_t recording, std::uint64_t thread, std::uint64_t when) noexcept {
    begin_line(phase, recording, thread);
    put(R"(,"ts":)");
    put_time(when);
}

namespace {

constexpr std::uint64_t thread_of(std::uint32_t worker, std::uint16_t stack) noexcept {
    return std::uint64_t{worker} << 12 | stack;
}

}  // namespace

void timeline_file::name_thread(std::uint32_t recording, std::uint32_t worker, std::uint16_t stack) noexcept {
    begin_line('M', recording, thread_of(worker, stack));
    put(R"(,"name":"thread_name","args":{"name":"worker )");
    put(worker);
    if (stack != 0) {
        put(", stack ");
        put(stack);
    }
    put(R"("}})");
    begin_line('M', recording, thread_of(worker, stack));
    put(R"(,"name":"thread_sort_index","args":{"sort_index":)");
    put(thread_of(worker, stack));
    put("}}");
}

void timeline_file::begin_recording(std::uint32_t recording, std::string_view kind) noexcept {
    begin_line('M', recording, 0);
    put(R"(,"name":"process_name","args":{"name":")");
    put(kind);
    put(" ");
    put(recording);
    put(R"("}})");
}

void timeline_file::say_lost(std::uint32_t recording, std::uint32_t worker, std::uint64_t events) noexcept {
    begin_event('i', recording, thread_of(worker, 0), 0);
    put(R"(,"s":"t","name":")");
    put(events);
    put(R"( events are not kept"})");
}

void timeline_file::begin_worker() noexcept {
    std::fill(std::begin(open_slices_), std::end(open_slices_), 0U);
    std::fill(std::begin(named_), std::end(named_), false);
}

void timeline_file::put_event(std::uint32_t recording, std::uint32_t worker, const recorder::event& e,
                              std::uint64_t when) noexcept {
    const look how = look_of(e.what);
    const std::uint16_t stack = std::min<std::uint16_t>(e.stack, most_stacks - 1);
    std::uint32_t& open = open_slices_[stack];
    if (how.as == shape::end && open == 0) return;
    if (how.as != shape::instant) open += how.as == shape::begin ? 1 : ~std::uint32_t{0};
    if (!named_[stack]) {
        named_[stack] = true;
        name_thread(recording, worker, stack);
    }
    const std::uint64_t thread = thread_of(worker, stack);
    constexpr std::string_view phases = "BEi";
    begin_event(phases[static_cast<std::size_t>(how.as)], recording, thread, when);
    if (how.as == shape::instant) put(R"(,"s":"t")");
    if (how.as != shape::end) {
        put(R"(,"name":")");
        put(how.name);
        put("\"");
    }
    if (!how.argument.empty()) {
        put(R"(,"args":{")");
        put(how.argument);
        put("\":");
        put(e.number);
        put("}");
    }
    put("}");
    // The arrow of a steal goes from this slice to its counterpart. A request has one answer at a time, so its number
    // names the arrow, together with the runtime's.
    if (e.what != happening::giving_begins && e.what != happening::getting_begins) return;
    const bool starts = e.what == happening::giving_begins;
    begin_event(starts ? 's' : 'f', recording, thread, when);
    if (!starts) put(R"(,"bp":"e")");
    put(R"(,"cat":"steal","name":"steal","id":)");
    put(std::uint64_t{recording} << 32 | e.number);
    put("}");
}

void timeline_file::end_open_slices(std::uint32_t recording, std::uint32_t worker, std::uint64_t when) noexcept {
    for (std::uint16_t stack = 0; stack < most_stacks; ++stack)
        for (; open_slices_[stack] > 0; --open_slices_[stack]) {
            begin_event('E', recording, thread_of(worker, stack), when);
            put("}");
        }
}

std::uint64_t timeline_file::write(std::uint32_t recording, std::uint32_t worker, const recorder& events,
                                   std::uint64_t origin, const tick_scale& scale) noexcept {
    begin_worker();
    std::uint64_t end = events.events_noted();
    const std::uint64_t kept = events.events_kept();
    const std::uint64_t first = end > kept ? end - kept : 0;
    std::uint64_t lost = first;
    std::uint64_t when = 0;
    int gaps = 0;
    for (std::uint64_t n = first; n < end;) {
        const std::optional<recorder::event> e = events.event_at(n);
        if (!e) {  // overwritten by a worker that goes on: skip, so that the worker has a lead
            end_open_slices(recording, worker, when);
            end = events.events_noted();
            const std::uint64_t next = ++gaps > most_gaps ? end : std::max(n + 1, end - kept / 2);
            lost += next - n;
            n = next;
            continue;
        }
        when = static_cast<std::uint64_t>(scale.seconds(e->when > origin ? e->when - origin : 0) * 1e9 + 0.5);
        put_event(recording, worker, *e, when);
        ++n;
    }
    return lost;
}

}  // namespace parley::inline v0::trace
