/// @file
/// One rank's part in a group of ranks that share work: the overlay, the messages, and whoever looks at them.
#pragma once

#include <parley/cluster/medium.hpp>
#include <parley/cluster/node.hpp>
#include <parley/cluster/options.hpp>
#include <parley/cluster/overlay.hpp>
#include <parley/cluster/statistics.hpp>
#include <parley/runtime.hpp>
#include <parley/scope.hpp>

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace parley::inline v0::cluster {

class task_set;

/// One rank's part in a group of ranks that share work. Collective: every rank makes it, with the same options, and
/// ends it. Sets of tasks (`task_set`) are made in the same order on every rank; several may be open at once.
///
/// Whichever thread looks at the messages holds the lock: a worker between two tasks, or, when none has for
/// options::look_seconds, a thread that does nothing else.
class group final : public outbox {
public:
    /// Throws usage_error, and disagreement where the ranks' options differ.
    explicit group(std::unique_ptr<medium>, const options& = {});
    /// Collective. No set of tasks is open any more.
    ~group();
    group(const group&) = delete;
    group& operator=(const group&) = delete;

    /// The number of this rank as it was at the start; a rank that is lost changes none.
    [[nodiscard]] position rank() const noexcept { return rank_; }
    /// How many ranks there were at the start.
    [[nodiscard]] position ranks() const noexcept { return ranks_; }
    /// How many of them are left.
    [[nodiscard]] position living() const;
    /// The options that it was made with.
    [[nodiscard]] const options& how() const noexcept { return how_; }
    /// How many workers this rank has.
    [[nodiscard]] unsigned workers() const noexcept { return workers_; }
    /// How far a rank is in the sets that are open.
    struct progress {
        statistics counts;        ///< what was done so far
        std::size_t waiting = 0;  ///< tasks that have not begun
        std::size_t running = 0;  ///< tasks that have begun and not ended
    };
    /// How far this rank is; any thread may ask. Nothing while another thread holds the lock for long, in one of MPI's
    /// collective calls.
    [[nodiscard]] std::optional<progress> so_far() const;
    /// Whether all ranks say this word. Collective, while no set of tasks is open.
    [[nodiscard]] bool all_say(std::uint64_t word);

private:
    friend class task_set;
    friend class task_context;

    void hire_crew();

    // --- with the lock held
    void open(task_set&);
    void close(task_set&);
    void look();
    void look_if_due();
    void dispatch(const header&, bytes payload);
    void say_that_is_over(position to, std::uint32_t set_number, std::uint32_t types, const bytes& last_words);
    void follow_losses();
    void retry_early();
    void throw_if_broken() const;
    // Called in a handler. Tells every rank what was thrown: the exception's words, or `otherwise` if it is no
    // std::exception.
    void break_off(const char* otherwise) noexcept;
    [[nodiscard]] task_set* with_tasks(task_set* first) const;
    // How many more workers there are tasks for; they count as hired.
    [[nodiscard]] std::size_t wanted();
    void send(position to, const header& h, bytes payload) override { medium_->send(to, h, std::move(payload)); }

    // --- without
    // Runs a task of this set, else of any. False: none waits.
    bool run_any(task_set* first);
    void run_tasks(const scope* hired);  // a hired worker
    void attend();                       // the helping thread

    options how_;
    std::unique_ptr<medium> medium_;
    position rank_;
    position ranks_;
    unsigned workers_ = 1;
    std::unique_ptr<runtime> crew_;  // where there is more than one worker

    mutable std::mutex lock_;
    std::uint32_t epoch_ = 0;
    // The last one is in use. What refers to an earlier one has ended or will be told to.
    std::vector<std::unique_ptr<overlay>> graphs_;
    std::map<std::uint32_t, task_set*> open_;
    std::uint32_t next_set_number_ = 0;
    // For sets of tasks that this rank has not made yet, or epochs that it has not noticed.
    std::vector<std::pair<header, bytes>> early_;
    // What was said at the end of the last few sets, for a rank that a loss has made miss it.
    struct ended_set {
        std::uint32_t set_number = 0;
        std::uint32_t types = 0;
        bytes last_words;
    };
    std::deque<ended_set> left_;
    double last_look_ = 0.0;
    std::exception_ptr broken_;

    unsigned drivers_ = 0;     // threads that are in task_set::drive()
    std::size_t running_ = 0;  // tasks
    bool has_hirer_ = false;   // one of the drivers has the workers
    scope* hired_in_ = nullptr;
    std::size_t hired_ = 0;

    std::condition_variable wakes_helper_;
    bool helper_ends_ = false;
    std::thread helper_;
};

}  // namespace parley::inline v0::cluster
