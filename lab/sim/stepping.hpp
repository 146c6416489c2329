// Stepping by re-execution: how an agent stops in the middle of a handler and goes on later.
//
// A handler of the protocol makes many calls, and other agents must be able to act between any two
// of them. Instead of giving each agent a stack of its own, a handler is run again and again on a
// copy of its worker's protocol state: calls whose results are in the log are answered from it, the
// next ones (as many as the budget allows) act on the world and are logged, and the one after that
// leaves the handler by an exception, with the copy dropped. So an agent in the middle of a handler
// is a plain value: the protocol state at its beginning, and the log.
#pragma once

#include <lab/sim/chooser.hpp>
#include <lab/sim/operation.hpp>
#include <lab/sim/world.hpp>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace parley::inline v0::sim {

// Leaves a handler whose budget is spent. No part of the protocol catches it.
struct suspended {};

// Sees every step after it was made; throws `violation` if it must not have been.
class watcher {
public:
    virtual void saw(agent_id who, const entry& step) = 0;

protected:
    ~watcher() = default;
};

// One agent in one handler.
struct session {
    world& shared;
    agent_id self;
    bool outside;  // it acts as a thread that is no worker
    std::vector<entry>& log;
    std::uint32_t& budget;
    chooser& decide;
    watcher& eyes;
    bool merges;  // free steps need no budget
};

class stepper {
protected:
    explicit stepper(const session& s) noexcept : s_(s) {}

    // Whether others may notice if this step is made sooner. A free one commutes with everything
    // that others can do before it, and no check sees the difference: an exploration makes it
    // together with the step before it (a partial order reduction; no cycle consists of free steps
    // alone, since each turn of a wait loop looks at something that others change).
    enum class freedom : bool { none, free };
    static constexpr freedom free_if(bool yes) noexcept { return yes ? freedom::free : freedom::none; }

    // One step: from the log, or on the world, or not now.
    template <class Result, class Effect>
    Result act(operation what, std::uint32_t about, std::uint32_t detail, const Effect& effect, freedom f = freedom::none) {
        if (next_ < s_.log.size()) return replayed<Result>(what, about, detail);
        if (!s_.merges || f == freedom::none) {
            if (s_.budget == 0) throw suspended{};
            --s_.budget;
        }
        ++s_.shared.step;
        return record<Result>(what, about, detail, effect());
    }
    template <class Effect>
    void act(operation what, std::uint32_t about, std::uint32_t detail, const Effect& effect, freedom f = freedom::none) {
        (void)act<bool>(
            what, about, detail,
            [&] {
                effect();
                return true;
            },
            f);
    }
    // Looking at what nobody else touches is logged, but is no step: others see no difference.
    template <class Result, class Effect>
    Result privately(operation what, const Effect& effect) {
        if (next_ < s_.log.size()) return replayed<Result>(what, s_.self, 0);
        return record<Result>(what, s_.self, 0, effect());
    }

    session s_;

private:
    template <class Result>
    Result replayed(operation what, std::uint32_t about, std::uint32_t detail) {
        const entry& e = s_.log[next_++];
        if (e.what != what || e.about != about || e.detail != detail)
            throw std::logic_error("a handler did something else when it was run again");
        return decode<Result>(e.result);
    }
    template <class Result>
    Result record(operation what, std::uint32_t about, std::uint32_t detail, Result result) {
        s_.log.push_back({what, about, detail, encode(result)});
        ++next_;
        s_.eyes.saw(s_.self, s_.log.back());
        return result;
    }

    std::size_t next_ = 0;  // in the log
};

}  // namespace parley::inline v0::sim
