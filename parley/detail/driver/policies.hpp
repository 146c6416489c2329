// What a worker has learnt from its steals, answers and waits. None of these knows a clock: callers say what time it
// is.
#pragma once

#include <parley/detail/policy/ahead_of_time.hpp>
#include <parley/detail/policy/backoff.hpp>
#include <parley/detail/policy/gain.hpp>
#include <parley/detail/policy/pace.hpp>
#include <parley/detail/policy/patience.hpp>

namespace parley::inline v0::threading {

struct policies {
    threading::patience patience;
    gain stealing_pays;
    pace answer_pace;
    threading::backoff backoff;
    threading::ahead_of_time ahead_of_time;
    bool shares_core = false;  // when the worker gave way last, others had its core for a while
};

}  // namespace parley::inline v0::threading
