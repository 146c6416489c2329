/// @file
/// Tasks that spawn tasks, anywhere, and sum up what they find.
#pragma once

#include <parley/cluster/errors.hpp>
#include <parley/cluster/group.hpp>
#include <parley/cluster/serial.hpp>
#include <parley/cluster/task_set.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <iterator>
#include <mutex>
#include <optional>
#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

namespace parley::inline v0::cluster {

/// What a task spawns through.
template <class Task>
class spawner {
public:
    /// By a task, while it runs. Returns at once, but where options::pool_bytes are full: then t runs before it returns,
    /// on the caller's stack and with the caller's sum. So hold no lock and no half of an addition while spawning.
    void spawn(Task t) {
        if (tasks_.size() < most_ || depth_ >= deepest) {
            tasks_.push_back(std::move(t));
            return;
        }
        ++depth_;
        run_->run(t);
        --depth_;
    }
    /// Where the task runs.
    [[nodiscard]] task_context& here() noexcept { return *here_; }

private:
    template <class, class, class, class>
    friend class spawning;
    struct runner {
        virtual void run(const Task&) = 0;

    protected:
        ~runner() = default;
    };
    spawner(task_context& here, runner& run, std::size_t most) noexcept : here_(&here), run_(&run), most_(most) {}

    // Of tasks that run in place inside each other; a deeper tree grows the pool, not the stack.
    static constexpr unsigned deepest = 500;

    std::vector<Task> tasks_;  // the newest last
    task_context* here_;
    runner* run_;
    std::size_t most_;
    unsigned depth_ = 0;
};

/// Tasks that spawn tasks, whose findings are summed up: what run() makes. F: void(const Task&, spawner<Task>&, Sum&).
/// Combine: void(Sum&, const Sum&), associative and commutative.
///
/// A worker has its newest tasks to itself and goes through them depth first, without a lock. Now and then it looks up:
/// has the rank no task that others could have, it hands over the older half of its own (Fontenaille et al. 2018, §2.2:
/// a private set and a shared one).
template <class Task, class Sum, class F, class Combine>
class spawning final : task_set {
public:
    static_assert(serializable<Task>, "tasks cannot travel between ranks: specialise parley::cluster::serializer");
    static_assert(serializable<Sum>, "sums cannot travel between ranks: specialise parley::cluster::serializer");

    /// Collective. It ends by waves, whatever the group's options say: nobody can tell how many tasks there will be.
    spawning(group& g, std::vector<Task> roots, F f, Combine c, Sum zero)
        : task_set(g, termination::waves, typeid(spawning).name()),
          function_(std::move(f)),
          combine_(std::move(c)),
          zero_(zero),
          sum_(zero),
          all_(std::move(zero)) {
        shared_.assign(std::make_move_iterator(roots.begin()), std::make_move_iterator(roots.end()));
        enter();
    }
    ~spawning() { leave(); }

    /// Until no rank has a task. The sum of all of them, on every rank. Throws task_failed.
    Sum finish() {
        drive_to_end();
        return all_;
    }

    using task_set::own;
    using task_set::timeline;
    using task_set::total;

private:
    static constexpr std::uint32_t longest_stretch = 1u << 16;

    // How many tasks until the next look, so that one comes every tenth of options::look_seconds, whatever they cost.
    class stretch {
    public:
        bool is_over() noexcept { return --left_ == 0; }
        void begin(double lasted, double wanted) noexcept {
            if (lasted < wanted / 2) length_ = std::min(longest_stretch, length_ * 2);
            else if (lasted > wanted) length_ = std::max<std::uint32_t>(1, length_ / 2);
            left_ = length_;
        }

    private:
        std::uint32_t length_ = 1, left_ = 1;  // the first task may be long
    };

    // One worker that goes through what it has.
    class stretch_of_tasks final : spawner<Task>::runner {
    public:
        stretch_of_tasks(spawning& home, task_context& here)
            : mine(here, *this, std::max<std::size_t>(2, home.most_pooled() / sizeof(Task))),  // one of two can be shared
              found(home.zero_),
              begin(home.now()),
              home_(home),
              last_(begin) {}

