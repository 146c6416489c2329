// What happens when something goes wrong, or is no longer wanted.
#include <parley/parley.hpp>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>

int main() {
    int right = 0;

    // The first exception of a scope's tasks comes out of wait(). Tasks that have not begun by then
    // are dropped, those that have are awaited: afterwards nothing runs any more.
    try {
        parley::scope tasks;
        for (int i = 0; i < 1'000; ++i)
            tasks.spawn([i] {
                if (i == 500) throw std::runtime_error("task 500 failed");
            });
        tasks.wait();
    } catch (const std::runtime_error& e) {
        std::printf("scope: %s\n", e.what());
        right += e.what() == std::string("task 500 failed");
    }

    // A stop token drops what has not begun: here a search that ends when somebody has found.
    std::stop_source found;
    std::atomic<int> where{-1};
    try {
        parley::scope search(found.get_token());
        for (int i = 0; i < 10'000; ++i)
            search.spawn([&, i] {
                if (i % 1'234 != 77) return;
                where = i;
                found.request_stop();
            });
        search.wait();
    } catch (const parley::cancelled&) {
        // The rest was dropped.
    }
    std::printf("search: found at %d\n", where.load());
    right += where % 1'234 == 77;

    // cancel() ends whatever a runtime's run() is doing: its tasks leave at their next fork, spawn,
    // loop block or poll. The runtime can be used again at once.
    parley::runtime rt;
    std::jthread impatient([&](const std::stop_token& over) {
        while (!over.stop_requested()) {
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
            rt.cancel();
        }
    });
    try {
        rt.run([] {
            for (;;) parley::poll();  // a long computation that looks up now and then
        });
    } catch (const parley::cancelled& e) {
        std::printf("run: %s\n", e.what());
        ++right;
    }
    impatient.request_stop();
    impatient.join();
    right += rt.run([] { return 1; });
    return right == 4 ? 0 : 1;
}
