// What a debugger calls while all threads stand still (share/gdb/parley.py): it can call nothing that is inline.
#include <parley/runtime/awaited.hpp>
#include <parley/runtime/dump_worker.hpp>
#include <parley/runtime/fiber.hpp>
#include <parley/runtime/noted_waits.hpp>
#include <parley/runtime/pool.hpp>
#include <parley/runtime/suspended_wait.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>

namespace parley::inline v0::threading {

// Where nothing of a file is used, the linker leaves it out.
void pool::for_debuggers() noexcept {}

}  // namespace parley::inline v0::threading

// Plain words and addresses, for a debugger may know no types.
extern "C" {

struct parley_suspended_wait {
    const void* registers;  // in the order of switch_stack.cpp
    const char* what;       // that it waits for
    std::uint64_t thread;   // the kernel's number of the thread that will go on with it
    std::uint64_t seconds;  // since when
};

[[gnu::used]] void parley_dump_state() {
    parley::threading::pool::dump_all(stderr);
    std::fflush(stderr);
}

// The suspended wait of that number, from 0 on, in all runtimes of this process. Null: there are fewer. What it points
// to stays until the next call.
[[gnu::used]] const parley_suspended_wait* parley_suspended(std::size_t number) {
    using namespace parley::threading;
    static parley_suspended_wait found;
    struct search {
        std::size_t left;
        bool is_found = false;
    } wanted{number};
    pool::each_wait(
        [](void* with, const worker& w, const noted_wait& n) {
            auto& s = *static_cast<search*>(with);
            if (s.is_found || n.now() != noted_wait::state::suspended || n.suspended_as == nullptr ||
                n.suspended_as->on == nullptr)
                return;
            if (s.left-- != 0) return;
            s.is_found = true;
            const auto lasted = noted_wait::clock::now() - n.since();
            found = {n.suspended_as->on->registers(), name_of(n.what()),
                     static_cast<std::uint64_t>(w.to_people.thread.get()),
                     static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::seconds>(lasted).count())};
        },
        &wanted);
    return wanted.is_found ? &found : nullptr;
}

}
