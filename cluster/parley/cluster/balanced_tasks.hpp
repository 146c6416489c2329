/// @file
/// A set of tasks whose results come home to the rank that brought them.
#pragma once

#include <parley/cluster/errors.hpp>
#include <parley/cluster/group.hpp>
#include <parley/cluster/serial.hpp>
#include <parley/cluster/task_set.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

namespace parley::inline v0::cluster {

/// What f(cell), or f(cell, task_context&), returns.
template <class F, class Cell>
struct result_of_task : std::invoke_result<F&, const Cell&> {};
template <class F, class Cell>
    requires std::is_invocable_v<F&, const Cell&, task_context&>
struct result_of_task<F, Cell> : std::invoke_result<F&, const Cell&, task_context&> {};

/// Tasks of which each has a result that comes home to the rank that brought it: f(cell), or f(cell, task_context&).
template <class Cell, class F>
class balanced_tasks final : task_set {
public:
    /// What f returns.
    using result_type = std::remove_cvref_t<typename result_of_task<F, Cell>::type>;
    static_assert(serializable<Cell>, "tasks cannot travel between ranks: specialise parley::cluster::serializer");
    static_assert(serializable<result_type>, "results cannot travel between ranks: specialise parley::cluster::serializer");

    /// Collective. f is called on whichever rank a task comes to, with that rank's own copy of f, by several workers at
    /// once where it has them: what it has captured does not travel. Ranks whose types differ notice it at their first
    /// message, and all of them end or throw.
    balanced_tasks(group& g, F f) : balanced_tasks(g, std::span<const Cell>(), std::move(f)) {}
    /// The tasks 0 to mine.size() - 1 are there at once; `mine` outlives this.
    balanced_tasks(group& g, std::span<const Cell> mine, F f)
        : task_set(g, g.how().ends, typeid(balanced_tasks).name()), function_(std::move(f)), given_(mine) {
        for (std::uint64_t id = 0; id < given_.size(); ++id) todo_.push_back(id);
        results_.resize(given_.size());
        enter();
    }
    /// Collective: waits until all ranks are done.
    ~balanced_tasks() {
        close();
        leave();
    }

    /// Another task of this rank. Returns its number: 0, 1, 2 and so on. Not after close().
    std::uint64_t submit(Cell cell) {
        const std::scoped_lock guard(lock());
        if (is_closed_) throw usage_error("parley: cluster::balanced_tasks::submit() after close()");
        const std::uint64_t id = results_.size();
        kept_.push_back(std::move(cell));
        results_.emplace_back();
        todo_.push_back(id);
        return id;
    }
    /// This rank adds no more. The end of all needs every rank's close().
    void close() {
        const std::scoped_lock guard(lock());
        is_closed_ = true;
    }
    /// The next result that comes home, with the number of its task; runs tasks of any rank meanwhile. Nothing when all
    /// that this rank has submitted were returned; after close(), when all ranks are done as well. Throws task_failed.
    std::optional<std::pair<std::uint64_t, result_type>> next() {
        bool all_ended = false;
        std::optional<std::pair<std::uint64_t, result_type>> found;
        drive([&] {
            while (!ready_.empty() && !found) {
                const std::uint64_t id = ready_.front();
                ready_.pop_front();
                if (std::optional<result_type> value = std::exchange(results_[id].value, std::nullopt))
                    found.emplace(id, std::move(*value));
            }
            if (found) return true;
            all_ended = has_ended();
            return all_ended || (!is_closed_ && home_count_ == results_.size());
        });
        if (found) {
            were_taken_ = true;
            return found;
        }
        if (all_ended) {
            throw_if_failed();
            throw_if_wrong();
        }
        return std::nullopt;
    }
    /// All results in the order of their tasks. Closes; throws task_failed where a task of any rank threw. Not after
    /// next() has returned some of them.
    std::vector<result_type> finish() {
        if (were_taken_) throw usage_error("parley: cluster::balanced_tasks::finish() after next()");
        close();
        drive_to_end();
        throw_if_wrong();
        std::vector<result_type> all;
        all.reserve(results_.size());
        for (slot& s : results_) all.push_back(std::move(*s.value));
        return all;
    }

    using task_set::own;
    using task_set::timeline;
    using task_set::total;

private:
    struct slot {
        std::optional<result_type> value;
        bool is_home = false;
    };
    struct item {
        position owner = 0;
        std::uint64_t id = 0;
        std::optional<Cell> cell;  // another rank's
        std::size_t size = 0;      // of its bytes
    };
    struct outcome {
        std::optional<result_type> value;
        std::string failure;
        bytes data;  // the value for another rank, or the failure
    };

