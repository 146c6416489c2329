#include <broker/client/membership.hpp>

#include <broker/client/clock.hpp>
#include <broker/client/realtime_priority.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <mutex>
#include <optional>
#include <poll.h>
#include <string>
#include <sys/eventfd.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <variant>

namespace parley::inline v0::broker {

namespace {

using namespace std::chrono_literals;

// A socket can be seen before its broker listens: the first attempts follow each other quickly.
constexpr auto first_pause = 1ms;
constexpr auto longest_pause = 1s;
// Where a folder changes often for other reasons (/tmp), it is not looked at more often than that.
constexpr auto least_between_looks = 100ms;
// Ending a watch takes the system about ten milliseconds, which short programs are to be spared: they look now and
// then, but not often. Each look takes the core from a worker: five in the first 30 ms were 1.3% of a search of 50 ms.
constexpr auto unwatched = 1s;
constexpr std::size_t most_former_pages = 16;

hello hello_of(const client_options& what) {
    hello h;
    h.most = what.most;
    h.weight = what.weight;
    h.is_led = what.is_led ? 1 : 0;
    h.allowed = what.allowed;
    std::copy_n(what.name.begin(), std::min(what.name.size(), h.name.size() - 1), h.name.begin());
    return h;
}

void say_that_nobody_answers(const std::string& socket) {
    [[maybe_unused]] static const int said =
        std::fprintf(stderr, "parley: nobody answers at %s: working without a broker until somebody does\n", socket.c_str());
}

std::string folder_of(const std::string& path) { return path.substr(0, path.rfind('/')); }

client_options settled(client_options what) {
    what.socket = std::filesystem::absolute(what.socket);  // the program may go elsewhere
    if (folder_of(what.socket) == "/tmp/parley-" + std::to_string(geteuid())) what.own_folder_only = true;
    return what;
}

template <class Duration>
int milliseconds(Duration d) {
    const auto up = std::chrono::ceil<std::chrono::milliseconds>(d).count();
    return static_cast<int>(std::clamp<std::int64_t>(up, 0, 1'000'000));
}

}  // namespace

membership::membership(client_options what, client_calls calls)
    : what_(settled(std::move(what))),
      calls_(std::move(calls)),
      hello_(hello_of(what_)),
      end_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    if (!end_) throw std::system_error(errno, std::generic_category(), "parley: no descriptor for the broker's client");
}

void membership::end() noexcept {
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = write(end_.get(), &one, sizeof one);
}

std::optional<std::string> membership::refused() const {
    const std::lock_guard lock(mutex_);
    return refusal_.empty() ? std::nullopt : std::optional(refusal_);
}

void membership::set_refused(const std::string& why) {
    const std::lock_guard lock(mutex_);
    refusal_ = why;
}

nanoseconds membership::sample() const {
    const std::lock_guard lock(mutex_);
    return sample_;
}

void membership::run() {
    use_realtime_priority();
    pause_ = first_pause;
    watch_from_ = clock::now() + unwatched;
    while (wait_for_broker() && stay()) leave();
    if (joined_) say_bye(joined_->socket.get());
}

// False: the program ends.
bool membership::wait_for_broker() {
    for (;;) {
        if (!watch_ && clock::now() >= watch_from_) {
            watch_.emplace(what_.socket);
            next_try_.reset();  // what happened before is not told
        }
        if (watch_) watch_->arm();
        if (!next_try_ || clock::now() >= *next_try_) {
            attempt result = try_to_join();
            if (std::holds_alternative<ended>(result)) return false;
            if (auto* c = std::get_if<connection>(&result)) {
                begin(std::move(*c));
                return true;
            }
            note_failure(result);
        }
        const wake why = sleep();
        if (why == wake::ended) return false;
        if (why == wake::appeared) {
            pause_ = first_pause;
            next_try_.reset();
        }
        say_lost_in_time();
    }
}

attempt membership::try_to_join() const {
    if (what_.own_folder_only && !is_own_folder(folder_of(what_.socket))) return nobody{};
    return join_broker(what_.socket, hello_, end_.get());
}

