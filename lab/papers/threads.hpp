// What the papers' machine keeps in a runtime of threads and in its workers, and how it is sent there.
#pragma once

#include <lab/papers/circulating.hpp>
#include <parley/detail/protocol/request.hpp>
#include <parley/detail/sync/counter.hpp>
#include <parley/detail/sync/flag.hpp>

#include <cstdint>
#include <optional>
#include <utility>

namespace parley::inline v0::protocol {

inline constexpr bool requests_circulate = true;
using machine_choices = circulating;

// What a letter brings, and to whom; owned by whoever holds the letter, but for the last, which is ordered by the task
// channel.
template <class Task>
struct load {
    Task* tasks = nullptr;
    worker_id taker = no_worker;
    bool high = false;
    std::uint64_t region = 0;  // the number of the isolation that they were made in, or 0
    bool goes_on = false;
};

template <class Task, class Mailbox>
struct part_of_worker {
    load<Task> loads[most_requests];  // of its letters
    Mailbox messages;                 // of a manager: never closed
    sync::flag registered;            // as idle

    [[nodiscard]] const char* standing(bool) const noexcept {
        return registered.is_down_acquire() ? "active" : "registered as idle";
    }
};

template <class Task>
struct part_of_runtime {
    sync::shared_counter registered_idle;  // workers
    Task no_task{};                        // what an answer without tasks carries
};

// Of a medium (runtime/medium.hpp), which inherits it.
template <class Medium>
class part_of_medium {
public:
    void send_message(worker_id to, const letter& t) noexcept {
        auto& letter = me().at(t.request).travelling;
        letter.contents = t;
        (void)me().pool_.at(to).machine_part().messages.send(&letter);
    }
    std::optional<letter> receive_message() noexcept {
        const auto* const letter = me().self_.machine_part().messages.receive();
        if (letter == nullptr) return std::nullopt;
        return letter->contents;
    }

    void set_taker(request_id r, worker_id w) noexcept { load_of(r).taker = w; }
    worker_id taker(request_id r) const noexcept { return load_of(r).taker; }
    void set_goes_on(request_id r, bool goes_on) noexcept { load_of(r).goes_on = goes_on; }
    bool goes_on(request_id r) const noexcept { return load_of(r).goes_on; }
    void load_tasks(request_id r, amount a) noexcept {
        const typename Medium::giving here(me().self_, r);
        const auto given = me().oldest(r, a);
        auto& l = load_of(r);
        l.tasks = given.tasks;
        l.high = given.high;
        l.region = given.region;
    }
    void unload_tasks(request_id r) {
        const typename Medium::getting here(me().self_, r);
        auto& l = load_of(r);
        me().take_in({std::exchange(l.tasks, nullptr), l.high, l.region});
    }
    bool is_loaded(request_id r) const noexcept { return load_of(r).tasks != nullptr; }

    void send_nothing(request_id r) noexcept {
        me().at(r).isolated = false;
        me().at(r).answer.send(&me().pool_.exchange().of_machine.no_task);
    }
    // Of what has come through a task channel: any tasks?
    template <class Task>
    bool has_come(const Task* message) const noexcept {
        return message != &me().pool_.exchange().of_machine.no_task;
    }

    void register_idle(worker_id w) noexcept {
        if (me().pool_.at(w).machine_part().registered.put_up()) me().pool_.exchange().of_machine.registered_idle.add();
    }
    void unregister_idle(worker_id w) noexcept {
        if (me().pool_.at(w).machine_part().registered.lower()) me().pool_.exchange().of_machine.registered_idle.take_off();
    }
    std::uint32_t registered_idle() const noexcept {
        return static_cast<std::uint32_t>(me().pool_.exchange().of_machine.registered_idle.get());
    }

private:
    Medium& me() noexcept { return static_cast<Medium&>(*this); }
    const Medium& me() const noexcept { return static_cast<const Medium&>(*this); }
    auto& load_of(request_id r) const noexcept { return me().pool_.at(thief_of(r)).machine_part().loads[slot_of(r)]; }
};

}  // namespace parley::inline v0::protocol
