// What all programs of one process have in common. A process may have several, led by different sections; its run time
// is that of all, and any of its threads may be any program's: so who looks at it looks for all of them, and who binds
// its threads binds them to what all hold. Neither takes place while another section does it: that would be waiting.
#pragma once

#include <broker/daemon/look_budget.hpp>
#include <broker/daemon/process_tree.hpp>
#include <broker/daemon/tree_clock.hpp>
#include <broker/policy/ids.hpp>

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>

namespace parley::inline v0::broker::service {

class process_room {
public:
    explicit process_room(run_time_source ran = run_time, run_time_source ran_in_tree = run_time_of_tree) noexcept
        : alone_(ran), tree_(ran_in_tree) {}

    // How long the cores of a program were there; returns the new sum of all. Cores that several of them hold count
    // once.
    nanoseconds add(nanoseconds room);
    void holds(program_id p, const core_set& cores);
    // Returns whether there are other programs.
    bool leaves(program_id p);
    [[nodiscard]] core_set cores() const;

    // The process, or the tree whose root it is.
    struct subject {
        pid_t pid = 0;
        int pidfd = -1;
        bool is_tree = false;
    };
    // What it has run, by a look that is not older than `age`, or by a new one, or guessed.
    [[nodiscard]] tree_clock::reading read(const subject&, nanoseconds at, nanoseconds age, look_budget&);

    enum class standing : std::uint8_t {
        follows,
        waits,   // it does not, but that is its own affair yet
        strays,  // its threads are to be bound
    };
    struct outcome {
        std::uint32_t moved = 0, refused = 0;
        bool is_freed = false;
    };
    // Binds threads, if one of its programs strays, but not twice within `patience`. Sets them free when all follow
    // again. More threads than most_threads are done bit by bit.
    outcome keep(program_id, standing, const subject&, nanoseconds at, nanoseconds patience, look_budget&);
    // Of who was the last program: returns whether no thread is bound any more, or that is somebody else's to see to.
    // Without a budget, at once.
    bool give_back(const subject&, const core_set& to, nanoseconds at, look_budget*);
    // When threads were bound last.
    [[nodiscard]] nanoseconds bound_at() const;

private:
    enum class deed : std::uint8_t { bind, shift, free };
    struct step {
        deed what = deed::bind;
        core_set from{}, to{};
        bool of_tree = false;
        long next = 0;  // the thread where it goes on
    };
    [[nodiscard]] core_set all_cores() const;
    [[nodiscard]] std::optional<step> next_step(standing, const subject&, nanoseconds at, nanoseconds patience) const;
    outcome go_on(std::unique_lock<std::mutex>&, const subject&, nanoseconds at, look_budget*);
    [[nodiscard]] tree_clock& clock(bool of_tree) noexcept { return of_tree ? tree_ : alone_; }

    mutable std::mutex mutex_;
    nanoseconds sum_ = 0;
    std::map<program_id, core_set> held_;
    std::map<program_id, standing> standing_;
    tree_clock alone_, tree_;
    bool is_busy_ = false;  // a section looks at it or binds it: nobody else does then
    std::optional<step> under_way_;
    std::optional<core_set> bound_to_;  // some threads, by us
    bool tree_is_bound_ = false;
    nanoseconds bound_at_ = 0;
};

}  // namespace parley::inline v0::broker::service
