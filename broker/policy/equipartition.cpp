#include <broker/policy/equipartition.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <queue>
#include <span>
#include <vector>

namespace parley::inline v0::broker {
namespace {

// Whose turn it is: least for its weight first.
struct turn {
    const share_claim* claim;
    std::size_t index;
    std::uint32_t share;

    friend bool operator<(const turn& a, const turn& b) noexcept {  // b is before a
        const std::uint64_t left = std::uint64_t{a.share} * b.claim->weight;
        const std::uint64_t right = std::uint64_t{b.share} * a.claim->weight;
        if (left != right) return left > right;
        // Whoever would lose a core without this turn goes first: shares once given stay as they are.
        const bool a_loses = a.claim->held > a.share, b_loses = b.claim->held > b.share;
        if (a_loses != b_loses) return b_loses;
        return a.claim->program > b.claim->program;
    }
};

}  // namespace

bool taken_cores::take(const usable_cores& usable) {
    if (!usable.are_all()) {
        std::uint32_t& n = of_group_[usable.words()];
        if (n >= usable.count(of_machine_)) return false;
        ++n;
    }
    ++count_;
    return true;
}

std::vector<std::uint32_t> equipartition(std::span<const share_claim> claims, std::uint32_t cores, const user_caps& caps) {
    std::vector<std::uint32_t> shares(claims.size(), 1);
    taken_cores taken(cores);
    for (const share_claim& c : claims) taken.take(c.usable);
    std::map<user_id, std::uint32_t> of_user;
    std::priority_queue<turn> next;
    for (std::size_t i = 0; i < claims.size(); ++i) {
        ++of_user[claims[i].user];
        if (claims[i].desire > 1) next.push({&claims[i], i, 1});
    }
    while (taken.count() < cores && !next.empty()) {
        turn t = next.top();
        next.pop();
        std::uint32_t& has = of_user[t.claim->user];
        if (has >= caps.cap(t.claim->user) || !taken.take(t.claim->usable)) continue;
        ++has;
        shares[t.index] = ++t.share;
        if (t.share < t.claim->desire) next.push(t);
    }
    return shares;
}

}  // namespace parley::inline v0::broker
