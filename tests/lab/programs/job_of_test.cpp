// What job_of promises to kernels.
#include "lab/programs/job_of.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace {

using namespace parley_programs;

template <class S>
class prepared_kernel {
public:
    prepared_kernel(const json&, typename S::pool&) {}
    void prepare() {
        ++prepared_;
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    int operator()() const { return prepared_; }
    json describe(int found) const {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        return {{"prepared", found}};
    }
    static json so_far() { return nullptr; }

private:
    int prepared_ = 0;
};

template <class S>
class plain_kernel {
public:
    plain_kernel(const json&, typename S::pool&) {}
    int operator()() const { return 7; }
    static json describe(int found) { return {{"found", found}}; }
    static json so_far() { return nullptr; }
};

TEST(JobOf, PreparesBeforeEachRepetitionAndTimesTheComputationAlone) {
    job_of<parley_peers::serial, prepared_kernel> job({}, {});
    for (int i = 1; i <= 3; ++i) {
        const timed_result done = job.run();
        EXPECT_EQ(done.result, (json{{"prepared", i}}));
        EXPECT_LT(done.seconds, 0.05);
    }
}

TEST(JobOf, DataCanBeMadeAnew) {
    job_of<parley_peers::serial, prepared_kernel> job({}, {});
    (void)job.run();
    EXPECT_EQ(job.run().result, (json{{"prepared", 2}}));
    job.free_data();
    job.make_data();
    EXPECT_EQ(job.run().result, (json{{"prepared", 1}}));
}

TEST(JobOf, PreparationIsOptional) {
    job_of<parley_peers::parley, plain_kernel> job({}, {2, {}});
    EXPECT_EQ(job.run().result, (json{{"found", 7}}));
}

}  // namespace
