// Coroutines: work that waits for things from outside, and holds no stack and no worker meanwhile.
#include <parley/coroutine.hpp>
#include <parley/parley.hpp>
#include <parley/promise.hpp>

#include <cstdio>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

// [fib]
parley::task<long> fib(int n) {
    if (n < 2) co_return n;
    parley::future<long> a = parley::async(fib(n - 1));  // others may take it
    const long b = co_await fib(n - 2);                   // runs at once, here
    co_return b + co_await a;
}
// [fib]

// Stands for what answers some time later, on a thread of its own: a database, a socket, a timer.
class backend {
public:
    backend() = default;
    ~backend() {
        for (std::thread& t : threads_) t.join();
    }
    backend(const backend&) = delete;
    backend& operator=(const backend&) = delete;

    // [promise]
    parley::future<std::string> ask(std::string name) {
        parley::promise<std::string> answer;
        parley::future<std::string> f = answer.get_future();
        threads_.emplace_back([a = std::move(answer), n = std::move(name)]() mutable { a.set_value(n + "'s data"); });
        return f;
    }
    // [promise]

private:
    std::vector<std::thread> threads_;  // used by one thread only
};

// [server]
using table = std::map<std::string, int>;

parley::task<std::string> serve(std::string name, parley::future<std::string> data, parley::shared_future<table> users) {
    const table& all = co_await users;  // one result, which many await
    if (!all.contains(name)) throw std::out_of_range(name + " is unknown");
    const std::string text = co_await data;  // set by a thread outside
    const std::size_t length = co_await parley::async([&text] { return text.size(); });
    co_return name + ": " + std::to_string(length) + " bytes";
}
// [server]

int main() {
    bool ok = parley::sync_wait(fib(20)) == 6765;

    backend outside;
    const parley::shared_future<table> users = parley::async([] { return table{{"ada", 1}, {"alan", 2}}; });
    std::vector<parley::future<std::string>> replies;
    for (const std::string name : {"ada", "alan", "nobody"})
        replies.push_back(parley::async(serve(name, outside.ask(name), users)));

    int failed = 0;
    for (parley::future<std::string>& reply : replies) {
        try {
            const std::string text = reply.get();
            std::printf("%s\n", text.c_str());
            ok = ok && text.ends_with("bytes");
        } catch (const std::out_of_range& e) {
            std::printf("failed: %s\n", e.what());
            ++failed;
        }
    }

    // [then]
    parley::future<int> length = parley::async([] { return std::string("text"); })
                                     .then([](const std::string& s) { return static_cast<int>(s.size()); });
    // [then]
    return ok && failed == 1 && length.get() == 4 ? 0 : 1;
}
