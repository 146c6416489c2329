// Loops and algorithms run with the rounding mode and the like of their caller, on whichever worker; anything else by
// with_fp_environment.
#include "tests/parley/api/support.hpp"

#include <parley/algorithm.hpp>
#include <parley/farm.hpp>
#include <parley/fp_environment.hpp>

#include <algorithm>
#include <cfenv>
#include <chrono>
#include <functional>
#include <list>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace {

using namespace api_test;
using namespace std::chrono_literals;
using parley::async;
using parley::with_fp_environment;

constexpr std::array<unsigned, 4> one_to_four = {1, 2, 3, 4};

// For the life of this object the calling thread rounds so.
class rounding {
public:
    explicit rounding(int mode) : before_(std::fegetround()) { std::fesetround(mode); }
    ~rounding() { std::fesetround(before_); }
    rounding(const rounding&) = delete;
    rounding& operator=(const rounding&) = delete;

private:
    const int before_;
};

// Computed when it is called, with what the thread has then.
double one_third() {
    volatile double one = 1, three = 3;
    return one / three;
}
const double third_down = [] {
    const rounding here(FE_DOWNWARD);
    return one_third();
}();
const double third_up = [] {
    const rounding here(FE_UPWARD);
    return one_third();
}();

void take_a_while() { std::this_thread::sleep_for(20us); }  // so that others get some

// Calls body(mode, what it makes of 1/3) with several, after the threads have started with none of them.
template <class Body>
void with_modes(Body body) {
    for (const unsigned n : one_to_four) {
        SCOPED_TRACE("workers: " + std::to_string(n));
        parley::runtime rt{{.workers = n}};
        rt.run([&] {
            parley::for_each_index(0, 100, [](int) { take_a_while(); });
            for (int round = 0; round < 2; ++round) {
                const rounding up(FE_UPWARD);
                body(FE_UPWARD, third_up);
                const rounding down(FE_DOWNWARD);
                body(FE_DOWNWARD, third_down);
            }
            EXPECT_EQ(std::fegetround(), FE_TONEAREST);
            // Nothing is left behind on any worker.
            std::atomic<int> wrong{0};
            parley::for_each_index(0, 100, [&](int) {
                if (std::fegetround() != FE_TONEAREST) ++wrong;
                take_a_while();
            });
            EXPECT_EQ(wrong, 0);
        });
    }
}

TEST(FpEnvironment, TheModesOfTheseTestsDiffer) { EXPECT_LT(third_down, third_up); }

TEST(FpEnvironment, OfLoops) {
    with_modes([](int mode, double expected) {
        std::atomic<int> wrong{0};
        const auto check = [&](int) {
            if (std::fegetround() != mode || one_third() != expected) ++wrong;
            take_a_while();
        };
        parley::for_each_index(0, 200, check);
        const std::vector<int> v(200, 1);
        parley::for_each(v.begin(), v.end(), check);
        const std::list<int> few(50, 1);
        parley::for_each(few.begin(), few.end(), check);
        parley::for_each_index(0, 20, [&](int) { parley::for_each_index(0, 20, check); });
        EXPECT_EQ(wrong, 0);
    });
}

// From a thread outside, after the threads have started with another one.
TEST(FpEnvironment, OfLoopsInTheDefaultRuntime) {
    parley::for_each_index(0, 100, [](int) { take_a_while(); });
    for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TONEAREST}) {
        const rounding here(mode);
        std::atomic<int> wrong{0};
        parley::for_each_index(0, 200, [&](int) {
            if (std::fegetround() != mode) ++wrong;
            take_a_while();
        });
        EXPECT_EQ(wrong, 0);
    }
}

