// Streams: items come from a source, go through stages on their way, and end in a sink. Few of them are under way
// at a time, however many there are.
#include <parley/farm.hpp>
#include <parley/parley.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <optional>
#include <ranges>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

int main() {
    using namespace parley;
    int right = 0;

    // Read | process | write, in order. The words of a text are read one by one, several workers reverse them,
    // and they are written as they came. Long words are left out: a body that returns an optional filters.
    std::istringstream text("no lemon no watermelon but a very uncharacteristically ripe melon");
    std::string written;
    (source(std::ranges::istream_view<std::string>(text)) |
     farm([](std::string word) -> std::optional<std::string> {
         if (word.size() > 12) return std::nullopt;
         std::ranges::reverse(word);
         return word;
     }) |
     sink([&](const std::string& word) { written += word + ' '; }))
        .run();
    std::printf("%s\n", written.c_str());
    right += written == "on nomel on nolemretaw tub a yrev epir nolem ";

    // Lanes: workers with a state of their own, here of unequal speed; one has a thread, for it blocks. Each gets
    // an item when it is idle.
    int by_fast = 0, by_slow = 0;
    (source(std::views::iota(0, 200)) | farm(lanes{[&](int i) {
                                                       ++by_fast;
                                                       return i;
                                                   },
                                                   own_thread([&](int i) {
                                                       std::this_thread::sleep_for(std::chrono::milliseconds(1));
                                                       ++by_slow;
                                                       return i;
                                                   })},
                                             on_demand{0}) |
     sink([&, next = 0](int i) mutable { right += i != next++ ? -100 : 0; }))
        .run({.tokens = 16});
    std::printf("fast lane %d items, slow lane %d\n", by_fast, by_slow);
    right += by_fast + by_slow == 200;

    // Feedback: numbers go round until they are 1. The loop is over when the source has ended and nothing is left
    // in it.
    struct walk {
        long start, now;
        int steps;
    };
    walk longest{0, 0, 0};
    (source(std::views::iota(1, 10'000)) | stage([](int n) {
         return walk{n, n, 0};
     }) |
     loop(farm([](walk w) {
              return walk{w.start, w.now % 2 == 0 ? w.now / 2 : 3 * w.now + 1, w.steps + 1};
          }),
          [](const walk& w) { return w.now == 1; }) |
     sink([&](const walk& w) {
         if (w.steps > longest.steps) longest = w;
     }))
        .run();
    std::printf("longest way below 10000: from %ld, %d steps\n", longest.start, longest.steps);
    right += longest.start == 6'171 && longest.steps == 261;

    // The first exception stops the source and comes out of run(), wherever it was thrown.
    try {
        (source(std::views::iota(0)) | farm([](int i) {
             if (i == 1'000) throw std::runtime_error("item 1000 failed");
             return i;
         }) |
         sink([](int) {}))
            .run();
    } catch (const std::runtime_error& e) {
        std::printf("%s\n", e.what());
        ++right;
    }

    // Items that come from elsewhere: any thread may push; push() waits when there is no room.
    push_end<int> in;
    std::jthread feeder([&] {
        for (int i = 1; i <= 100; ++i) in.push(i);
        in.close();
    });
    long sum = 0;
    (source(in) | farm([](int i) { return 2 * i; }, {.order = unordered}) | sink([&](int i) { sum += i; })).run();
    std::printf("sum %ld\n", sum);
    right += sum == 10'100;
    return right == 5 ? 0 : 1;
}
