#include <parley/base/rng.hpp>
#include <parley/cluster/group.hpp>
#include <parley/cluster/phase.hpp>
#include <parley/version.hpp>

#include <bit>
#include <chrono>
#include <string>

namespace parley::inline v0::cluster {
namespace {

void require_valid(const options& o, const medium& m) {
    if (!(o.look_seconds > 0)) throw usage_error("parley: cluster::options::look_seconds must be above 0");
    if (o.steal_bytes == 0) throw usage_error("parley: cluster::options::steal_bytes must be above 0");
    if (o.workers != 1 && !m.serves_any_thread())
        throw usage_error("parley: more than one worker in a rank needs MPI_THREAD_SERIALIZED or more from MPI_Init_thread");
}

}  // namespace

void require_same(medium& m, std::string_view what, std::string_view words, std::initializer_list<std::uint64_t> numbers) {
    std::uint64_t sum = words.size();
    for (const char c : words) sum = base::rng(sum ^ static_cast<unsigned char>(c)).next();
    for (const std::uint64_t n : numbers) sum = base::rng(sum ^ n).next();
    if (!m.all_say(sum)) throw disagreement("parley: the ranks differ in " + std::string(what));
}

group::group(std::unique_ptr<medium> m, const options& how) : how_(how), medium_(std::move(m)) {
    require_valid(how_, *medium_);
    require_same(*medium_, "Parley's version or cluster::options", PARLEY_VERSION,
                 {protocol_version, static_cast<std::uint64_t>(how.overlay.kind), how.overlay.degree, how.overlay.seed,
                  static_cast<std::uint64_t>(how.steal), static_cast<std::uint64_t>(how.results),
                  static_cast<std::uint64_t>(how.ends), how.relays ? 1u : 0u, how.steal_bytes});
    if (how_.workers != 1) {
        parley::options chosen = parley::options::from_environment();
        if (how_.workers != 0) chosen.workers = how_.workers;
        if (!chosen.serial) {
            crew_ = std::make_unique<runtime>(chosen);
            workers_ = crew_->workers();
        }
    }
    graph_ = std::make_unique<overlay>(medium_->self(), overlay_graph(medium_->ranks(), how_.overlay));
    if (medium_->serves_any_thread() && medium_->ranks() > 1) helper_ = std::thread([this] { attend(); });
}

group::~group() { stop_helper(); }

void group::stop_helper() noexcept {
    {
        const std::scoped_lock guard(lock_);
        helper_ends_ = true;
    }
    wakes_helper_.notify_one();
    if (helper_.joinable()) helper_.join();
}

std::uint32_t group::open(phase& p) {
    const std::uint32_t context = next_context_++;
    open_.emplace(context, &p);
    p.begin(context, epoch_);
    std::vector<std::pair<header, bytes>> early = std::exchange(early_, {});
    for (auto& [h, payload] : early) dispatch(h, std::move(payload));
    wakes_helper_.notify_one();
    return context;
}

void group::close(phase& p) {
    std::erase_if(open_, [&](const auto& at) { return at.second == &p; });
}

void group::look() {
    last_look_ = medium_->now();
    try {
        if (medium_->losses() != epoch_) follow_losses();
        header h;
        bytes payload;
        while (medium_->receive(h, payload)) dispatch(h, std::move(payload));
        for (const auto& [context, p] : open_) p->protocol().advance();
    } catch (const error& e) {
        broken_ = std::current_exception();
        medium_->give_up(e.what());
    } catch (...) {
        broken_ = std::current_exception();
        medium_->give_up("parley: a rank cannot go on with its messages");
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
    if (at == open_.end()) return;
    at->second->protocol().receive(h, std::move(payload));
    at->second->protocol().advance();
}

// Those that are left start again with what is not done, on an overlay of their own.
void group::follow_losses() {
    epoch_ = medium_->losses();
    graph_ = std::make_unique<overlay>(medium_->self(), overlay_graph(medium_->ranks(), how_.overlay));
    for (const auto& [context, p] : open_) p->begin(context, epoch_);
    std::vector<std::pair<header, bytes>> early = std::exchange(early_, {});
    for (auto& [h, payload] : early) dispatch(h, std::move(payload));
}

void group::throw_if_broken() const {
    if (broken_) std::rethrow_exception(broken_);
}

void group::attend() {
    const std::chrono::duration<double> pause(how_.look_seconds);
    std::unique_lock guard(lock_);
    while (!helper_ends_) {
        if (open_.empty() || broken_) {
            wakes_helper_.wait(guard);
            continue;
        }
        guard.unlock();
        std::this_thread::sleep_for(pause);
        guard.lock();
        if (!open_.empty() && !broken_ && medium_->now() - last_look_ >= how_.look_seconds) {
            look();
            for (const auto& [context, p] : open_) p->hire();
        }
    }
}

}  // namespace parley::inline v0::cluster