        void run_all() {
            while (!mine.tasks_.empty()) {
                const Task t = std::move(mine.tasks_.back());
                mine.tasks_.pop_back();
                run(t);
                if (stopped_) std::rethrow_exception(stopped_);
            }
        }

        spawner<Task> mine;
        Sum found;
        const double begin;
        std::uint64_t tasks = 0;
        std::uint64_t counted = 0;  // of them, in the statistics already

    private:
        // Throws nothing: a task that is run in place lies in somebody's spawn(), who may catch what it likes.
        void run(const Task& t) override {
            if (stopped_) return;
            ++tasks;
            try {
                home_.function_(t, mine, found);
            } catch (const std::exception& e) {
                home_.fail(e.what());
            } catch (...) {
                home_.fail("something that is no std::exception");
            }
            if (!until_look_.is_over()) return;
            try {
                home_.look_up(mine.tasks_, tasks - std::exchange(counted, tasks));
            } catch (...) {
                stopped_ = std::current_exception();
            }
            const double at = home_.now();
            until_look_.begin(at - last_, home_.look_interval());
            last_ = at;
        }

        spawning& home_;
        double last_;
        stretch until_look_;
        std::exception_ptr stopped_;  // the work of all ranks has ended: this one's, too
    };

    void run_one(task_context& here) override {
        stretch_of_tasks work(*this, here);
        {
            const std::scoped_lock guard(lock());
            if (shared_.empty()) return;
            work.mine.tasks_.push_back(std::move(shared_.back()));  // the newest: depth first
            shared_.pop_back();
            task_begins();
        }
        work.run_all();
        const double seconds = now() - work.begin;
        const std::scoped_lock guard(lock());
        task_ends(work.tasks, work.begin, seconds, work.counted);
        combine_(sum_, static_cast<const Sum&>(work.found));
    }
    void look_up(std::vector<Task>& mine, std::uint64_t ran) {
        const std::scoped_lock guard(lock());
        protocol().count().tasks += ran;
        if (shared_.empty() && mine.size() > 1) {
            const auto half = mine.begin() + static_cast<std::ptrdiff_t>(mine.size() / 2);
            shared_.insert(shared_.end(), std::make_move_iterator(mine.begin()), std::make_move_iterator(half));
            mine.erase(mine.begin(), half);
        }
        look_and_go_on();
    }
    void fail(const std::string& why) {
        const std::scoped_lock guard(lock());
        protocol().failed(why);
    }
    void restart() override { throw error("parley: a rank is lost, and with it tasks that nobody else knows"); }

    // --- load
    [[nodiscard]] std::size_t waiting() const override { return shared_.size(); }
    [[nodiscard]] bool is_busy() const override { return running() > 0; }
    [[nodiscard]] bool is_complete() const override { return false; }
    // Of the tasks that the others could have; those of each worker are behind them.
    [[nodiscard]] std::size_t room() const override {
        const std::size_t held = shared_.size() * sizeof(Task);
        return most_held() > held ? most_held() - held : 0;
    }
    // The oldest: nearest to the root, with most behind them.
    std::uint32_t give(std::uint32_t count, std::size_t size, writer& w) override {
        std::uint32_t given = 0;
        for (; given < count && !shared_.empty(); ++given) {
            const std::size_t data = w.data();
            const std::size_t padding = w.padding();
            w(shared_.front());
            if (given > 0 && w.size() > size) {
                w.cut(data, padding);
                break;
            }
            shared_.pop_front();
        }
        return given;
    }
    void take(std::uint32_t count, reader& r) override {
        for (; count > 0; --count) shared_.push_back(r.get<Task>());
    }
    void result(std::uint64_t, bool, reader&) override { throw malformed("parley: a result that nobody waits for"); }
    void sum_begins() override { all_ = sum_; }
    void add(reader& r) override { combine_(all_, r.get<Sum>()); }
    void write_sum(writer& w) const override { w(all_); }
    void sum_of_all(reader& r) override { all_ = r.get<Sum>(); }

    F function_;
    Combine combine_;
    Sum zero_;
    Sum sum_;  // of this rank's workers that have stopped
    Sum all_;  // at the end: of all ranks
    std::deque<Task> shared_;
};

}  // namespace parley::inline v0::cluster
