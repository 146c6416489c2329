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
    // Flushes stdout, so that what has been printed is not lost. Another thread may be printing and never end, so this
    // does not wait for it.
    if (ftrylockfile(stdout) == 0) {
        (void)std::fflush(stdout);
        funlockfile(stdout);
    }
    trace::write_timelines();
    std::_Exit(2);
}

}  // namespace parley::inline v0::tasking
