// What is said about a number of measurements.
#pragma once

#include <cstddef>
#include <vector>

namespace parley_cli {

// The thesis quotes median, p10 and p90; the 2014 paper the mean; sem is the mean's standard
// error.
struct summary {
    double min = 0.0;
    double p10 = 0.0;
    double median = 0.0;
    double p90 = 0.0;
    double max = 0.0;
    double mean = 0.0;
    double sem = 0.0;  // 0 for one sample, which has none
};

// At least one sample. Percentiles interpolate linearly between samples.
[[nodiscard]] summary summarise(const std::vector<double>& samples);

[[nodiscard]] double median_of(const std::vector<double>& samples);

struct interval {
    double low = 0.0;
    double middle = 0.0;
    double high = 0.0;
};

// The median and its 95% interval from order statistics (the binomial distribution with p = 1/2,
// normal approximation); no assumption about how the samples are distributed. At least one sample.
[[nodiscard]] interval median_interval(std::vector<double> samples);

// Which sample is the median, or the one just below it if there is none in the middle.
[[nodiscard]] std::size_t index_of_median(const std::vector<double>& samples);

}  // namespace parley_cli
