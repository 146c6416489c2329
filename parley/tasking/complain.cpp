#include <parley/detail/trace/recording.hpp>
#include <parley/tasking/complain.hpp>

#include <array>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>

namespace parley::inline v0::tasking {

void complain(const char* format, ...) noexcept {
    std::array<char, 400> text;
    std::va_list values;
    va_start(values, format);
    (void)std::vsnprintf(text.data(), text.size(), format, values);
    va_end(values);
    (void)std::fprintf(stderr, "tasking: %s\n", text.data());
    // What has been printed is not lost, unless another thread is just printing: it may be one that waits for ever.
    if (ftrylockfile(stdout) == 0) {
        (void)std::fflush(stdout);
        funlockfile(stdout);
    }
    trace::write_timelines();
    std::_Exit(2);
}

}  // namespace parley::inline v0::tasking
