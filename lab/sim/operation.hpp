// One step of a virtual worker: what it asked of its medium (or did as a driver) and what came
// back. The entries of a handler's log are what makes it possible to leave a handler in the middle
// and to come back to the same place (see stepping.hpp).
#pragma once

#include <parley/detail/protocol/medium.hpp>
#include <parley/detail/protocol/request.hpp>

#include <cstdint>
#include <optional>
#include <type_traits>

namespace parley::inline v0::sim {

// The workers are agents 0 to n - 1; those outside follow.
using agent_id = std::uint32_t;
using task_id = std::uint32_t;
inline constexpr task_id no_task = ~task_id{0};

enum class operation : std::uint8_t {
    // of a medium
    send_request,
    receive_request,
    open_mailbox,
    close_mailbox,
    state,
    set_state,
    claim,
    set_wish,
    wish,
    may_travel,
    take_off,
    land,
    deposit,
    take_resting,
    lobby_empty,
    attention,
    lower,
    raise,
    raise_and_wake,
    prepare_to_sleep,
    cancel_sleep,
    spare,
    tasks_run,
    send_tasks,
    receive_tasks,
    tasks_arrived,
    take_answer,
    take_answer_back,
    victim_of,
    take_job,
    jobs_waiting,
    draw_job,
    put_back_job,
    hand_over_job,
    publish_idle,
    publish_sent,
    publish_received,
    published,
    jobs_sent,
    register_idle,
    unregister_idle,
    registered_idle,
    send_nothing,
    send_message,
    receive_message,
    set_taker,
    taker,
    set_goes_on,
    goes_on,
    load_tasks,
    unload_tasks,
    is_loaded,
    set_barrier_open,
    barrier_open,
    set_manager,
    manager,
    // of a driver
    spawn,
    begin,
    finish,
    drop,
    poll,
    work,
    look,
    sleep,
    count_job,
    send_job,
    start_threads,
    resize,
    come_in,
    go_out,
    announce,
    complete,
    lock,
    unlock,
    lend,
    take_back,
    pass_on,
    sleep_there,
    wake_there,
    finished
};

inline constexpr std::uint32_t operation_kinds = static_cast<std::uint32_t>(operation::finished) + 1;

// A result of any operation, as plain words.
struct outcome {
    bool yes = true;
    std::uint64_t x = 0;
    std::uint64_t y = 0;
    friend bool operator==(const outcome&, const outcome&) = default;
};

struct entry {
    operation what{};
    std::uint32_t about = 0;   // a worker or a request
    std::uint32_t detail = 0;  // bits, a state, a task
    outcome result;
    friend bool operator==(const entry&, const entry&) = default;
};

namespace detail {

template <class T>
concept word_like = std::is_enum_v<T> || (std::is_integral_v<T> && !std::is_same_v<T, bool>);

constexpr std::uint32_t low_word(std::uint64_t both) noexcept { return static_cast<std::uint32_t>(both); }

template <class... Numbers>
constexpr std::uint64_t bytes(Numbers... numbers) noexcept {
    std::uint64_t all = 0;
    int shift = 0;
    ((all |= std::uint64_t{static_cast<std::uint32_t>(numbers) & 255u} << shift, shift += 8), ...);
    return all;
}
constexpr std::uint8_t byte(std::uint64_t all, int number) noexcept {
    return static_cast<std::uint8_t>(all >> (8 * number) & 255u);
}

}  // namespace detail

inline outcome encode(bool yes) noexcept { return {yes, 0, 0}; }
template <detail::word_like T>
outcome encode(T value) noexcept {
    return {true, static_cast<std::uint64_t>(value), 0};
}
inline outcome encode(const std::optional<std::uint32_t>& value) noexcept {
    return {value.has_value(), value.value_or(0), 0};
}
// A letter in two words: all its numbers are below 255, and 255 stands for no_worker.
inline outcome encode(const std::optional<protocol::letter>& t) noexcept {
    if (!t) return {false, 0, 0};
    using detail::bytes;
    return {true, bytes(t->request, t->start, t->stride, t->hop, static_cast<std::uint32_t>(t->status)),
            bytes(t->preferred, t->preferred_waits ? 1 : 0, t->samples, t->most_spare)};
}
inline outcome encode(const protocol::published_state& p) noexcept { return {p.idle, p.sent, p.received}; }

template <class T>
T decode(const outcome& r) noexcept {
    if constexpr (std::is_same_v<T, bool>) {
        return r.yes;
    } else if constexpr (std::is_same_v<T, std::optional<std::uint32_t>>) {
        return r.yes ? T(detail::low_word(r.x)) : std::nullopt;
    } else if constexpr (std::is_same_v<T, std::optional<protocol::letter>>) {
        if (!r.yes) return std::nullopt;
        using detail::byte;
        const bool nobody_first = byte(r.y, 0) == 255;
        const auto preferred = static_cast<std::uint16_t>(nobody_first ? protocol::no_worker : byte(r.y, 0));
        return protocol::letter{.request = byte(r.x, 0),
                                .start = byte(r.x, 1),
                                .stride = byte(r.x, 2),
                                .hop = byte(r.x, 3),
                                .preferred = preferred,
                                .preferred_waits = byte(r.y, 1) != 0,
                                .samples = byte(r.y, 2),
                                .most_spare = byte(r.y, 3),
                                .status = static_cast<protocol::status>(byte(r.x, 4))};
    } else if constexpr (std::is_same_v<T, protocol::published_state>) {
        return {r.yes, r.x, r.y};
    } else {
        static_assert(detail::word_like<T>);
        return static_cast<T>(r.x);
    }
}

}  // namespace parley::inline v0::sim
