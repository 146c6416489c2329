#include "lab/programs/greatest_difference.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace parley_programs {

double greatest_difference(std::span<const double> a, std::span<const double> b) noexcept {
    double greatest = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double difference = std::abs(a[i] - b[i]);
        if (std::isnan(difference)) {
            return std::numeric_limits<double>::infinity();
        }
        greatest = std::max(greatest, difference);
    }
    return greatest;
}

}  // namespace parley_programs
