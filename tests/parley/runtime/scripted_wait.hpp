// A wait on the scripted host, of which the test takes single turns.
#pragma once

#include "scripted_host.hpp"

#include <parley/detail/driver/wait_loop.hpp>

#include <string>

namespace parley_tests::scripted {

struct one_wait {
    explicit one_wait(world& of, standing where = standing::between_tasks) : w(of), state(where, condition) {}
    void look_elsewhere() { driver::look_elsewhere(host(w), state); }
    void do_nothing(asking asks = asking::as_strategy) {
        medium m{&w};
        driver::do_nothing(host(w), m, asks, state, false);
    }
    // Finds nothing until the loop advises that.
    void until_told(const std::string& what, asking asks = asking::as_strategy) {
        state.idleness.searches(host(w));
        while (!w.did(what)) do_nothing(asks);
    }
    world& w;
    until condition = never;
    driver::waiting<host, until> state;
};

}  // namespace parley_tests::scripted
