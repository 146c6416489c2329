#include <lab/sim/program_mixes.hpp>
#include <parley/detail/base/rng.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace parley::inline v0::sim {
namespace {

using programs = std::vector<virtual_program>;

class dice {
public:
    explicit dice(std::uint64_t seed) : random_(seed) {}
    double between(double low, double high) { return low + (high - low) * (random_.below(1'000'001) / 1e6); }
    // As many small ones as large ones on a logarithmic scale.
    double scale(double low, double high) { return std::exp(between(std::log(low), std::log(high))); }
    std::uint32_t below(std::uint32_t n) { return random_.below(n); }

private:
    base::rng random_;
};

// Two programs, each four times serial and wide in turn, one of them wide first.
programs alternating(std::uint64_t seed) {
    dice d(seed);
    programs all(2);
    for (int i = 0; i < 8; ++i)
        for (int p = 0; p < 2; ++p) {
            const double about = d.between(0.5, 1.5);
            all[static_cast<std::size_t>(p)].phases.push_back(i % 2 == p ? program_phase{4 * about, 1}
                                                                         : program_phase{96 * about, 64});
        }
    return all;
}

// One that can use the whole machine, and a serial one.
programs wide_and_serial(std::uint64_t seed) {
    dice d(seed);
    return {{.arrives = d.between(0, 2), .phases = {{d.between(240, 720), 64}}},
            {.arrives = d.between(0, 2), .phases = {{d.between(10, 30), 1}}}};
}

// 24 that come within ten seconds, with one to six phases of any width.
programs many(std::uint64_t seed) {
    dice d(seed);
    programs all;
    for (int i = 0; i < 24; ++i) {
        virtual_program p{.arrives = d.between(0, 10), .phases = {}};
        for (std::uint32_t n = 1 + d.below(6); n > 0; --n) {
            const auto width = static_cast<std::uint32_t>(d.scale(1, 64));
            p.phases.push_back({width * d.scale(0.2, 4), width});
        }
        all.push_back(p);
    }
    return all;
}

// Always as wide as they are: nothing to gain but from the right size at once.
programs fixed(std::uint64_t seed) {
    dice d(seed);
    programs all;
    for (const std::uint32_t width : {48u, 24u, 8u, 2u})
        all.push_back({.arrives = d.between(0, 1), .phases = {{width * d.between(8, 12), width}}});
    return all;
}

}  // namespace

const std::vector<program_mix>& program_mixes() {
    static const std::vector<program_mix> all = {{"alternating", "alternating", alternating},
                                                 {"wide-and-serial", "wide and serial", wide_and_serial},
                                                 {"many", "many", many},
                                                 {"fixed", "fixed", fixed}};
    return all;
}

}  // namespace parley::inline v0::sim
