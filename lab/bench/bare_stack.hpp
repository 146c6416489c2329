// The least that a task per node can cost: a stack of closures on one thread, with nothing that a
// scheduler needs (no counts, no exceptions, no cancellation, nobody who may take a task). What uts
// takes on it beside its serial program is a limit, not a competitor.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "lab/peers/serial.hpp"

namespace parley_bench {

struct bare_stack {
    using pool = parley_peers::serial::pool;
    template <class T>
    using local = parley_peers::serial::local<T>;

    class scope {
    public:
        template <class F>
        void spawn(F call) {
            static_assert(sizeof(closure<F>) <= sizeof(cell));
            if (free_.empty()) more_cells();
            cell* const place = free_.back();
            free_.pop_back();
            waiting_.push_back(::new (place->data()) closure<F>(*this, std::move(call)));
        }
        void wait() {
            while (!waiting_.empty()) {
                record* const newest = waiting_.back();
                waiting_.pop_back();
                newest->run(newest);
            }
        }

    private:
        struct record {
            void (*run)(record*);
        };
        struct alignas(64) cell : std::array<std::byte, 64> {};

        template <class F>
        struct closure : record {
            closure(scope& home, F&& call) : record{&run_it}, owner(&home), function(std::move(call)) {}
            static void run_it(record* r) {
                auto* const me = static_cast<closure*>(r);
                scope& owner = *me->owner;
                me->function();
                std::destroy_at(me);
                owner.free_.push_back(std::launder(reinterpret_cast<cell*>(me)));
            }
            scope* owner;
            F function;
        };

        void more_cells() {
            slabs_.push_back(std::make_unique<cell[]>(256));
            for (std::size_t i = 0; i < 256; ++i) free_.push_back(&slabs_.back()[i]);
        }

        std::vector<record*> waiting_;
        std::vector<cell*> free_;
        std::vector<std::unique_ptr<cell[]>> slabs_;
    };
    using group = parley_peers::group_of<scope>;
};

}  // namespace parley_bench
