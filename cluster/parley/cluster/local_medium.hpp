// Ranks that are threads of one process: for tests, for trying things out, and for losing ranks on purpose.
#pragma once

#include <parley/cluster/medium.hpp>

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace parley::inline v0::cluster {

// What the ranks of one process share. Outlives their media.
class local_network {
public:
    explicit local_network(position ranks) : at_(ranks) {}

    // From any thread: nothing reaches this rank any more, nor comes from it; the others go on without it.
    void lose(position rank);

private:
    friend class local_medium;
    struct place {
        std::deque<std::pair<header, bytes>> mail;
        std::vector<std::uint64_t> words;  // said in all_say(), one for each round
        bool is_lost = false;
    };
    [[nodiscard]] std::vector<position> living() const;  // with the lock held

    std::mutex lock_;
    std::condition_variable news_;
    std::vector<place> at_;
    std::uint32_t losses_ = 0;
    std::string broken_;
};

class local_medium final : public medium {
public:
    local_medium(local_network& n, position rank);

    [[nodiscard]] position self() const override { return self_; }
    [[nodiscard]] position ranks() const override { return static_cast<position>(living_.size()); }
    void send(position to, const header&, bytes payload) override;
    bool receive(header&, bytes& payload) override;
    void pause(unsigned round) override;
    [[nodiscard]] double now() override;
    void compute(double seconds) override;
    [[nodiscard]] bool serves_any_thread() const override { return true; }
    bool all_say(std::uint64_t) override;
    [[nodiscard]] bool may_lose_ranks() const override { return true; }
    [[nodiscard]] std::uint32_t losses() override;
    void give_up(const std::string& why) override;

private:
    void throw_if_over() const;  // with the network's lock held

    local_network* net_;
    position rank_;                 // in the whole network
    std::vector<position> living_;  // as this rank knows it
    position self_ = 0;
    std::uint32_t losses_ = 0;
};

}  // namespace parley::inline v0::cluster
