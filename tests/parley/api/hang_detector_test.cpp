// tests/hang_detector.cpp, which all programs with threads have.
#include "tests/hang_detector.hpp"
#include "tests/parley/api/support.hpp"

#include <csignal>
#include <unistd.h>

namespace {

using namespace api_test;

TEST(HangDetector, ShowsWhatAllRuntimesDoAndEndsTheTest) {
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    EXPECT_EXIT(
        {
            const parley::runtime idle{{.workers = 1}};
            parley::runtime busy{{.workers = 2}};
            busy.run([] {
                (void)forked_elsewhere([] { return 1; },
                                       [] { return parley_tests::end_after(1), block_until([] { return false; }), 2; });
            });
        },
        testing::KilledBySignal(SIGABRT),
        "HangDetector.ShowsWhat.* does not end:\nparley: 1 workers.*parley: 2 workers.*worker 1: active.*tasks 1, steals 1");
}

TEST(HangDetector, ARuntimeThatHasEndedIsNotShown) {
    { const parley::runtime gone{{.workers = 213}}; }
    const parley::runtime here{{.workers = 211}};
    std::FILE* const out = std::tmpfile();
    parley::dump_state(out);
    std::rewind(out);
    std::string text(1'000'000, '\0');
    text.resize(std::fread(text.data(), 1, text.size(), out));
    std::fclose(out);
    EXPECT_EQ(text.find("213 workers"), std::string::npos);
    EXPECT_NE(text.find("parley: 211 workers"), std::string::npos);
}

}  // namespace
