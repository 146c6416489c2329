#include <parley/broker/equipartition.hpp>

#include <algorithm>
#include <queue>

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

std::vector<std::uint32_t> equipartition(std::span<const share_claim> claims, std::uint32_t cores,
                                         const user_caps& caps) {
    std::vector<std::uint32_t> shares(claims.size(), 1);
    std::uint32_t left = cores - std::min(cores, static_cast<std::uint32_t>(claims.size()));
    std::map<user_id, std::uint32_t> of_user;
    std::priority_queue<turn> next;
    for (std::size_t i = 0; i < claims.size(); ++i) {
        ++of_user[claims[i].user];
        if (claims[i].desire > 1) next.push({&claims[i], i, 1});
    }
    for (; left > 0 && !next.empty();) {
        turn t = next.top();
        next.pop();
        std::uint32_t& has = of_user[t.claim->user];
        if (has >= caps.cap(t.claim->user)) continue;
        ++has;
        --left;
        shares[t.index] = ++t.share;
        if (t.share < t.claim->desire) next.push(t);
    }
    return shares;
}

}  // namespace parley::inline v0::broker