void membership::note_failure(const attempt& failed) {
    const auto* no = std::get_if<refusal>(&failed);
    const bool is_new = joined_at_ == clock::time_point{};
    if (what_.says_if_alone && is_new && std::holds_alternative<nobody>(failed)) say_that_nobody_answers(what_.socket);
    const bool is_busy = std::holds_alternative<no_answer>(failed);
    set_refused(no != nullptr ? no->why : "");
    if (is_busy) pause_ = std::max<clock::duration>(pause_, longest_pause);
    const bool is_told = watch_ && watch_->is_armed();
    if (no == nullptr && !watch_ && !exists(what_.socket)) {
        next_try_ = clock::now() + least_between_looks;
        return;
    }
    if (no != nullptr) next_try_ = clock::now() + what_.refusal_pause;
    else if (!is_told || exists(what_.socket)) next_try_ = clock::now() + pause_;
    else next_try_ = clock::time_point::max();
    pause_ = std::min<clock::duration>(2 * pause_, is_busy ? what_.refusal_pause : longest_pause);
}

membership::wake membership::sleep() {
    constexpr auto never = clock::time_point::max();
    const auto until = std::min({next_try_.value_or(never), lost_at_.value_or(never), watch_ ? never : watch_from_});
    clock::time_point deaf_until{};
    for (;;) {
        const auto now = clock::now();
        const bool listens = now >= deaf_until;
        const auto next = listens ? until : std::min(until, deaf_until);
        std::array<pollfd, 2> both{{{end_.get(), POLLIN, 0}, {listens && watch_ ? watch_->events() : -1, POLLIN, 0}}};
        poll(both.data(), both.size(), next == never ? -1 : milliseconds(next - now));
        if (both[0].revents != 0) return wake::ended;
        if (both[1].revents != 0) {
            if (watch_->read_events()) return wake::appeared;
            deaf_until = clock::now() + least_between_looks;
        }
        if (clock::now() >= until) return wake::time;
    }
}

void membership::say_lost_in_time() {
    if (!lost_at_ || clock::now() < *lost_at_) return;
    lost_at_.reset();
    calls_.on_lost();
}

void membership::begin(connection&& c) {
    {
        const std::lock_guard lock(mutex_);
        refusal_.clear();
        sample_ = c.answer.sample;
    }
    joined_.emplace(std::move(c));
    kept_.emplace(joined_->socket.get());
    if (watch_) watch_->disarm();
    joined_at_ = clock::now();
    next_try_.reset();
    lost_at_.reset();
    told_.reset();
    calls_.on_feedback_page(joined_->feedback.get());
    look_at_page();
}

// False: the program ends.
bool membership::stay() {
    for (;;) {
        std::array<pollfd, 2> both{{{end_.get(), POLLIN, 0}, {joined_->socket.get(), POLLIN, 0}}};
        wait_for_news_or_turn(both);
        if (both[0].revents != 0) return false;
        if (both[1].revents == 0) continue;
        const news all = read_news(joined_->socket.get());
        // Only now: a ring that was dropped because these filled the queue was for a page as old as they.
        if (all.rings) look_at_page();
        if (!all.is_over) continue;
        if (!all.refusal.empty()) {
            set_refused(all.refusal);
            next_try_ = clock::now() + what_.refusal_pause;
        }
        return true;
    }
}

void membership::look_at_page() {
    const auto a = read_allotment(*joined_->allotted, what_.allowed);
    if (!a || (told_ && a->generation == told_->generation)) return;
    told_ = *a;
    calls_.on_allotment(*told_);
}

// Whose turn it is nobody says: it follows from the clock (gang.hpp).
void membership::wait_for_news_or_turn(std::array<pollfd, 2>& both) {
    const nanoseconds now = broker::now();
    const auto change = told_ ? told_->next_change(now) : std::nullopt;
    if (!change) {
        poll(both.data(), both.size(), -1);
        return;
    }
    constexpr nanoseconds second = 1'000'000'000;
    const nanoseconds left = *change - now;
    const timespec patience{.tv_sec = static_cast<time_t>(left / second), .tv_nsec = static_cast<long>(left % second)};
    if (ppoll(both.data(), both.size(), &patience, nullptr) == 0) calls_.on_turn(*told_);
}

void membership::leave() {
    calls_.on_feedback_page(nullptr);
    former_.push_back(std::move(joined_->feedback));
    if (former_.size() > most_former_pages) former_.erase(former_.begin());
    kept_.reset();
    joined_.reset();
    const auto now = clock::now();
    lost_at_ = now + what_.grace;
    watch_from_ = now;
    if (next_try_) return;  // it has refused
    // One that welcomes and goes, again and again, is not joined a thousand times a second.
    if (now - joined_at_ >= longest_pause) pause_ = first_pause;
    else next_try_ = now + std::exchange(pause_, std::min<clock::duration>(2 * pause_, longest_pause));
}

}  // namespace parley::inline v0::broker
