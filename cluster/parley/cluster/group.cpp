#include <parley/cluster/group.hpp>
#include <parley/cluster/task_set.hpp>
#include <parley/detail/base/hash.hpp>
#include <parley/version.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace parley::inline v0::cluster {
namespace {

constexpr std::size_t most_left = 16;

std::string complaint(const options& o, const medium& m) {
    if (!(o.look_seconds > 0)) return "parley: cluster::options::look_seconds must be above 0";
    if (o.steal_bytes == 0) return "parley: cluster::options::steal_bytes must be above 0";
    if (o.pool_bytes == 0) return "parley: cluster::options::pool_bytes must be above 0";
    if (o.held_bytes == 0) return "parley: cluster::options::held_bytes must be above 0";
    if (o.workers != 1 && !m.serves_any_thread())
        return "parley: more than one worker in a rank needs MPI_THREAD_SERIALIZED or more from MPI_Init_thread";
    return "";
}

}  // namespace

group::group(std::unique_ptr<medium> m, const options& how)
    : how_(how), medium_(std::move(m)), rank_(medium_->self()), ranks_(medium_->ranks()) {
    const std::string mine = complaint(how_, *medium_);
    std::exception_ptr trouble;
    try {
        if (mine.empty()) hire_crew();
    } catch (...) {
        trouble = std::current_exception();
    }
    const std::uint64_t same = base::hash_of(
        PARLEY_VERSION, {protocol_version, static_cast<std::uint64_t>(how.overlay.kind), how.overlay.degree,
                         how.overlay.seed, static_cast<std::uint64_t>(how.steal), static_cast<std::uint64_t>(how.results),
                         static_cast<std::uint64_t>(how.ends), how.relays ? 1u : 0u, how.steal_bytes});
    // A rank that cannot go on says something else than all others, so that none of them waits for it.
    const bool all_agree = medium_->all_say(mine.empty() && !trouble ? same : ~same);
    if (trouble) std::rethrow_exception(trouble);
    if (!mine.empty()) throw usage_error(mine);
    if (!all_agree) throw disagreement("parley: the ranks differ in Parley's version or in cluster::options");
    graphs_.push_back(std::make_unique<overlay>(medium_->self(), overlay_graph(medium_->ranks(), how_.overlay)));
    if (medium_->serves_any_thread() && (medium_->ranks() > 1 || crew_)) helper_ = std::thread([this] { attend(); });
}

void group::hire_crew() {
    if (how_.workers == 1) return;
    parley::options chosen = parley::options::from_environment();
    if (how_.workers != 0) chosen.workers = how_.workers;
    if (chosen.serial) return;
    crew_ = std::make_unique<runtime>(chosen);
    workers_ = crew_->workers();
}

group::~group() {
    // Where ranks may be lost, whoever knows how a set ended stays to tell it until all are through. Without the lock:
    // the helper goes on.
    try {
        if (medium_->may_lose_ranks()) (void)medium_->all_say(0);
    } catch (...) {  // NOLINT(bugprone-empty-catch): this rank is lost, or all of them end
    }
    {
        const std::scoped_lock guard(lock_);
        helper_ends_ = true;
    }
    wakes_helper_.notify_one();
    if (helper_.joinable()) helper_.join();
}

position group::living() const {
    const std::scoped_lock guard(lock_);
    return medium_->ranks();
}

