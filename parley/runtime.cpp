#include <parley/runtime.hpp>

#include <parley/detail/policy/settled_options.hpp>
#include <parley/detail/runtime/barrier.hpp>
#include <parley/detail/runtime/end_of_process.hpp>
#include <parley/detail/runtime/process_fork.hpp>
#include <parley/detail/sync/flag.hpp>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <utility>

namespace parley::inline v0 {

namespace {

constinit sync::installed_once<threading::pool> made;

// The last argument of configure(). It is final when the default runtime of this process begins with it.
struct configuration {
    options chosen;
    bool is_final = false;
    std::uint64_t forks = threading::forks_so_far();  // the number of forks of the process that made it final

    [[nodiscard]] bool is_final_here() const noexcept { return is_final && forks == threading::forks_so_far(); }
};
// A configuration that was replaced stays, because another thread may be reading it.
constinit sync::installed_once<const configuration> configured;

options options_by(const configuration* said) {
    return said != nullptr ? options::from_environment(said->chosen) : options::from_environment();
}

// False: another thread has replaced it first.
bool replace(const configuration* before, options chosen, bool is_final) {
    auto fresh = std::make_unique<const configuration>(std::move(chosen), is_final);
    if (configured.install(fresh.get(), before) != nullptr) return false;
    (void)fresh.release();
    return true;
}

// False: another thread has configured something after `said`. After true nobody can.
bool make_final(const configuration* said) {
    if (said != nullptr && said->is_final_here()) return true;
    return replace(said, said != nullptr ? said->chosen : options{}, true);
}

threading::pool* default_pool_if_made() noexcept {
    threading::pool* const have = made.get();
    return have != nullptr && have->is_of_this_process() ? have : nullptr;
}

}  // namespace

threading::pool& detail::default_pool() {
    for (;;) {
        // A child of fork() makes its own.
        threading::pool* const have = made.get();
        if (have != nullptr && have->is_of_this_process()) return *have;
        const configuration* const said = configured.get();
        auto fresh = std::make_unique<threading::pool>(options_by(said), threading::tuning_from_environment());
        if (!make_final(said)) continue;
        fresh->be_default();
        if (threading::pool* const theirs = made.install(fresh.get(), have)) return *theirs;
        static std::once_flag at_exit;  // a child of fork() has registered functions, too
        std::call_once(at_exit, [] { (void)std::atexit([] { threading::process_ends(*made.get()); }); });
        return *fresh.release();
    }
}

void configure(const options& chosen) {
    threading::count_forks();
    (void)threading::settled(options::from_environment(chosen));
    for (;;) {
        const configuration* const before = configured.get();
        if (before != nullptr && before->is_final_here())
            throw usage_error(
                "parley: configure() was called after the default runtime had started; call it before the "
                "first word that needs workers");
        if (replace(before, chosen, false)) return;
    }
}

unsigned workers() {
    if (const threading::worker* const self = threading::current) return self->home().size();
    if (const threading::pool* const started = default_pool_if_made()) return started->size();
    return threading::settled(options_by(configured.get())).workers;
}

void barrier() {
    threading::worker* const self = threading::current;
    if (self == nullptr) throw usage_error("parley: barrier() was called outside a runtime; call it inside run()");
    threading::barrier(*self);
}

}  // namespace parley::inline v0
