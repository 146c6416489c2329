#include "lab/programs/strassen.hpp"

#include <gtest/gtest.h>

#include "lab/peers/parley.hpp"
#include "tests/lab/programs/watched.hpp"

namespace {

using namespace parley_programs;
using parley_peers::serial;
using parley_tests::watched;

template <class S>
double error_of(std::size_t n, unsigned workers = 1) {
    typename S::pool pool(parley_peers::setup{workers, {}});
    strassen<S> product(n, 1);
    product.prepare();
    pool.run([&] {
        product();
        return true;
    });
    return product.error();
}

// Of a matrix that is halved so often: seven products for each, of which one is not spawned.
std::uint64_t spawns_of(int halvings) { return halvings == 0 ? 0 : 6 + 7 * spawns_of(halvings - 1); }

TEST(Strassen, MatricesAreHalvedDownToSixtyFour) {
    for (const auto& [n, halvings] :
         {std::pair(1U, 0), {63U, 0}, {64U, 0}, {65U, -1}, {66U, 1}, {128U, 1}, {130U, -1}, {132U, 2}, {8192U, 7}}) {
        EXPECT_EQ(halvings_for_strassen(n), halvings) << n;
    }
}

TEST(Strassen, FindsTheProduct) {
    for (const std::size_t n : {1U, 2U, 33U, 64U, 66U, 100U, 128U, 132U, 256U, 400U}) {
        EXPECT_EQ(error_of<serial>(n), 0.0) << n;
        for (const unsigned workers : {1U, 2U, 3U}) {
            EXPECT_EQ(error_of<parley_peers::parley>(n, workers), 0.0) << n << " on " << workers;
        }
    }
}

// Of numbers as they are, not of a random vector.
TEST(Strassen, SumsOfQuartersMakeTheProduct) {
    const std::vector<double> a{2, 3, 5, 7};
    const std::vector<double> b{11, 13, 17, 19};
    std::vector<double> s(4);
    std::vector<double> t(4);
    sums_of_left({a.data(), 1}, s.data(), 1, 0, 1);
    sums_of_right({b.data(), 1}, t.data(), 1, 0, 1);
    const std::vector<double> p{a[0] * b[0], s[1] * t[1], s[2] * t[2]};
    std::vector<double> c{a[1] * b[2], s[3] * b[3], a[3] * t[3], s[0] * t[0]};
    sums_of_products(p.data(), c.data(), 1, 0, 1);
    EXPECT_EQ(c, (std::vector<double>{2 * 11 + 3 * 17, 2 * 13 + 3 * 19, 5 * 11 + 7 * 17, 5 * 13 + 7 * 19}));
}

TEST(Strassen, SixOfSevenProductsAreTasks) {
    for (const std::size_t n : {64U, 128U, 256U}) {
        watched::begin();
        EXPECT_EQ(error_of<watched>(n), 0.0);
        EXPECT_EQ(watched::spawns, spawns_of(halvings_for_strassen(n)));
        EXPECT_GE(watched::polls, n) << "in each row of a plain product";
        parley_peers::parley::pool pool(parley_peers::setup{2, {}});
        strassen<parley_peers::parley> product(n, 1);
        product.prepare();
        pool.run([&] {
            product();
            return true;
        });
        EXPECT_EQ(parley_tests::tasks_of(pool), spawns_of(halvings_for_strassen(n)));
    }
}

TEST(Strassen, LostProductShows) {
    for (std::uint64_t lost = 1; lost <= spawns_of(2); ++lost) {
        watched::begin(lost);
        EXPECT_GT(error_of<watched>(132), 0.0) << lost;
    }
}

TEST(Strassen, RepetitionsBeginAnew) {
    strassen<watched> product(132, 1);
    for (std::uint64_t lost = 0; lost <= spawns_of(2); ++lost) {
        for (const std::uint64_t now : {std::uint64_t{0}, lost}) {
            product.prepare();
            watched::begin(now);
            product();
            EXPECT_EQ(product.error() == 0.0, now == 0) << lost;
        }
    }
}

TEST(Strassen, SizesHaveTheMatricesOfTheOthers) {
    for (const std::string& size : size_names()) {
        request r;
        r.size = size;
        EXPECT_EQ(find_program("strassen")->parameters(r), (json{{"n", size == "small" ? 1024 : 4096}, {"seed", 1}}));
        r.given = {{"n", "6"}};
        r.seed = 4;
        EXPECT_EQ(find_program("strassen")->parameters(r), (json{{"n", 6}, {"seed", 4}}));
    }
    EXPECT_EQ(find_program("strassen")->known({{"n", 64}, {"seed", 1}}), (json{{"error", 0.0}}));
}

}  // namespace
