// The first message between two ranks makes a connection, which takes its time (Fontenaille et al. 2018, §5: 18 s for
// all edges of 3584 ranks, which their figures leave out). SimGrid has it for nothing; this charges it.
#pragma once

#include <memory>
#include <parley/cluster/medium.hpp>
#include <string>
#include <utility>
#include <vector>

namespace parley_cli {

// Another medium, on which the first message to a rank that has not been heard of costs the sender `seconds`.
class costly_connections final : public parley::cluster::medium {
public:
    using bytes = parley::cluster::bytes;
    using header = parley::cluster::header;
    using position = parley::cluster::position;

    costly_connections(std::unique_ptr<medium> inner, double seconds)
        : inner_(std::move(inner)), seconds_(seconds), knows_(inner_->ranks(), false) {
        knows_[inner_->self()] = true;
    }

    [[nodiscard]] position self() const override { return inner_->self(); }
    [[nodiscard]] position ranks() const override { return inner_->ranks(); }
    void send(position to, const header& h, bytes payload) override {
        if (!std::exchange(knows_[to], true)) inner_->compute(seconds_);
        inner_->send(to, h, std::move(payload));
    }
    bool receive(header& h, bytes& payload) override {
        if (!inner_->receive(h, payload)) return false;
        knows_[h.from] = true;
        return true;
    }
    void pause(unsigned round) override { inner_->pause(round); }
    [[nodiscard]] double now() override { return inner_->now(); }
    void compute(double seconds) override { inner_->compute(seconds); }
    [[nodiscard]] bool serves_any_thread() const override { return inner_->serves_any_thread(); }
    bool all_say(std::uint64_t word) override { return inner_->all_say(word); }
    void give_up(const std::string& why) override { inner_->give_up(why); }

private:
    std::unique_ptr<medium> inner_;
    double seconds_;
    std::vector<char> knows_;
};

}  // namespace parley_cli
