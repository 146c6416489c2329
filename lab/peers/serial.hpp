// The serial elision: forks, spawns and loops become plain calls. What programs templated on it
// cost is T_S, the time that speedups are measured against (thesis, section 2.8.1).
#pragma once

#include <utility>

#include "lab/peers/group_of.hpp"
#include "lab/peers/scheduler.hpp"

namespace parley_peers {

struct serial {
    static constexpr std::string_view name = "serial";

    // Never thrown: nobody can make plain code stop.
    struct cancelled {};

    class pool {
    public:
        explicit pool(const setup&) {}

        template <class F>
        decltype(auto) run(F&& work) {
            return std::forward<F>(work)();
        }

        void cancel() noexcept {}
        [[nodiscard]] unsigned workers() const noexcept { return 1; }
        [[nodiscard]] std::vector<worker_counts> counts() const { return {}; }
        void dump(std::FILE*) const noexcept {}
    };

    class scope {
    public:
        template <class F, class... Args>
        void spawn(F&& child, Args&&... arguments) {
            std::forward<F>(child)(std::forward<Args>(arguments)...);
        }
        void wait() noexcept {}
    };

    using group = group_of<scope>;

    template <class T>
    class local {
    public:
        explicit local(pool&) {}

        [[nodiscard]] T& mine() noexcept { return value_; }

        template <class F>
        void each(F&& visit) {
            visit(value_);
        }

    private:
        T value_{};
    };

    template <class F, class G>
    static auto fork_join(F&& first, G&& second) {
        auto left = std::forward<F>(first)();
        auto right = std::forward<G>(second)();
        return std::pair(std::move(left), std::move(right));
    }

    template <class I, class Body>
    static void for_each_index(I first, I last, Body body) {
        for (; first < last; ++first) {
            body(first);
        }
    }

    template <class T, class I, class Body>
    static T sum(I first, I last, Body body) {
        T total{};
        for (; first < last; ++first) {
            total += body(first);
        }
        return total;
    }

    static void poll() noexcept {}
};

static_assert(scheduler<serial>);

}  // namespace parley_peers
