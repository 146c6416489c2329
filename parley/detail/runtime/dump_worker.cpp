#include <parley/detail/runtime/dump_worker.hpp>

#include <parley/detail/runtime/complaints.hpp>
#include <parley/detail/runtime/noted_waits.hpp>
#include <parley/detail/runtime/whole_worker.hpp>

#include <array>
#include <cinttypes>
#include <cstddef>
#include <cstdint>
#include <cstdio>

namespace parley::inline v0::threading {

namespace {

const char* name_of(noted_wait::state s) noexcept {
    switch (s) {
        case noted_wait::state::asleep: return "asleep";
        case noted_wait::state::suspended: return "suspended";
        case noted_wait::state::awake: break;
    }
    return "looking, or below what runs";
}

const char* name_of(seat_of s) noexcept {
    switch (s) {
        case seat_of::own_thread: return "a thread of the runtime's";
        case seat_of::outside: return "a thread from outside";
        case seat_of::other_worker: return "a worker of another runtime, which visits this one";
        case seat_of::stand_in: break;
    }
    return "a thread of the runtime's, which stands in for a worker that blocks";
}

// A copy of a noted wait, made while the mutex was held.
struct seen_wait {
    awaited what = awaited::something;
    noted_wait::state now = noted_wait::state::awake;
    noted_wait::clock::time_point since;
    std::uintptr_t address = 0;
};

// If there are more waits, the oldest ones are shown.
constexpr std::size_t most_shown = 32;

}  // namespace

void dump_thread(const worker& w, const mapped_memory& memory, std::FILE* out) {
    const shown_to_people& shown = to_people(w);
    const int thread = shown.thread.get();
    if (thread == 0) return;
    const mapped_memory::range stack = memory.around(shown.frame.get());
    std::fprintf(out,
                 "    thread %d, %s, %s; stack 0x%" PRIxPTR " to 0x%" PRIxPTR
                 "; when it last slept or let go of a "
                 "stack: %llu tasks queued, %llu of them held%s\n",
                 thread, name_of(shown.whose.get()),
                 shown.sleeps_elsewhere.get()            ? "asleep as a worker of another runtime"
                 : w.shared_part().attention.is_asleep() ? "asleep"
                                                         : "awake",
                 stack.lowest, stack.end, static_cast<unsigned long long>(shown.queued.get()),
                 static_cast<unsigned long long>(shown.held.get()), shown.is_isolated.get() ? ", isolated" : "");
}

void dump_waits(const worker& w, const mapped_memory& memory, std::FILE* out) {
    std::array<seen_wait, most_shown> first;
    std::size_t all = 0;
    std::size_t suspended = 0;
    const bool could_look = to_people(w).waits.each([&](const noted_wait& n) {
        if (n.now() == noted_wait::state::suspended) ++suspended;
        if (all < first.size()) first[all] = {n.what(), n.now(), n.since(), reinterpret_cast<std::uintptr_t>(&n)};
        ++all;
    });
    if (!could_look) std::fputs("    its waits are being changed\n", out);
    if (all == 0) return;
    const auto now = noted_wait::clock::now();
    std::fprintf(out, "    %zu waits that last, %zu of them suspended:\n", all, suspended);
    for (std::size_t i = 0; i < all && i < first.size(); ++i) {
        const mapped_memory::range stack = memory.around(first[i].address);
        std::fprintf(out, "      for %s %s, %s; stack 0x%" PRIxPTR " to 0x%" PRIxPTR ", its frame above 0x%" PRIxPTR "\n",
                     name_of(first[i].what), words_for(now - first[i].since).c_str(), name_of(first[i].now), stack.lowest,
                     stack.end, first[i].address);
    }
    if (all > first.size()) std::fprintf(out, "      and %zu younger ones\n", all - first.size());
}

}  // namespace parley::inline v0::threading
