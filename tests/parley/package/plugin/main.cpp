// Loads two plug-ins that contain the library, beside its own copy; all three compute, here and in a child of fork(), also
// after the plug-ins were closed. Its arguments are their paths.
#include <parley/parley.hpp>

#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <thread>
#include <vector>

namespace {

constexpr long n = 100'000;
constexpr long sum = n * (n - 1) / 2;

void must(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "not so: %s\n", what);
    std::_Exit(1);
}

struct plugin {
    explicit plugin(const char* path) : handle(dlopen(path, RTLD_NOW | RTLD_LOCAL)) {
        if (handle == nullptr) std::fprintf(stderr, "%s\n", dlerror());
        must(handle != nullptr, "a plug-in is loaded");
        sum_to = reinterpret_cast<long (*)(long)>(dlsym(handle, "plugin_sum"));
        calls = reinterpret_cast<int (*)()>(dlsym(handle, "plugin_calls"));
    }

    void* handle;
    long (*sum_to)(long);
    int (*calls)();
};

void all_compute(const std::vector<plugin>& plugins) {
    must(parley::reduce_index(0L, n, 0L, std::plus<>{}, [](long i) { return i; }) == sum, "the program computes");
    for (const plugin& p : plugins) must(p.sum_to(n) == sum, "a plug-in computes");
    // Inside each other: a task of the program's waits for the plug-ins' work.
    parley::for_each_index(0, 4, [&](int i) {
        must(plugins[static_cast<std::size_t>(i) % plugins.size()].sum_to(n) == sum, "a plug-in computes in a task");
    });
}

void child_computes(const std::vector<plugin>& plugins) {
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child == 0) {
        all_compute(plugins);
        std::exit(0);
    }
    int status = -1;
    waitpid(child, &status, 0);
    must(status == 0, "a child computes, and ends");
}

}  // namespace

int main(int count, char** paths) {
    std::vector<plugin> plugins;
    for (int i = 1; i < count; ++i) plugins.emplace_back(paths[i]);
    // In a thread that ends: one that is still there could keep them loaded.
    std::thread([&] {
        all_compute(plugins);
        child_computes(plugins);
    }).join();
    std::vector<int> calls;
    for (const plugin& p : plugins) {
        calls.push_back(p.calls());
        must(dlclose(p.handle) == 0, "a plug-in is closed");
    }
    // What has run a loop stays where it is: its threads and the watchdog's signal do no harm, nor does another fork().
    must(parley::reduce_index(0L, n, 0L, std::plus<>{}, [](long i) { return i; }) == sum, "the program goes on");
    for (int i = 1; i < count; ++i) {
        const plugin again(paths[i]);
        must(again.calls() == calls[static_cast<std::size_t>(i) - 1], "a plug-in is found as it was");
        plugins[static_cast<std::size_t>(i) - 1] = again;
    }
    all_compute(plugins);
    child_computes(plugins);
    std::puts("all compute");
}
