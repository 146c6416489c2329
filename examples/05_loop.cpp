// A loop over the rows of a picture whose rows take very different times: the Mandelbrot set. There
// is no chunk size to choose; whoever runs out of rows gets some of another worker's.
#include <parley/parley.hpp>

#include <complex>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <vector>

constexpr int width = 72, height = 24, most = 2'000;

// After how many steps z -> z^2 + c leaves the circle of radius 2, `most` if it stays.
int steps(std::complex<double> c) {
    std::complex<double> z = 0;
    int n = 0;
    while (n < most && std::norm(z) <= 4) z = z * z + c, ++n;
    return n;
}

int steps_at(int row, int column) {
    return steps({-2.1 + 2.8 * column / width, -1.2 + 2.4 * row / height});
}

int main() {
    std::vector<int> picture(std::size_t{width} * height);
    // What each worker adds up for itself; combined when the loop is over.
    parley::worker_local<long> work;

    parley::for_each_index(0, height, [&](int row) {
        for (int column = 0; column < width; ++column) {
            const int n = steps_at(row, column);
            picture[static_cast<std::size_t>(row * width + column)] = n;
            work.local() += n;
        }
    });

    long expected = 0;
    for (int row = 0; row < height; ++row) {
        for (int column = 0; column < width; ++column) {
            const int n = picture[static_cast<std::size_t>(row * width + column)];
            std::putchar(n == most ? '#' : n > 8 ? '+' : n > 4 ? '.' : ' ');
            expected += steps_at(row, column);
        }
        std::putchar('\n');
    }
    const long sum = work.combine(0L, std::plus<>{});
    std::printf("%ld steps, serially %ld\n", sum, expected);
    return sum == expected ? 0 : 1;
}
