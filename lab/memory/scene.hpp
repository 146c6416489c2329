// What scenes are made of: a few threads over real structures of the library, and what has to hold.
#pragma once

#include <cstddef>
#include <functional>
#include <new>
#include <string>
#include <utility>
#include <vector>

namespace parley::memory {

// The threads of one execution. A scene makes them, and what they share, anew for each execution. Everything else than
// atomics, fences, locks and the waits below is ordinary code, whose accesses to memory are checked for data races.
class program {
public:
    void thread(std::function<void()> body) { threads_.push_back(std::move(body)); }
    // Runs after all threads have ended, if they do.
    void finally(std::function<void()> body) { finally_ = std::move(body); }

private:
    friend class machine;
    std::vector<std::function<void()>> threads_;
    std::function<void()> finally_;
};

// What threads share. It lives until the end of the execution, and is not destroyed.
template <class T, class... Arguments>
T& shared(Arguments&&... arguments) {
    return *new T(std::forward<Arguments>(arguments)...);
}

// Ends the search where it does not hold.
void check(bool holds, const char* what) noexcept;

// What this execution has led to, said in its finally(): results that are told apart, and counted.
void outcome(const std::vector<long>& results);

// A loop that looks until look() is true. A look that finds nothing must change nothing. Such looks are left out: the thread
// goes on with a look that finds something, or never.
template <class Look>
auto await(const Look& look);

std::size_t events_so_far() noexcept;
void look_again(std::size_t since) noexcept;
// For loops of the library: the look was one load.
void pause() noexcept;

template <class Look>
auto await(const Look& look) {
    for (;;) {
        const std::size_t since = events_so_far();
        if (auto found = look()) return found;
        look_again(since);
    }
}

struct scene {
    const char* name;
    const char* asks;
    std::function<void(program&)> make;
    std::vector<std::string> outcomes = {};  // if any are named: exactly these
    bool is_long = false;                    // takes more than some seconds
};

const std::vector<scene>& scenes();
const std::vector<scene>& litmus_tests();
const std::vector<scene>& broken_scenes();  // of the explorer's own tests

}  // namespace parley::memory
