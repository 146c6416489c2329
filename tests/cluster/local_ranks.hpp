// Ranks that are threads, for tests of what users call.
#pragma once

#include <parley/cluster.hpp>

#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace cluster_tests {

using namespace parley::cluster;

// Calls f(group) in as many threads, each with its own options; returns what each of them threw, or "".
inline std::vector<std::string> on_ranks_with(position ranks, const std::function<options(position)>& how,
                                              const std::function<void(group&, position)>& f, local_network* net = nullptr) {
    local_network own(ranks);
    local_network& shared = net != nullptr ? *net : own;
    std::vector<std::string> thrown(ranks);
    std::vector<std::thread> threads;
    for (position r = 0; r < ranks; ++r)
        threads.emplace_back([&, r] {
            try {
                group g(std::make_unique<local_medium>(shared, r), how(r));
                f(g, r);
            } catch (const std::exception& e) {
                thrown[r] = e.what();
            }
        });
    for (std::thread& t : threads) t.join();
    return thrown;
}

// With the same options, for an f that does not ask which rank it is, or asks its group.
inline std::vector<std::string> on_ranks(position ranks, const options& how, const std::function<void(group&)>& f,
                                         local_network* net = nullptr) {
    return on_ranks_with(ranks, [&](position) { return how; }, [&](group& g, position) { f(g); }, net);
}

// Nobody has thrown.
inline std::vector<std::string> nothing(position ranks) { return std::vector<std::string>(ranks); }

}  // namespace cluster_tests
