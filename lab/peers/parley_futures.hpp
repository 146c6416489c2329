// `parley-channel` and `parley-free-list`: Parley with the thesis' own futures for forks and scopes
// (section 4.4.2), to compare its lazy ones with. Everything else is as in `parley`.
#pragma once

#include <utility>

#include "lab/peers/parley.hpp"
#include "lab/peers/parley/eager_future.hpp"

namespace parley_peers::inline v0 {

template <class Channels>
struct parley_with_futures : parley {
    using scope = eager::scope<Channels>;
    using futures = scope;

    template <class F, class G>
    static auto fork_join(F&& first, G&& second) {
        using left_t = std::invoke_result_t<F&>;
        using right_t = std::invoke_result_t<G&>;
        ::parley::threading::worker& self = *::parley::threading::current;
        eager::future<right_t, Channels> other(self, std::forward<G>(second));
        self.poll();
        left_t left = first();
        return std::pair<left_t, right_t>(std::move(left), other.force());
    }
};

// A channel from the heap for each future: figure 4.12.
struct parley_channel : parley_with_futures<eager::from_heap> {
    static constexpr std::string_view name = "parley-channel";
};

// Channels that are used again: figure 4.13.
struct parley_free_list : parley_with_futures<eager::from_free_list> {
    static constexpr std::string_view name = "parley-free-list";
};

static_assert(scheduler<parley_channel>);
static_assert(scheduler<parley_free_list>);

}  // namespace parley_peers::inline v0