TEST(FpEnvironment, OfSortsAndScans) {
    with_modes([](int mode, double expected) {
        std::atomic<int> wrong{0};
        std::vector<unsigned> v(20'000);
        std::iota(v.begin(), v.end(), 0U);
        const auto mix = [&] {
            for (unsigned& x : v) x = x * 2654435761U + 12345;
        };
        const auto less = [&](unsigned a, unsigned b) {
            if (std::fegetround() != mode) ++wrong;
            return a < b;
        };
        mix();
        parley::sort(v.begin(), v.end(), less);
        mix();
        parley::stable_sort(v.begin(), v.end(), less);
        EXPECT_EQ(wrong, 0);
        std::vector<double> sums(2'000, 1);
        parley::inclusive_scan(sums.begin(), sums.end(), sums.begin(), [&](double a, double b) {
            if (one_third() != expected) ++wrong;
            return a + b;
        });
        EXPECT_EQ(wrong, 0);
    });
}

TEST(FpEnvironment, OfWhatPicksMovesAndMerges) {
    with_modes([](int mode, double) {
        std::atomic<int> wrong{0};
        const auto look = [&] {
            if (std::fegetround() != mode) ++wrong;
        };
        std::vector<unsigned> v(20'000), w(20'000), out(40'000);
        const auto mix = [&] {
            for (std::size_t i = 0; i < v.size(); ++i) v[i] = static_cast<unsigned>(i) * 2654435761U;
        };
        const auto is_odd = [&](unsigned x) {
            look();
            return x % 2 == 1;
        };
        const auto less = [&](unsigned a, unsigned b) {
            look();
            return a < b;
        };
        mix();
        (void)parley::partition(v, is_odd);
        mix();
        (void)parley::stable_partition(v, is_odd);
        mix();
        (void)parley::remove_if(v, is_odd);
        mix();
        (void)parley::unique(v, [&](unsigned a, unsigned b) {
            look();
            return a / 2 == b / 2;
        });
        mix();
        parley::nth_element(v, v.begin() + 7'000, less);
        parley::partial_sort(v, v.begin() + 7'000, less);
        (void)parley::copy_if(v, out.begin(), is_odd);
        EXPECT_GT(parley::count_if(v, is_odd), 0);
        std::sort(v.begin(), v.end());
        std::iota(w.begin(), w.end(), 1'000'000U);
        EXPECT_TRUE(parley::is_sorted(v, less) && parley::all_of(w, [&](unsigned x) { return look(), x > 0; }));
        EXPECT_TRUE(parley::equal(v, v, [&](unsigned a, unsigned b) { return look(), a == b; }));
        parley::merge(v, w, out.begin(), less);
        parley::set_union(v, w, out.begin(), less);
        parley::set_intersection(v, w, out.begin(), less);
        EXPECT_TRUE(parley::includes(v, v, less));
        std::copy(w.begin(), w.begin() + 10'000, v.begin());
        std::copy(w.begin(), w.begin() + 10'000, v.begin() + 10'000);
        parley::inplace_merge(v, v.begin() + 10'000, less);
        parley::generate(v, [&] { return look(), 1U; });
        (void)parley::histogram(v, 2, [&](unsigned x) { return look(), x; });
        EXPECT_EQ(wrong, 0);
    });
}

// A wait inside lets its worker begin what others submit, on another stack.
TEST(FpEnvironment, OfLoopsWhoseBodiesWait) {
    with_modes([](int mode, double expected) {
        std::atomic<int> wrong{0};
        parley::for_each_index(0, 50, [&](int) {
            auto f = async(take_a_while);
            take_a_while();
            f.wait();
            if (std::fegetround() != mode || one_third() != expected) ++wrong;
        });
        EXPECT_EQ(wrong, 0);
    });
}

TEST(FpEnvironment, OfTasksForksAndFutures) {
    with_modes([](int mode, double expected) {
        std::atomic<int> wrong{0};
        const auto check = with_fp_environment([&] {
            if (std::fegetround() != mode || one_third() != expected) ++wrong;
            take_a_while();
        });
        parley::scope tasks;
        for (int i = 0; i < 50; ++i) tasks.spawn(check);
        tasks.wait();
        std::vector<parley::future<double>> all;
        for (int i = 0; i < 50; ++i) all.push_back(async(with_fp_environment(one_third)));
        for (auto& f : all) EXPECT_EQ(f.get(), expected);
        for (int i = 0; i < 50; ++i) parley::fork_join(check, check);
        for (int i = 0; i < 50; ++i) parley::spawn(check);
        parley::barrier();
        EXPECT_EQ(wrong, 0);
    });
}

TEST(FpEnvironment, OfReductions) {
    with_modes([](int, double expected) {
        const std::vector<int> v(2'000, 1);
        const double most = parley::reduce(
            v.begin(), v.end(), 0.0, [](double a, double b) { return std::max(a, b); }, [](int) { return one_third(); });
        const double least = parley::reduce(
            v.begin(), v.end(), 1.0, [](double a, double b) { return std::min(a, b); }, [](int) { return one_third(); });
        EXPECT_EQ(most, expected);
        EXPECT_EQ(least, expected);
    });
}

TEST(FpEnvironment, OfFarms) {
    with_modes([](int, double expected) {
        const std::vector<int> v(200, 1);
        int wrong = 0;
        (parley::source(v) | parley::farm(with_fp_environment([](int) {
             take_a_while();
             return one_third();
         })) |
         parley::sink([&](double x) {
             wrong += x != expected;
         })).run();
        EXPECT_EQ(wrong, 0);
    });
}

// Each waits inside, where its worker begins work of the other one.
TEST(FpEnvironment, OfTwoSubmittersAtOnce) {
    for (const unsigned n : one_to_four) {
        parley::runtime rt{{.workers = n}};
        std::atomic<int> wrong{0};
        const auto submit = [&](int mode, double expected) {
            rt.run([&] {
                const rounding here(mode);
                for (std::size_t round = 0; round < times(20); ++round)
                    parley::for_each_index(0, 20, with_fp_environment([&, mode, expected](int) {
                                               parley::fork_join(with_fp_environment([&] {
                                                                     if (one_third() != expected) ++wrong;
                                                                     take_a_while();
                                                                 }),
                                                                 with_fp_environment([&] {
                                                                     if (one_third() != expected) ++wrong;
                                                                 }));
                                               if (std::fegetround() != mode || one_third() != expected) ++wrong;
                                           }));
            });
        };
        std::thread other([&] { submit(FE_DOWNWARD, third_down); });
        submit(FE_UPWARD, third_up);
        other.join();
        EXPECT_EQ(wrong, 0);
    }
}

TEST(FpEnvironment, IsPutBackAfterAnException) {
    const auto throws = [] {
        const rounding here(FE_UPWARD);
        return with_fp_environment([] { throw boom{}; });
    }();
    EXPECT_THROW(throws(), boom);
    EXPECT_EQ(std::fegetround(), FE_TONEAREST);
}

TEST(FpEnvironment, TheFlagsStayWhereTheyWereRaised) {
    std::feclearexcept(FE_ALL_EXCEPT);
    const auto divides = [] {
        const rounding here(FE_UPWARD);
        return with_fp_environment([] {
            volatile double zero = 0, one = 1;
            return one / zero;
        });
    }();
    (void)divides();
    EXPECT_NE(std::fetestexcept(FE_DIVBYZERO), 0);
    const auto empty = with_fp_environment([] {});
    std::feclearexcept(FE_ALL_EXCEPT);
    empty();
    EXPECT_EQ(std::fetestexcept(FE_DIVBYZERO), 0);
}

TEST(FpEnvironment, CallsWhatItWraps) {
    const std::string text = "abc";
    EXPECT_EQ(with_fp_environment(&std::string::size)(text), 3U);
    auto counts = with_fp_environment([n = 0]() mutable { return ++n; });
    EXPECT_EQ(counts(), 1);
    EXPECT_EQ(counts(), 2);
    EXPECT_EQ(*with_fp_environment([p = std::make_unique<int>(4)] { return p.get(); })(), 4);
    int x = 0;
    EXPECT_EQ(&with_fp_environment([&]() -> int& { return x; })(), &x);
}

#if defined(__x86_64__)
TEST(FpEnvironment, FlushingToZeroIsPartOfIt) {
    constexpr unsigned flush = 0x8040;
    for (const unsigned n : one_to_four) {
        parley::runtime rt{{.workers = n}};
        rt.run([&] {
            std::atomic<int> wrong{0};
            parley::for_each_index(0, 100, [&](int) {
                if ((_mm_getcsr() & flush) != 0) ++wrong;
                take_a_while();
            });
            const unsigned before = _mm_getcsr();
            _mm_setcsr(before | flush);
            parley::for_each_index(0, 100, [&](int) {
                volatile double least = 2.2250738585072014e-308, two = 2;
                if ((_mm_getcsr() & flush) != flush || least / two != 0) ++wrong;
                take_a_while();
            });
            _mm_setcsr(before);
            EXPECT_EQ(wrong, 0);
        });
    }
}
#endif

}  // namespace
