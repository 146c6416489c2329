#include "lab/programs/heat.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "lab/peers/parley.hpp"
#include "lab/programs/greatest_difference.hpp"
#include "tests/lab/programs/watched.hpp"

namespace {

using namespace parley_programs;
using parley_peers::serial;
using parley_tests::watched;

template <class S>
double error_of(const heat_size& size, unsigned workers = 1) {
    typename S::pool pool(parley_peers::setup{workers, {}});
    heat<S> h(size);
    h.prepare();
    return greatest_difference(pool.run([&] { return h(); }), *expected_plate(size));
}

// A half wave along either axis keeps its shape and loses the same share of its height in each
// step, which can be computed: this knows nothing of our loops.
TEST(Heat, HalfWavesFadeAsTheoryHasIt) {
    const heat_size size{65, 33, 200};
    const auto wave = [&](plate& p, double height) {
        for (std::size_t i = 0; i < size.nx; ++i) {
            for (std::size_t j = 0; j < size.ny; ++j) {
                const bool rim = i == 0 || j == 0 || i == size.nx - 1 || j == size.ny - 1;
                const double x = static_cast<double>(i) / static_cast<double>(size.nx - 1);
                const double y = static_cast<double>(j) / static_cast<double>(size.ny - 1);
                p[i * size.ny + j] = rim ? 0.0 : height * std::sin(std::numbers::pi * x) * std::sin(std::numbers::pi * y);
            }
        }
    };
    const auto loss = [](std::size_t points) {
        const double s = std::sin(std::numbers::pi / (2.0 * static_cast<double>(points - 1)));
        return 4.0 * diffusion_rate * s * s;
    };
    heat<serial> h(size);
    h.prepare([&](plate& p) { wave(p, 1.0); });
    plate expected(size.nx * size.ny);
    wave(expected, std::pow(1.0 - loss(size.nx) - loss(size.ny), size.nt));
    EXPECT_LT(expected[32 * size.ny + 16], 0.7) << "something happened";
    EXPECT_LT(greatest_difference(h(), expected), 1e-12);
}

TEST(Heat, AnyNumberOfWorkersFindsWhatPlainLoopsFind) {
    for (const heat_size& size : {heat_size{2, 2, 3}, heat_size{3, 3, 5}, heat_size{3, 200, 4}, heat_size{200, 3, 4},
                                  heat_size{12, 7, 0}, heat_size{13, 20, 9}, heat_size{300, 100, 20}}) {
        EXPECT_EQ(error_of<serial>(size), 0.0);
        for (const unsigned workers : {1U, 2U, 3U}) {
            EXPECT_EQ(error_of<parley_peers::parley>(size, workers), 0.0)
                << size.nx << " x " << size.ny << " on " << workers;
        }
    }
}

TEST(Heat, RimStays) {
    const heat_size size{20, 30, 7};
    heat<serial> h(size);
    plate before(size.nx * size.ny);
    fill_with_noise(before);
    h.prepare();
    const plate& after = h();
    for (std::size_t i = 0; i < before.size(); ++i) {
        const std::size_t row = i / size.ny;
        const std::size_t column = i % size.ny;
        const bool rim = row == 0 || column == 0 || row == size.nx - 1 || column == size.ny - 1;
        EXPECT_EQ(before[i] == after[i], rim) << row << ", " << column;
    }
}

TEST(Heat, LostPartShows) {
    const heat_size size{64, 16, 3};
    watched::begin();
    EXPECT_EQ(error_of<watched>(size), 0.0);
    const std::uint64_t forks = watched::forks;
    EXPECT_EQ(forks, 3U * 7U) << "62 rows are halved to parts of 7 or 8";
    for (std::uint64_t lost = 1; lost <= forks; ++lost) {
        watched::begin(lost);
        EXPECT_GT(error_of<watched>(size), 1e-12) << lost;
    }
}

TEST(Heat, SmallestDifferenceShows) {
    const plate p{0.25, 0.5, 0.75};
    EXPECT_EQ(greatest_difference(p, p), 0.0);
    plate other = p;
    other[1] = std::nextafter(other[1], 1.0);
    EXPECT_GT(greatest_difference(p, other), 0.0);
    other[1] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_NE(json(greatest_difference(p, other)), json(0.0));
    EXPECT_GT(greatest_difference(p, other), 1e300);
}

TEST(Heat, RepetitionsBeginAnew) {
    const json parameters{{"nx", 50}, {"ny", 40}, {"nt", 30}};
    const program* p = find_program("heat");
    const auto job = p->make(parameters, "parley", {2, {}});
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(job->run().result, p->known(parameters));
    }
    EXPECT_EQ(p->known(parameters), (json{{"error", 0.0}}));
}

TEST(Heat, SizesAreThoseOfCilk) {
    const auto of = [](const char* size) {
        request r;
        r.size = size;
        return find_program("heat")->parameters(r);
    };
    EXPECT_EQ(of("small"), (json{{"nx", 1024}, {"ny", 1024}, {"nt", 100}}));
    for (const char* size : {"ch", "thesis", "ch6"}) {
        EXPECT_EQ(of(size), (json{{"nx", 4096}, {"ny", 1024}, {"nt", 100}}));
    }
    request r;
    r.given = {{"nx", "7"}, {"ny", "8"}, {"nt", "9"}};
    EXPECT_EQ(find_program("heat")->parameters(r), (json{{"nx", 7}, {"ny", 8}, {"nt", 9}}));
}

}  // namespace
