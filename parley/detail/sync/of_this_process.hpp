// An object of which each process has one. A child of fork() makes its own, because a thread that the child does not
// have may have been using the parent's. The object is never destroyed, so it outlives all others.
#pragma once

#include <parley/detail/sync/flag.hpp>

#include <memory>
#include <unistd.h>

namespace parley::inline v0::sync {

template <class T>
class of_this_process {
public:
    constexpr of_this_process() = default;

    // Null if no thread has asked for it yet. Async-signal-safe.
    [[nodiscard]] T* look() const noexcept {
        entry* const e = installed_.get();
        return e != nullptr && e->owner == ::getpid() ? &e->value : nullptr;
    }

    // Makes the object if need be. If several threads do, all get the same one. Throws what T's constructor throws.
    [[nodiscard]] T& get() {
        for (;;) {
            entry* const before = installed_.get();
            if (before != nullptr && before->owner == ::getpid()) return before->value;
            auto mine = std::make_unique<entry>();
            mine->of_parent = before;
            if (installed_.install(mine.get(), before) == nullptr) return mine.release()->value;
        }
    }

private:
    struct entry {
        T value;
        pid_t owner = ::getpid();
        entry* of_parent = nullptr;  // nobody looks at it: it stays reachable, so that it is no leak
    };
    installed_once<entry> installed_;
};

}  // namespace parley::inline v0::sync
