// The part of dump_state() for one worker, in lines of its own: what it shows to people, and what it waits for.
#pragma once

#include <parley/detail/runtime/worker.hpp>
#include <parley/detail/stacks/mapped_memory.hpp>

#include <cstdio>

namespace parley::inline v0::threading {

void dump_thread(const worker& w, const mapped_memory& memory, std::FILE* out);
void dump_waits(const worker& w, const mapped_memory& memory, std::FILE* out);

}  // namespace parley::inline v0::threading
