#include <parley/cluster/victim.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace parley::inline v0::cluster {
namespace {

// What waits beyond what this rank's own workers would begin now: work that came starts before any is given away,
// else two idle ranks would send the same task to and fro. Where nobody works now, all of it.
std::size_t spare(const load& l) {
    const std::size_t waiting = l.waiting();
    return waiting - std::min(waiting, l.is_attended() ? l.free_workers() : 0);
}

}  // namespace

void victim::queue::put(position p) {
    if (std::ranges::find(waiting_, p) == waiting_.end()) waiting_.push_back(p);
}
void victim::queue::remove(position p) { std::erase(waiting_, p); }
position victim::queue::take() {
    const position p = waiting_.front();
    waiting_.erase(waiting_.begin());
    return p;
}

victim::victim(const options& how, sender& out) : out_(&out), most_bytes_(how.steal_bytes) {}

void victim::end_offer(position to) { std::erase(offered_, to); }

void victim::asked(const header& h, load& l) {
    end_offer(h.from);
    idle_.remove(h.from);
    early_.remove(h.from);
    const std::size_t have = spare(l);
    // Never the last one to a rank that still has something to do.
    const std::size_t keeps = h.is_early ? 1 : 0;
    if (have <= keeps || has_stopped_) {
        (h.is_early ? early_ : idle_).put(h.from);
        out_->send(h.from, {.kind = message_kind::nothing});
        return;
    }
    const std::size_t wish = h.half ? (have + 1) / 2 : h.count;
    bytes payload;
    writer w(payload);
    const std::size_t most = std::min<std::size_t>(std::min(wish, have - keeps), UINT32_MAX);
    const std::uint32_t given =
        l.give(static_cast<std::uint32_t>(most), std::min<std::size_t>(most_bytes_, static_cast<std::size_t>(h.room)), w);
    out_->send(h.from, {.kind = message_kind::tasks, .count = given, .padding = w.padding()}, std::move(payload));
}

void victim::declined(const header& h) {
    end_offer(h.from);
    ++out_->count.declined;
}

void victim::advance(const load& l) {
    if (has_stopped_ || (idle_.empty() && early_.empty())) return;
    const std::size_t have = spare(l);
    const auto offer = [&](queue& to) {
        const position p = to.take();
        offered_.push_back(p);
        ++out_->count.offers;
        out_->send(p, {.kind = message_kind::offer});
    };
    while (!idle_.empty() && offered_.size() < have) offer(idle_);
    while (!early_.empty() && offered_.size() + 1 < have) offer(early_);
}

}  // namespace parley::inline v0::cluster
