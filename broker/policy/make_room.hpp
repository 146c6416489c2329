// Programs that may use every core make room for those that may not: whoever may use few cores gets one from a program
// that may use others, though that holds no more than its share.
//
// Room is made by a program that can get another core for it: an idle one, or one that somebody above its share has.
// For one that has no core, it gives its only one, too, and for a moment has none itself: it gives first and seeks
// then. If nobody can move, somebody with several cores gives one to whoever has none.
//
// Why that ends, as long as claims stay: consider what programs hold of their shares, summed up, then how many have a
// core for themselves (are its first holder; guests may be there). Whoever moves and gets its core raises the first number,
// whoever gives one of several the second one, and nothing lowers either. Who moves in vain found that another one was
// faster, which has raised a number itself; the refusal comes after the news of it.
#pragma once

#include <broker/policy/policy.hpp>

#include <optional>

namespace parley::inline v0::broker {

// Whom a program that lacks cores asks for room, may be this section. Nobody, for one that may use all cores.
[[nodiscard]] std::optional<sharing> ask_for_room(const led_program&, const knowledge&, const policy&);

// A core of a program led here that makes room for the taker. `how`: moved or first.
[[nodiscard]] std::optional<gift> make_room(program_id taker, terms how, const knowledge&, const policy&);

}  // namespace parley::inline v0::broker
