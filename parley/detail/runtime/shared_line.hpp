// The part of a worker that others write. Any thread may touch it, but only by the operations of the channels in it.
#pragma once

#include <parley/detail/base/cache_line.hpp>
#include <parley/detail/driver/task.hpp>
#include <parley/detail/protocol/request.hpp>
#include <parley/detail/sync/attention.hpp>
#include <parley/detail/sync/claim.hpp>
#include <parley/detail/sync/flag.hpp>
#include <parley/detail/sync/mpsc.hpp>
#include <parley/detail/sync/spsc.hpp>

#include <cstdint>

namespace parley::inline v0::threading {

// The letter of a request, which travels from victim to victim, as a node of the mailbox that it is in.
struct letter_node {
    letter_node* next = nullptr;
    protocol::letter contents;
};
using mailbox = sync::mpsc<letter_node, &letter_node::next>;

// A request and its task channel.
struct own_request {
    own_request() noexcept : state(protocol::request_state::home) {}

    letter_node travelling;        // owned by the worker that holds the letter
    sync::spsc_slot<task> answer;  // the task channel
    sync::claim<protocol::request_state> state;
    sync::flag letter_away;                         // the letter is not with its thief
    bool high = false;                              // are the tasks of the answer of high priority? Ordered by `answer`
    bool isolated = false;                          // were they made inside an isolation? Ordered by `answer`
    protocol::amount wish = protocol::amount::one;  // ordered by `state`, or by a letter that circulates
    std::uint16_t victim = 0;                       // the worker that has answered; ordered by `answer`
    std::uint16_t range = 0;                        // the range that came with the answer; ordered by `answer`
};

// The members that others touch lie in one cache line. So sending a request, answering one and waking a worker cost one
// transfer each. The owner spins on its own copy of the line.
struct alignas(base::cache_line) shared_line {
    [[no_unique_address]] own_request first;  // the members below lie in its padding, too
    sync::attention attention;
    mailbox letters;
};
static_assert(sizeof(shared_line) == base::cache_line);

// The second request of a worker that has two.
struct alignas(base::cache_line) second_request : own_request {
    // Of the answers to both requests, by slot: in which region were isolated ones made? Ordered by `answer`. Few answers
    // are isolated, so this takes no room in the first line.
    std::uint64_t regions[2] = {};
};

}  // namespace parley::inline v0::threading
