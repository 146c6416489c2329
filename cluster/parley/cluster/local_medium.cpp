#include <parley/cluster/errors.hpp>
#include <parley/cluster/local_medium.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace parley::inline v0::cluster {
namespace {

using clock = std::chrono::steady_clock;
constexpr std::chrono::microseconds longest_pause{200};

}  // namespace

std::vector<position> local_network::living() const {
    std::vector<position> found;
    for (position r = 0; r < at_.size(); ++r)
        if (!at_[r].is_lost) found.push_back(r);
    return found;
}

void local_network::lose(position rank) {
    const std::scoped_lock guard(lock_);
    if (std::exchange(at_[rank].is_lost, true)) return;
    ++losses_;
    news_.notify_all();
}

local_medium::local_medium(local_network& n, position rank) : net_(&n), rank_(rank), living_(n.at_.size()), self_(rank) {
    std::iota(living_.begin(), living_.end(), position{0});
}

void local_medium::throw_if_over() const {
    if (net_->at_[rank_].is_lost) throw error("parley: this rank is lost");
    if (!net_->broken_.empty()) throw error(net_->broken_);
}

void local_medium::send(position to, const header& h, bytes payload) {
    const std::scoped_lock guard(net_->lock_);
    if (net_->at_[rank_].is_lost) return;
    net_->at_[living_[to]].mail.emplace_back(h, std::move(payload));
    net_->news_.notify_all();
}

bool local_medium::receive(header& h, bytes& payload) {
    const std::scoped_lock guard(net_->lock_);
    throw_if_over();
    auto& mail = net_->at_[rank_].mail;
    if (mail.empty()) return false;
    h = mail.front().first;
    payload = std::move(mail.front().second);
    mail.pop_front();
    return true;
}

void local_medium::pause(unsigned) {
    std::unique_lock guard(net_->lock_);
    if (net_->at_[rank_].mail.empty()) net_->news_.wait_for(guard, longest_pause);
}

double local_medium::now() { return std::chrono::duration<double>(clock::now().time_since_epoch()).count(); }

void local_medium::compute(double seconds) {
    const double end = now() + seconds;
    while (now() < end) {}
}

// A round is over for a rank when every rank that lives has said its word of that round.
bool local_medium::all_say(std::uint64_t word) {
    std::unique_lock guard(net_->lock_);
    auto& mine = net_->at_[rank_].words;
    const std::size_t round = mine.size();
    mine.push_back(word);
    net_->news_.notify_all();
    const auto has_said = [&](const local_network::place& p) { return p.is_lost || p.words.size() > round; };
    net_->news_.wait(guard, [&] {
        return net_->at_[rank_].is_lost || !net_->broken_.empty() || std::ranges::all_of(net_->at_, has_said);
    });
    throw_if_over();
    return std::ranges::all_of(
        net_->at_, [&](const local_network::place& p) { return p.words.size() <= round || p.words[round] == word; });
}

std::uint32_t local_medium::losses() {
    const std::scoped_lock guard(net_->lock_);
    if (losses_ != net_->losses_ && !net_->at_[rank_].is_lost) {
        losses_ = net_->losses_;
        living_ = net_->living();
        self_ = static_cast<position>(std::ranges::find(living_, rank_) - living_.begin());
    }
    return losses_;
}

void local_medium::give_up(const std::string& why) {
    const std::scoped_lock guard(net_->lock_);
    if (net_->at_[rank_].is_lost) return;  // only this one ends
    if (net_->broken_.empty()) net_->broken_ = why;
    net_->news_.notify_all();
}

}  // namespace parley::inline v0::cluster
