// What a rank holds of one set of tasks, as its messages see it: typed above, bytes below.
#pragma once

#include <parley/cluster/overlay.hpp>
#include <parley/cluster/serial.hpp>

#include <cstddef>
#include <cstdint>

namespace parley::inline v0::cluster {

class load {
public:
    // Somebody runs tasks on this rank: not its user's own code between two calls.
    [[nodiscard]] virtual bool is_attended() const = 0;
    // Tasks that nobody has begun.
    [[nodiscard]] virtual std::size_t waiting() const = 0;
    // Workers of this rank that would begin one now.
    [[nodiscard]] virtual std::size_t free_workers() const = 0;
    // A task runs, or more may be added from outside.
    [[nodiscard]] virtual bool is_busy() const = 0;
    // Every task that this rank has brought is done, its result here, and no more will come.
    [[nodiscard]] virtual bool is_complete() const = 0;
    // How many bytes of other ranks' tasks it can take now.
    [[nodiscard]] virtual std::size_t room() const = 0;
    [[nodiscard]] virtual std::uint64_t tasks_run() const = 0;

    // Removes waiting tasks and writes them: at most `count`, and `size` bytes unless the first one alone is larger.
    // Returns how many, at least one of those waiting.
    virtual std::uint32_t give(std::uint32_t count, std::size_t size, writer&) = 0;
    virtual void take(std::uint32_t count, reader&) = 0;
    // A result of this rank's task `id` has come home.
    virtual void result(std::uint64_t id, bool has_failed, reader&) = 0;

    // At the end: what this rank has to say, what its children in the tree have said, and what all have said together.
    virtual void begin_sum() = 0;
    virtual void add(reader&) = 0;
    virtual void write_sum(writer&) const = 0;
    virtual void sum_of_all(reader&) = 0;

protected:
    ~load() = default;
};

}  // namespace parley::inline v0::cluster
