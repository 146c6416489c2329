// What a virtual farm's emitter, lanes and collector did, and when, in the form that Perfetto reads.
#pragma once

#include <lab/sim/farms/witness.hpp>
#include <lab/sim/timed/time.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace parley_cli {

// Of each part the latest events are kept.
class farm_timeline final : public parley::sim::farms::witness {
public:
    // `events_of_each`: of each part; 0: 200,000 shared by all: 20 MB, written at once even if the command is interrupted.
    farm_timeline(std::size_t lanes, std::size_t events_of_each)
        : most_(events_of_each != 0 ? events_of_each : most_of_all / (first_lane + lanes)), parts_(first_lane + lanes) {}

    void sees(const parley::sim::farms::sight& s) override;

    // What is seen from now on comes after a stream that took so long.
    void next_stream(parley::sim::timed::duration took) noexcept { streams_before_ += took; }

    [[nodiscard]] std::string text() const;

private:
    static constexpr std::size_t most_of_all = 200'000;
    static constexpr std::size_t emitter = 0, collector = 1, first_lane = 2;

    // A full ring: the oldest is where the next one goes.
    struct of_part {
        std::vector<parley::sim::farms::sight> ring;
        std::uint64_t seen = 0;
    };

    [[nodiscard]] static std::string name_of(std::size_t part);

    const std::size_t most_;
    std::vector<of_part> parts_;
    parley::sim::timed::duration streams_before_ = 0;
};

}  // namespace parley_cli