    [[nodiscard]] const Cell& own_cell(std::uint64_t id) const {
        return id < given_.size() ? given_[id] : kept_[id - given_.size()];
    }
    outcome call(const Cell& cell, bool travels, task_context& here) {
        outcome o;
        try {
            if constexpr (std::is_invocable_v<F&, const Cell&, task_context&>) o.value.emplace(function_(cell, here));
            else o.value.emplace(function_(cell));
            if (travels) writer(o.data)(*o.value);
            return o;
        } catch (const std::exception& e) {
            o.failure = e.what();
        } catch (...) {
            o.failure = "something that is no std::exception";
        }
        o.value.reset();
        o.data.clear();
        if (travels) writer(o.data)(o.failure);
        return o;
    }
    void is_home(std::uint64_t id, std::optional<result_type> value, const std::string& failure) {
        slot& s = results_[id];
        if (s.is_home) {
            ++protocol().count().duplicates;
            return;
        }
        s.is_home = true;
        ++home_count_;
        if (!value) protocol().failed("task " + std::to_string(id) + ": " + failure);
        s.value = std::move(value);
        if (s.value) ready_.push_back(id);
    }
    void throw_if_wrong() const {
        if (home_count_ != results_.size()) throw wrong_count("parley: results of tasks are missing");
    }

    // --- task_set
    void run_one(task_context& here) override {
        item t;
        const Cell* cell = nullptr;
        std::uint32_t epoch = 0;
        {
            const std::scoped_lock guard(lock());
            if (!foreign_.empty()) {
                t = std::move(foreign_.front());
                foreign_.pop_front();
                cell = &*t.cell;
            } else if (!todo_.empty()) {
                t.id = todo_.front();
                todo_.pop_front();
                cell = &own_cell(t.id);  // they do not move, however many are submitted meanwhile
            } else {
                return;
            }
            epoch = epoch_;
            task_begins();
        }
        const double begin = now();
        outcome o = call(*cell, t.cell.has_value(), here);
        const double seconds = now() - begin;
        const std::scoped_lock guard(lock());
        task_ends(1, begin, seconds);
        if (!t.cell) {
            is_home(t.id, std::move(o.value), o.failure);
        } else if (epoch == epoch_) {  // else its owner has another position now, and does it again
            held_ -= t.size;
            ++protocol().count().foreign;
            protocol().send_result(t.owner, t.id, !o.value, o.data);
        }
    }
    void restart() override {
        ++epoch_;
        foreign_.clear();
        held_ = 0;
        todo_.clear();
        for (std::uint64_t id = 0; id < results_.size(); ++id)
            if (!results_[id].is_home) todo_.push_back(id);
    }

    // --- load
    [[nodiscard]] std::size_t waiting() const override { return foreign_.size() + todo_.size(); }
    [[nodiscard]] bool is_busy() const override { return running() > 0 || !is_closed_; }
    [[nodiscard]] bool is_complete() const override { return is_closed_ && home_count_ == results_.size(); }
    [[nodiscard]] std::size_t room() const override { return most_held() > held_ ? most_held() - held_ : 0; }
    // Its own first: those of others have come some way already, and their results have to go it back. The last of both,
    // for the first ones run here next.
    std::uint32_t give(std::uint32_t count, std::size_t size, writer& w) override {
        std::uint32_t given = 0;
        for (; given < count && waiting() > 0; ++given) {
            const std::size_t data = w.data();
            const std::size_t padding = w.padding();
            if (!todo_.empty()) w(self(), todo_.back(), own_cell(todo_.back()));
            else w(foreign_.back().owner, foreign_.back().id, *foreign_.back().cell);
            if (given > 0 && w.size() > size) {
                w.cut(data, padding);
                break;
            }
            if (!todo_.empty()) {
                todo_.pop_back();
            } else {
                held_ -= foreign_.back().size;
                foreign_.pop_back();
            }
        }
        return given;
    }
    void take(std::uint32_t count, reader& r) override {
        for (; count > 0; --count) {
            const std::size_t before = r.rest().size();
            item t;
            t.owner = r.get<position>();
            t.id = r.get<std::uint64_t>();
            t.cell = r.get<Cell>();
            t.size = before - r.rest().size();
            if (t.owner == self()) {  // it has been around
                todo_.push_back(t.id);
                continue;
            }
            held_ += t.size;
            foreign_.push_back(std::move(t));
        }
    }
    void result(std::uint64_t id, bool has_failed, reader& r) override {
        if (id >= results_.size()) throw malformed("parley: a result of a task that does not exist");
        if (has_failed) is_home(id, std::nullopt, r.get<std::string>());
        else is_home(id, r.get<result_type>(), {});
    }
    void add(reader&) override {}
    void write_sum(writer&) const override {}
    void sum_of_all(reader&) override {}

    F function_;
    std::span<const Cell> given_;
    std::deque<Cell> kept_;  // submitted later; they do not move
    std::deque<std::uint64_t> todo_;
    std::deque<item> foreign_;
    std::size_t held_ = 0;  // bytes of `foreign_`, and of those that run
    std::vector<slot> results_;
    std::size_t home_count_ = 0;
    std::deque<std::uint64_t> ready_;
    bool is_closed_ = false;
    bool were_taken_ = false;  // results, by next()
    std::uint32_t epoch_ = 0;
};

/// What balanced_tasks was called before.
template <class Cell, class F>
using context [[deprecated("it is called balanced_tasks")]] = balanced_tasks<Cell, F>;

}  // namespace parley::inline v0::cluster
