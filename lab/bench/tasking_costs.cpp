// fib without a cut-off by one of several words, on one worker, once: for counting instructions per fork under callgrind
// (docs/evidence/performance.md).
// Usage: tasking-costs future|spawn|async|fork-join|calls N
#include <tasking.h>

#include <parley/parley.hpp>

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string_view>
#include <system_error>

namespace {

int by_future(int n);
FUTURE_DECL(int, by_future, int n, n);
int by_future(int n) {
    if (n < 2) return n;
    const future x = FUTURE(by_future, n - 1);
    const int y = by_future(n - 2);
    return AWAIT(x, int) + y;
}

int by_spawn(int n);
ASYNC_DECL(int, by_spawn, int n, n);
int by_spawn(int n) {
    if (n < 2) return n;
    int x = 0;
    SPAWN(by_spawn, n - 1, &x);
    const int y = by_spawn(n - 2);
    SYNC();
    return x + y;
}

int by_async(int n) {
    if (n < 2) return n;
    parley::future<int> x = parley::async(by_async, n - 1);
    const int y = by_async(n - 2);
    return x.get() + y;
}

int by_fork_join(int n) {
    if (n < 2) return n;
    const auto [x, y] = parley::fork_join([n] { return by_fork_join(n - 1); }, [n] { return by_fork_join(n - 2); });
    return x + y;
}

[[gnu::noinline]] int by_calls(int n) { return n < 2 ? n : by_calls(n - 1) + by_calls(n - 2); }

int in_tasking(int (*f)(int), int n) {
    ::setenv("TASKING_NUM_WORKERS", "1", 1);
    TASKING_INIT();
    const int result = f(n);
    TASKING_EXIT();
    return result;
}

int in_parley(int (*f)(int), int n) {
    parley::runtime one{{.workers = 1}};
    return one.run([f, n] { return f(n); });
}

}  // namespace

int main(int argc, char** argv) {
    const std::string_view words = argc == 3 ? argv[1] : "";
    int n = 0;
    const bool is_number = argc == 3 && std::from_chars(argv[2], argv[2] + std::strlen(argv[2]), n).ec == std::errc{};
    std::function<int(int)> run;
    if (words == "future") run = [](int m) { return in_tasking(&by_future, m); };
    if (words == "spawn") run = [](int m) { return in_tasking(&by_spawn, m); };
    if (words == "async") run = [](int m) { return in_parley(&by_async, m); };
    if (words == "fork-join") run = [](int m) { return in_parley(&by_fork_join, m); };
    if (words == "calls") run = &by_calls;
    if (!run || !is_number || n < 0 || n > 45) {
        std::fputs("usage: tasking-costs future|spawn|async|fork-join|calls N, N from 0 to 45\n", stderr);
        return 2;
    }
    std::printf("%d\n", run(n));
}
