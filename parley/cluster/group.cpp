#include <parley/base/rng.hpp>
#include <parley/cluster/group.hpp>
#include <parley/cluster/phase.hpp>
#include <parley/version.hpp>

#include <algorithm>
#include <chrono>
#include <initializer_list>
#include <string>
#include <string_view>

namespace parley::inline v0::cluster {
namespace {

constexpr std::size_t most_left = 16;

std::string complaint(const options& o, const medium& m) {
    if (!(o.look_seconds > 0)) return "parley: cluster::options::look_seconds must be above 0";
    if (o.steal_bytes == 0) return "parley: cluster::options::steal_bytes must be above 0";
    if (o.held_bytes == 0) return "parley: cluster::options::held_bytes must be above 0";
    if (o.workers != 1 && !m.serves_any_thread())
        return "parley: more than one worker in a rank needs MPI_THREAD_SERIALIZED or more from MPI_Init_thread";
    return "";
}

std::uint64_t hash_of(std::string_view words, std::initializer_list<std::uint64_t> numbers) {
    std::uint64_t sum = words.size();
    for (const char c : words) sum = base::rng(sum ^ static_cast<unsigned char>(c)).next();
    for (const std::uint64_t n : numbers) sum = base::rng(sum ^ n).next();
    return sum;
}

}  // namespace

group::group(std::unique_ptr<medium> m, const options& how) : how_(how), medium_(std::move(m)) {
    // A rank whose options are no good says something else than all others, so that none of them waits for it.
    const std::string mine = complaint(how_, *medium_);
    const std::uint64_t same = hash_of(
        PARLEY_VERSION, {protocol_version, static_cast<std::uint64_t>(how.overlay.kind), how.overlay.degree,
                         how.overlay.seed, static_cast<std::uint64_t>(how.steal), static_cast<std::uint64_t>(how.results),
                         static_cast<std::uint64_t>(how.ends), how.relays ? 1u : 0u, how.steal_bytes});
    const bool all_agree = medium_->all_say(mine.empty() ? same : ~same);
    if (!mine.empty()) throw usage_error(mine);
    if (!all_agree) throw disagreement("parley: the ranks differ in Parley's version or in cluster::options");
    if (how_.workers != 1) {
        parley::options chosen = parley::options::from_environment();
        if (how_.workers != 0) chosen.workers = how_.workers;
        if (!chosen.serial) {
            crew_ = std::make_unique<runtime>(chosen);
            workers_ = crew_->workers();
        }
    }
    graphs_.push_back(std::make_unique<overlay>(medium_->self(), overlay_graph(medium_->ranks(), how_.overlay)));
    if (medium_->serves_any_thread() && medium_->ranks() > 1) helper_ = std::thread([this] { attend(); });
}

group::~group() {
    {
        const std::scoped_lock guard(lock_);
        helper_ends_ = true;
    }
    wakes_helper_.notify_one();
    if (helper_.joinable()) helper_.join();
}

position group::rank() const {
    const std::scoped_lock guard(lock_);
    return medium_->self();
}
position group::ranks() const {
    const std::scoped_lock guard(lock_);
    return medium_->ranks();
}

bool group::all_say(std::uint64_t word) {
    const std::scoped_lock guard(lock_);
    throw_if_broken();
    return medium_->all_say(word);
}

void group::open(phase& p) {
    throw_if_broken();
    const std::uint32_t context = next_context_++;
    try {
        p.begin({.context = context, .epoch = epoch_, .types = p.types_});
        open_.emplace(context, &p);
        retry_early();
    } catch (...) {
        open_.erase(context);
        break_off("parley: a set of tasks cannot be opened on one of the ranks");
        throw;
    }
    wakes_helper_.notify_one();
}

void group::close(phase& p) {
    for (auto at = open_.begin(); at != open_.end(); ++at) {
        if (at->second != &p) continue;
        left_.emplace_back(at->first, p.node_->last_words());
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
        for (const auto& [context, p] : open_) p->node_->advance();
    } catch (const std::exception& e) {
        break_off(e.what());
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
    const auto at = open_.find(h.context);
    if (h.epoch > epoch_ || (at == open_.end() && h.context >= next_context_)) {
        early_.emplace_back(h, std::move(payload));
        return;
    }
    if (at == open_.end()) {
        const auto left = std::ranges::find(left_, h.context, [](const auto& l) { return l.first; });
        is_over_here(h, left != left_.end() ? left->second : bytes{});
        return;
    }
    phase& p = *at->second;
    if (h.types != p.types_)
        throw disagreement("parley: the ranks differ in the types of their tasks: rank " + std::to_string(h.from) +
                           " has others than rank " + std::to_string(medium_->self()));
    if (p.node_->is_closed()) {
        is_over_here(h, p.node_->last_words());
        return;
    }
    p.node_->receive(h, std::move(payload));
    p.node_->advance();
}

// Only after a loss does somebody ask who has not heard of the end; nothing comes behind it otherwise.
void group::is_over_here(const header& h, const bytes& last_words) {
    if (h.kind == message_kind::closed) return;
    medium_->send(h.from,
                  {.context = h.context,
                   .epoch = epoch_,
                   .types = h.types,
                   .from = medium_->self(),
                   .kind = message_kind::closed,
                   .size = last_words.size()},
                  last_words);
}

// Those that are left start again with what is not done, on an overlay of their own.
void group::follow_losses() {
    epoch_ = medium_->losses();
    graphs_.push_back(std::make_unique<overlay>(medium_->self(), overlay_graph(medium_->ranks(), how_.overlay)));
    for (const auto& [context, p] : open_) {
        if (!p->node_->is_finished()) p->begin({.context = context, .epoch = epoch_, .types = p->types_});
        else if (!p->node_->is_closed()) p->node_->close_alone();
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

void group::break_off(const char* why) noexcept {
    if (broken_) return;
    broken_ = std::current_exception();
    try {
        medium_->give_up(why);
    } catch (...) {  // NOLINT(bugprone-empty-catch): this rank ends anyway
    }
}

phase* group::with_tasks(phase* first) const {
    if (broken_) return nullptr;
    if (first != nullptr && first->waiting() > 0) return first;
    for (const auto& [context, p] : open_)
        if (p->waiting() > 0) return p;
    return nullptr;
}

bool group::run_any(phase* first) {
    phase* p = nullptr;
    {
        const std::scoped_lock guard(lock_);
        p = with_tasks(first);
        if (p == nullptr) return false;
        ++p->users_;
    }
    try {
        task_context here(*this);
        p->run_one(here);
    } catch (const std::exception& e) {
        const std::scoped_lock guard(lock_);
        break_off(e.what());
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
    for (const auto& [context, p] : open_) waiting += p->waiting();
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
    while (goes_on() && run_any(nullptr)) {
    }
    // What comes between the last look at the tasks and this line is seen at the next look at the messages.
    const std::scoped_lock guard(lock_);
    if (hired_in_ == hired) --hired_;
}

void group::attend() {
    const std::chrono::duration<double> pause(how_.look_seconds);
    std::unique_lock guard(lock_);
    while (!helper_ends_) {
        if (open_.empty() || broken_) {
            wakes_helper_.wait(guard);
            continue;
        }
        wakes_helper_.wait_for(guard, pause);
        const bool may_look = drivers_ > 0 || medium_->serves_any_time();
        if (helper_ends_ || open_.empty() || !may_look || medium_->now() - last_look_ < how_.look_seconds / 2) continue;
        look();
        try {
            for (std::size_t more = wanted(); more > 0; --more)
                hired_in_->spawn([this, in = hired_in_] { run_tasks(in); });
        } catch (...) {
            break_off("parley: a rank cannot start another worker");
        }
    }
}

}  // namespace parley::inline v0::cluster
