// One rank alone with what it sends: nothing happens in between.
#pragma once

#include <parley/cluster/node.hpp>

#include <cstdint>
#include <deque>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace cluster_tests {

using namespace parley::cluster;

struct letter {
    position to = 0;
    header head;
    bytes payload;
};

struct recorder final : outbox {
    void send(position to, const header& h, bytes payload) override { sent.push_back({to, h, std::move(payload)}); }
    std::vector<letter> sent;
};

// Tasks are numbers.
struct fake_load final : load {
    std::deque<int> tasks;
    std::size_t free = 0;
    bool busy = true;
    bool complete = false;
    bool attended = true;
    std::size_t bytes_free = 1'000'000;
    std::size_t most_given = 0;  // bytes, at the last give()
    std::vector<std::tuple<std::uint64_t, bool, std::string>> results;

    [[nodiscard]] bool is_attended() const override { return attended; }
    [[nodiscard]] std::size_t waiting() const override { return tasks.size(); }
    [[nodiscard]] std::size_t free_workers() const override { return free; }
    [[nodiscard]] bool is_busy() const override { return busy; }
    [[nodiscard]] bool is_complete() const override { return complete; }
    [[nodiscard]] std::size_t room() const override { return bytes_free; }
    [[nodiscard]] std::uint64_t tasks_run() const override { return 0; }
    std::uint32_t give(std::uint32_t count, std::size_t size, writer& w) override {
        most_given = size;
        for (std::uint32_t i = 0; i < count; ++i) {
            w(tasks.back());
            tasks.pop_back();
        }
        return count;
    }
    void take(std::uint32_t count, reader& r) override {
        for (; count > 0; --count) tasks.push_back(r.get<int>());
    }
    void result(std::uint64_t id, bool has_failed, reader& r) override {
        results.emplace_back(id, has_failed, r.get<std::string>());
    }
    void begin_sum() override {}
    void add(reader&) override {}
    void write_sum(writer&) const override {}
    void sum_of_all(reader&) override {}
};

// Busy with a task, none waits, unless a test says otherwise.
class one_node {
public:
    one_node(position self, position ranks, const options& how = {})
        : graph_(self, overlay_graph(ranks, how.overlay)), rank(graph_, how, how.ends, {}, out, holds) {}

    // What it sends on the message.
    std::vector<letter> receive(header h, const bytes& payload = {}) {
        h.size = payload.size();
        rank.receive(h, payload);
        return advance();
    }
    std::vector<letter> advance() {
        rank.advance();
        return std::exchange(out.sent, {});
    }
    std::vector<letter> is_asked(position from, std::uint32_t count = 1, bool early = false) {
        return receive({.from = from, .kind = message_kind::request, .is_early = early, .count = count, .room = 1'000'000});
    }
    std::vector<letter> gets_tasks(position from, const std::vector<int>& tasks) {
        bytes payload;
        writer w(payload);
        for (const int t : tasks) w(t);
        return receive({.from = from, .kind = message_kind::tasks, .count = static_cast<std::uint32_t>(tasks.size())},
                       payload);
    }
    void becomes_idle() {
        holds.free = 1;
        holds.busy = false;
    }

private:
    overlay graph_;

public:
    recorder out;
    fake_load holds;
    node rank;
};

inline std::vector<letter> of_kind(message_kind kind, const std::vector<letter>& all) {
    std::vector<letter> some;
    for (const letter& l : all)
        if (l.head.kind == kind) some.push_back(l);
    return some;
}
inline std::vector<position> receivers(message_kind kind, const std::vector<letter>& all) {
    std::vector<position> some;
    for (const letter& l : of_kind(kind, all)) some.push_back(l.to);
    return some;
}

}  // namespace cluster_tests
