// What happens between ranks in virtual time, in its order; see virtual_ranks.hpp.
#pragma once

#include <lab/sim/virtual_ranks.hpp>
#include <parley/cluster/message.hpp>
#include <parley/detail/base/rng.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <queue>
#include <unordered_map>
#include <utility>
#include <vector>

namespace parley::inline v0::sim::ranks {

class rank;

struct letter {
    cluster::header head;
    cluster::bytes payload;
};

enum class happening : std::uint8_t { arrival, look, task_end, wake, loss };

struct event {
    double at = 0.0;
    std::uint64_t order = 0;  // of those at the same time
    std::uint32_t rank = 0;
    std::uint32_t number = 0;  // of the rank's task, or life: void if there is another one now; of an arrival: its letter
    happening what = happening::look;
    friend bool operator<(const event& a, const event& b) noexcept { return a.at != b.at ? a.at > b.at : a.order > b.order; }
};

// Letters on their way, each in a place of its own that the next one gets.
class letters {
public:
    [[nodiscard]] std::uint32_t put(letter l) {
        ++count_;
        if (free_.empty()) {
            all_.push_back(std::move(l));
            return static_cast<std::uint32_t>(all_.size() - 1);
        }
        const std::uint32_t at = free_.back();
        free_.pop_back();
        all_[at] = std::move(l);
        return at;
    }
    [[nodiscard]] letter take(std::uint32_t at) {
        --count_;
        free_.push_back(at);
        return std::move(all_[at]);
    }
    [[nodiscard]] bool empty() const noexcept { return count_ == 0; }

private:
    std::vector<letter> all_;
    std::vector<std::uint32_t> free_;
    std::size_t count_ = 0;
};

class world {
public:
    world(const virtual_work&, const cluster::options&, const network&);
    ~world();
    virtual_report run();

    void push(event e) {
        e.order = ++events_;
        queue_.push(e);
    }
    // From a rank, to a place among those that live.
    void deliver(std::uint32_t from, cluster::position to, letter, double begins);

    [[nodiscard]] double now() const noexcept { return now_; }
    [[nodiscard]] double chance() noexcept { return static_cast<double>(random_.next() >> 11) * 0x1p-53; }
    const virtual_work& work;
    const cluster::options& how;
    const network& net;
    virtual_report report;
    // What is left to do, as only an onlooker sees it.
    std::uint64_t open = 0;     // tasks that have not ended, wherever they are
    std::uint64_t running = 0;  // of these
    std::uint64_t away = 0;     // results on their way home

private:
    void lose(std::uint32_t rank);
    void start_epoch();
    void handle(const event&);
    void note(std::uint32_t rank);
    void note_all();
    [[nodiscard]] bool has_time() const noexcept;
    void sum_up();

    base::rng random_;
    double now_ = 0.0;
    std::uint64_t events_ = 0;
    std::priority_queue<event> queue_;
    letters mail_;
    std::vector<std::unique_ptr<rank>> ranks_;
    std::vector<bool> is_lost_, is_finished_, is_closed_;
    std::size_t finished_ = 0, closed_ = 0;
    std::uint32_t epoch_ = 0;
    std::vector<cluster::overlay> graphs_;                                       // by place
    std::vector<std::uint32_t> place_;                                           // of those that live: position to rank
    std::vector<double> link_free_;                                              // when a rank's link has sent all
    std::vector<double> entry_free_;                                             // and received all
    std::unordered_map<std::uint64_t, std::pair<double, double>> last_arrival_;  // of each pair that talked, both ways
};

}  // namespace parley::inline v0::sim::ranks
