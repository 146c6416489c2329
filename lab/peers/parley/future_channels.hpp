// The channels of eager futures, and where they come from (thesis, section 4.4.2).
#pragma once

#include <parley/detail/runtime/result.hpp>
#include <parley/detail/runtime/worker.hpp>
#include <parley/detail/sync/oneshot.hpp>

#include <new>

namespace parley_peers::inline v0::eager {

// For one result: sent by whoever runs the task, received by the worker that made the future.
template <class R>
struct channel {
    explicit channel(::parley::threading::worker& receiver) noexcept : word(&receiver) {}

    [[nodiscard]] bool has_result() const noexcept { return word.get() != ::parley::sync::outcome::pending; }

    ::parley::sync::oneshot<::parley::threading::worker> word;
    ::parley::threading::result_slot<R> slot;
    channel* next = nullptr;  // of the same scope
};

// One from the heap for each future, as in figure 4.12.
struct from_heap {
    template <class R>
    [[nodiscard]] static channel<R>* make(::parley::threading::worker& receiver) {
        return new channel<R>(receiver);
    }
    template <class R>
    static void free(channel<R>* c) noexcept {
        delete c;
    }
};

// Those that a worker has freed it uses again, as in figure 4.13. Whoever makes a future forces it, on
// the same thread, so that lists neither run dry nor grow on one side.
struct from_free_list {
    template <class R>
    [[nodiscard]] static channel<R>* make(::parley::threading::worker& receiver) {
        free_cell* const c = first<R>;
        if (c == nullptr) [[unlikely]]
            return ::new (allocate<R>()) channel<R>(receiver);
        first<R> = c->next;
        return ::new (static_cast<void*>(c)) channel<R>(receiver);
    }
    template <class R>
    static void free(channel<R>* c) noexcept {
        c->~channel();
        first<R> = ::new (static_cast<void*>(c)) free_cell{first<R>};
    }

private:
    struct free_cell {
        free_cell* next;
    };
    // A pointer without a destructor: that would cost a check at each use. What frees the list when its
    // thread ends is touched only where the heap is.
    template <class R>
    static inline constinit thread_local free_cell* first = nullptr;
    template <class R>
    struct cleaner {
        ~cleaner() {
            while (free_cell* const c = first<R>) {
                first<R> = c->next;
                ::operator delete(c, std::align_val_t{alignof(channel<R>)});
            }
        }
        void touch() const noexcept {}
    };
    template <class R>
    [[nodiscard, gnu::noinline]] static void* allocate() {
        static thread_local const cleaner<R> at_end_of_thread;
        at_end_of_thread.touch();
        return ::operator new(sizeof(channel<R>), std::align_val_t{alignof(channel<R>)});
    }
};

}  // namespace parley_peers::inline v0::eager
