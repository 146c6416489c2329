// Searches whose tasks are written in Rust (lab/peers/rust/src/uts.rs): they get the law of the tree, the
// hash and the tallies from here.
#pragma once

#include <stdexcept>

#include "lab/peers/padded.hpp"
#include "lab/programs/uts.hpp"

extern "C" struct parley_rust_search {
    const parley_programs::uts::branching_law::row* rows;
    std::uint32_t last;  // row
    parley_programs::uts::node root;
    // A class of this size is returned as C returns it.
    parley_programs::sha1_digest (*hash)(const parley_programs::sha1_digest&, std::uint32_t) noexcept;
    parley_peers::padded<parley_programs::uts::tally>* tallies;  // one for each worker
};

namespace parley_programs::uts {

template <parley_peers::in_rust S>
class searcher<S> {
public:
    static constexpr bool can_be_watched = S::counts_as_it_goes;

    searcher(const tree& which, typename S::pool& pool, sha1_choice hash = sha1_choice::best)
        : law_(which), root_(root_of(which)), tallies_(pool.workers()), hash_(hash) {}

    // Throws if the tree is so deep that recursion could overflow a stack.
    totals operator()() {
        tallies_.each([](tally& t) { t.clear(); });
        const bool complete = with_sha1(hash_, [this]<class Hash>(Hash) {
            return S::uts({law_.rows().data(), static_cast<std::uint32_t>(law_.rows().size() - 1), root_, Hash::child,
                           tallies_.data()});
        });
        if (!complete) {
            throw std::runtime_error("this tree is too deep for " + std::string(S::name) +
                                     ", where each level takes a part of the stack");
        }
        return so_far();
    }

    totals so_far() {
        totals sum{1, 0, 1};  // the root, which is nobody's child
        tallies_.each([&sum](const tally& t) { t.add_to(sum); });
        return sum;
    }

private:
    branching_law law_;
    node root_;
    parley_peers::per_worker<tally> tallies_;
    sha1_choice hash_;
};

}  // namespace parley_programs::uts
