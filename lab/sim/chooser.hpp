// What the protocol or the driver leaves open, and who decides it: a seed, a script, or an
// exploration that takes every option in turn.
#pragma once

#include <cstdint>

namespace parley::inline v0::sim {

enum class choice : std::uint8_t {
    advice,   // a worker without work: 0 look again, 1 let the request rest, 2 sleep, 3 take back what it has sent
    asking,   // what it asks for: a number of protocol::asking
    victims,  // in which order its request visits the others (chosen_victims only)
};

class chooser {
public:
    virtual std::uint32_t choose(choice what, std::uint32_t options) = 0;

protected:
    ~chooser() = default;
};

}  // namespace parley::inline v0::sim
