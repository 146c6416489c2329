// Starts the default runtime's threads, and says how many the process has and how many descriptors it has opened.
#include <parley/parley.hpp>

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <thread>

namespace {

std::ptrdiff_t entries(const char* folder) {
    return std::distance(std::filesystem::directory_iterator(folder), std::filesystem::directory_iterator());
}

}  // namespace

int main() {
    const std::ptrdiff_t before = entries("/proc/self/fd");
    parley::fork_join([] {}, [] {});
    parley::async([] {}).get();
    std::this_thread::sleep_for(std::chrono::milliseconds(100));  // a client's first look is over
    std::printf("%td threads, %td descriptors more\n", entries("/proc/self/task"), entries("/proc/self/fd") - before);
}
