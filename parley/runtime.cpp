#include <parley/runtime.hpp>

#include <parley/channel/flag.hpp>

#include <cstdlib>
#include <memory>
#include <mutex>

namespace parley::inline v0 {

threading::pool& detail::default_pool() {
    static constinit channel::installed_once<threading::pool> made;
    // A child of fork() gets its own.
    threading::pool* const have = made.get();
    if (have != nullptr && have->is_of_this_process()) return *have;
    auto fresh = std::make_unique<threading::pool>(options::from_environment());
    fresh->be_default();
    if (threading::pool* const theirs = made.install(fresh.get(), have)) return *theirs;
    static std::once_flag at_exit;  // children of fork() have what is registered, too
    std::call_once(at_exit, [] {
        (void)std::atexit([] {
            made.get()->process_ends();
        });
    });
    return *fresh.release();
}

void barrier() {
    threading::worker* const self = threading::current;
    if (self == nullptr)
        throw usage_error("parley: barrier() was called outside a runtime; call it inside run()");
    self->home.barrier(*self);
}

}  // namespace parley::inline v0
