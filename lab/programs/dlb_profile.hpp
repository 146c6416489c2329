// How DLB_Bench (Fontenaille et al. 2018, section 5.1) spreads its tasks over ranks: most of them are with few.
#pragma once

#include <cmath>
#include <cstdint>
#include <string_view>

namespace parley_programs::inline v0 {

// Which part of all tasks ranks below x = 0 to 1 bring.
inline double dlb_brought_below(std::string_view profile, double x) {
    // 70% of them lie within 5% of the ranks on both sides of the middle: 1.0364 standard deviations.
    constexpr double deviation = 0.05 / 1.0364;
    const auto normal = [](double at) { return 0.5 * (1 + std::erf((at - 0.5) / (deviation * std::sqrt(2.0)))); };
    if (profile == "gaussian") return (normal(x) - normal(0)) / (normal(1) - normal(0));
    if (profile == "linear") return x * x;
    if (profile == "step") return x < 0.1 ? x * 7 : 0.7 + (x - 0.1) / 0.9 * 0.3;
    if (profile == "one") return x > 0 ? 1 : 0;
    return x;  // uniform
}

// Tasks are numbered by the ranks that bring them: this is the first one of `rank`, and that of `ranks` is how many
// there are. `each`: of a rank on average.
inline std::uint64_t dlb_first_of(std::string_view profile, std::uint64_t each, std::uint32_t rank, std::uint32_t ranks) {
    const double all = static_cast<double>(each) * ranks;
    return static_cast<std::uint64_t>(std::llround(all * dlb_brought_below(profile, static_cast<double>(rank) / ranks)));
}

}  // namespace parley_programs::inline v0
