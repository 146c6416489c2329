// What the papers' machine asks of a medium beside what ours does.
#pragma once

#include <parley/detail/protocol/medium.hpp>
#include <parley/detail/protocol/request.hpp>

#include <concepts>
#include <cstdint>
#include <optional>

namespace parley::inline v0::protocol {

// Tasks that travel in a letter, and to whom: circulating.hpp. All but goes_on() by the letter's holder.
template <class M>
concept loads_letters = requires(M& m, worker_id w, request_id r, amount a, bool flag) {
    m.set_taker(r, w);  // who gets what the next victim gives
    { m.taker(r) } -> std::same_as<worker_id>;
    m.set_goes_on(r, flag);                  // before it answers: does the letter go on?
    { m.goes_on(r) } -> std::same_as<bool>;  // by the thief, of what arrived
    m.load_tasks(r, a);                      // from the deque's old end
    m.unload_tasks(r);                       // into the deque, which is empty
    { m.is_loaded(r) } -> std::same_as<bool>;
};

template <class M>
concept papers_medium = medium<M> && loads_letters<M> && requires(M& m, worker_id w, request_id r, letter t) {
    // What a manager is told, by the letters of requests: a channel that never closes.
    m.send_message(w, t);
    { m.receive_message() } -> std::same_as<std::optional<letter>>;

    m.send_nothing(r);                             // an answer, too
    { m.receive_tasks(r) } -> std::same_as<bool>;  // false: it was nothing

    m.register_idle(w);  // a set of workers: the manager's own, or everybody's (circulating.hpp)
    m.unregister_idle(w);
    { m.registered_idle() } -> std::convertible_to<std::uint32_t>;  // how many
};

}  // namespace parley::inline v0::protocol
