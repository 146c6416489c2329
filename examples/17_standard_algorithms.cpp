// A program of the standard's own words. Parley runs it where the compiler is told to: with -include
// parley/std_execution.hpp, as here, or by including that header first.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <execution>
#include <numeric>
#include <vector>

int main() {
    using std::execution::par;
    std::vector<double> temperatures(1'000'000);
    std::iota(temperatures.begin(), temperatures.end(), 0.0);
    // [par]
    std::for_each(par, temperatures.begin(), temperatures.end(), [](double& t) { t = 15 + 12 * std::sin(t / 3000); });
    // [par]

    const double mean = std::reduce(par, temperatures.begin(), temperatures.end()) / static_cast<double>(temperatures.size());
    std::vector<double> warm(temperatures.size());
    warm.erase(std::copy_if(par, temperatures.begin(), temperatures.end(), warm.begin(), [=](double t) { return t > mean; }),
               warm.end());
    std::sort(par, warm.begin(), warm.end());
    const double median = warm[warm.size() / 2];

    std::printf("mean %.3f, %zu warmer ones, their median is %.3f\n", mean, warm.size(), median);
    const bool right = std::is_sorted(warm.begin(), warm.end()) && warm.front() > mean &&
                       std::all_of(par, warm.begin(), warm.end(), [](double t) { return t <= 27; });
    return right ? 0 : 1;
}
