#include <parley/runtime.hpp>

namespace parley::inline v0 {

threading::pool& detail::default_pool() {
    static auto* const pool = new threading::pool(options::from_environment());
    return *pool;
}

void barrier() {
    threading::worker* const self = threading::current;
    if (self == nullptr)
        throw usage_error("parley: barrier() was called outside a runtime; call it inside run()");
    self->home.barrier(*self);
}

}  // namespace parley::inline v0
