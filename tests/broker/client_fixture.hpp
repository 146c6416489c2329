// A client and a broker in a folder of their own.
#pragma once

#include "tests/broker/fake_broker.hpp"
#include "tests/broker/recorder.hpp"

namespace broker_tests {

inline core_mask first_cores(core_id count) {
    core_mask mask{};
    for (core_id c = 0; c < count; ++c) mask[c / 64] |= std::uint64_t{1} << (c % 64);
    return mask;
}

class Client : public testing::Test {
protected:
    [[nodiscard]] client_options options() const {
        client_options o;
        o.socket = socket();
        o.most = 8;
        o.allowed = first_cores(200);
        return o;
    }
    [[nodiscard]] std::string socket() const { return folder.file("broker.sock"); }

    own_folder folder;
    recorder told;
};

}  // namespace broker_tests
