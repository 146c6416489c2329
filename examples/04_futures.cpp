// Futures: calls whose results are fetched later, possibly somewhere else.
#include <parley/parley.hpp>

#include <cstdio>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

// Counts how often a word occurs. Both arguments are copied into the task.
std::size_t count(const std::string& text, const std::string& word) {
    std::size_t n = 0;
    for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++n;
    return n;
}

int main() {
    // Many at once. get() does not sit idle: it runs other tasks until its own result is there.
    std::vector<parley::future<std::size_t>> counts;
    const std::string text = "to be or not to be";
    for (int i = 0; i < 100; ++i) counts.push_back(parley::async(count, text, std::string("be")));
    std::size_t total = 0;
    for (auto& c : counts) total += c.get();

    // Arguments and results may be things that can only be moved.
    auto box = parley::async([](std::unique_ptr<int> p) { return std::make_unique<int>(*p + 1); },
                             std::make_unique<int>(41));

    // A future can be fetched by another thread, whether Parley knows that thread or not.
    int answer = 0;
    std::thread other([&, b = std::move(box)]() mutable { answer = *b.get(); });
    other.join();

    // An exception of the task comes out of get().
    bool caught = false;
    auto fails = parley::async([] { return std::stoi("not a number"); });
    try {
        fails.get();
    } catch (const std::invalid_argument&) {
        caught = true;
    }

    // A future that nobody fetches is joined by its destructor: nothing outlives what it refers to.
    { const auto forgotten = parley::async([&] { answer += 0; }); }

    std::printf("%zu words, the answer is %d, the exception was %s\n", total, answer,
                caught ? "caught" : "lost");
    return total == 200 && answer == 42 && caught ? 0 : 1;
}