std::optional<group::progress> group::so_far() const {
    std::unique_lock guard(lock_, std::defer_lock);
    for (int attempt = 0; !guard.try_lock(); ++attempt) {
        if (attempt == 200) return std::nullopt;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    progress all;
    all.running = running_;
    for (const auto& [set_number, p] : open_) {
        add(all.counts, p->node_->count());
        all.waiting += p->waiting();
    }
    return all;
}

bool group::all_say(std::uint64_t word) {
    const std::scoped_lock guard(lock_);
    throw_if_broken();
    return medium_->all_say(word);
}

void group::open(task_set& p) {
    throw_if_broken();
    const std::uint32_t set_number = next_set_number_++;
    try {
        p.begin({.set_number = set_number, .epoch = epoch_, .types = p.types_});
        open_.emplace(set_number, &p);
        retry_early();
    } catch (...) {  // what an early message has brought to light, or no memory
        open_.erase(set_number);
        break_off("parley: a set of tasks cannot be opened on one of the ranks");
        throw;
    }
    wakes_helper_.notify_one();
}

void group::close(task_set& p) {
    for (auto at = open_.begin(); at != open_.end(); ++at) {
        if (at->second != &p) continue;
        left_.push_back({at->first, p.types_, p.node_->last_words()});
        if (left_.size() > most_left) left_.pop_front();
        open_.erase(at);
        return;
    }
}

void group::look() {
    if (broken_) return;
    last_look_ = medium_->now();
    try {
        if (medium_->losses() != epoch_) follow_losses();
        header h;
        bytes payload;
        while (medium_->receive(h, payload)) dispatch(h, std::move(payload));
        for (const auto& [set_number, p] : open_) p->node_->advance();
    } catch (...) {
        break_off("parley: a rank cannot go on with its messages");
    }
}

void group::look_if_due() {
    if (medium_->now() - last_look_ >= how_.look_seconds / 10) look();
}

void group::dispatch(const header& h, bytes payload) {
    if (h.mark != protocol_mark || h.version != protocol_version)
        throw disagreement("parley: rank " + std::to_string(h.from) + " speaks another version of the protocol");
    if (h.epoch < epoch_) return;  // what was lost with it, its owner does again
    const auto at = open_.find(h.set_number);
    if (h.epoch > epoch_ || (at == open_.end() && h.set_number >= next_set_number_)) {
        early_.emplace_back(h, std::move(payload));
        return;
    }
    if (at == open_.end()) {
        // Only after a loss does somebody ask who has not heard of the end; nothing comes behind it otherwise.
        const auto left = std::ranges::find(left_, h.set_number, &ended_set::set_number);
        if (h.kind == message_kind::closed) return;
        say_that_is_over(h.from, h.set_number, h.types, left != left_.end() ? left->last_words : bytes{});
        return;
    }
    task_set& p = *at->second;
    if (h.types != p.types_)
        throw disagreement("parley: the ranks differ in the types of their tasks: rank " + std::to_string(h.from) +
                           " has others than rank " + std::to_string(medium_->self()));
    if (p.node_->is_closed()) {
        if (h.kind != message_kind::closed) say_that_is_over(h.from, h.set_number, h.types, p.node_->last_words());
        return;
    }
    p.node_->receive(h, std::move(payload));
    p.node_->advance();
}

void group::say_that_is_over(position to, std::uint32_t set_number, std::uint32_t types, const bytes& last_words) {
    medium_->send(to,
                  {.set_number = set_number,
                   .epoch = epoch_,
                   .types = types,
                   .from = medium_->self(),
                   .kind = message_kind::closed,
                   .size = last_words.size()},
                  last_words);
}

// Those that are left start again with what is not done, on an overlay of their own. Who knows that a set has ended
// tells all others: what it was told by, they would drop now.
void group::follow_losses() {
    epoch_ = medium_->losses();
    graphs_.push_back(std::make_unique<overlay>(medium_->self(), overlay_graph(medium_->ranks(), how_.overlay)));
    const auto tell_all = [&](std::uint32_t set_number, std::uint32_t types, const bytes& last_words) {
        for (position to = 0; to < medium_->ranks(); ++to)
            if (to != medium_->self()) say_that_is_over(to, set_number, types, last_words);
    };
    for (const ended_set& s : left_) tell_all(s.set_number, s.types, s.last_words);
    for (const auto& [set_number, p] : open_) {
        if (!p->node_->is_finished()) {
            p->begin({.set_number = set_number, .epoch = epoch_, .types = p->types_});
            continue;
        }
        if (!p->node_->is_closed()) p->node_->close_alone();
        tell_all(set_number, p->types_, p->node_->last_words());
    }
    retry_early();
}

void group::retry_early() {
    std::vector<std::pair<header, bytes>> early = std::exchange(early_, {});
    for (auto& [h, payload] : early) dispatch(h, std::move(payload));
}

void group::throw_if_broken() const {
    if (broken_) std::rethrow_exception(broken_);
}

void group::break_off(const char* otherwise) noexcept {
    if (broken_) return;
    broken_ = std::current_exception();
    try {
        std::string why = otherwise;
        try {
            throw;
        } catch (const std::exception& e) {
            why = e.what();
        } catch (...) {  // NOLINT(bugprone-empty-catch): it has no words of its own
        }
        medium_->give_up(why);
    } catch (...) {  // NOLINT(bugprone-empty-catch): this rank ends anyway
    }
}

task_set* group::with_tasks(task_set* first) const {
    if (broken_) return nullptr;
    if (first != nullptr && first->waiting() > 0) return first;
    for (const auto& [set_number, p] : open_)
        if (p->waiting() > 0) return p;
    return nullptr;
}

bool group::run_any(task_set* first) {
    task_set* p = nullptr;
    {
        const std::scoped_lock guard(lock_);
        p = with_tasks(first);
        if (p == nullptr) return false;
        ++p->users_;
    }
    try {
        task_context here(*this);
        p->run_one(here);
    } catch (...) {
        const std::scoped_lock guard(lock_);
        break_off("parley: a rank cannot go on with its tasks");
    }
    const std::scoped_lock guard(lock_);
    --p->users_;  // the last access: its owner may be waiting for that
    return true;
}

std::size_t group::wanted() {
    if (hired_in_ == nullptr) return 0;
    std::size_t waiting = 0;
    for (const auto& [set_number, p] : open_) waiting += p->waiting();
    const std::size_t most = workers_ - 1;
    const std::size_t more = std::min(waiting, most - std::min(most, hired_));
    hired_ += more;
    return more;
}

void group::run_tasks(const scope* hired) {
    const auto goes_on = [&] {
        const std::scoped_lock guard(lock_);
        look_if_due();
        return hired_in_ == hired;
    };
    while (goes_on() && run_any(nullptr)) {}
    // What comes between the last look at the tasks and this line is seen at the next look at the messages.
    const std::scoped_lock guard(lock_);
    if (hired_in_ == hired) --hired_;
}

void group::attend() {
    const std::chrono::duration<double> pause(how_.look_seconds);
    std::unique_lock guard(lock_);
    while (!helper_ends_) {
        if ((open_.empty() && !medium_->may_lose_ranks()) || broken_) {
            wakes_helper_.wait(guard);
            continue;
        }
        wakes_helper_.wait_for(guard, pause);
        if (helper_ends_) return;
        const bool may_look = drivers_ > 0 || medium_->serves_any_time();
        if (may_look && medium_->now() - last_look_ >= how_.look_seconds / 2) look();
        try {
            for (std::size_t more = wanted(); more > 0; --more) hired_in_->spawn([this, in = hired_in_] { run_tasks(in); });
        } catch (...) {
            break_off("parley: a rank cannot start another worker");
        }
    }
}

}  // namespace parley::inline v0::cluster
