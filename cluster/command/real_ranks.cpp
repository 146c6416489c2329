#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <parley/cluster/mpi.hpp>
#include <stdexcept>
#include <thread>
#include <vector>

#include "cluster/command/ranks.hpp"
#include "command/progress.hpp"
#include "command/signals.hpp"
#include "command/usage.hpp"

namespace parley_cli {

using parley::cluster::group;
using parley::cluster::position;

void check_for_these_ranks(const cluster_options& o) {
    if (o.connect_seconds > 0)
        throw usage_error("parley cluster: --connect is for simulated ranks: lab/bench/cluster-at-scale run");
}

void prepare_watching() { block_watched_signals(); }

struct watching::state {
    state(const cluster_options& o, bool is_rank_0) : options(o), speaks(is_rank_0) {
        signal_watcher::actions a;
        a.interrupt = [this] { end(); };
        a.give_up = [] { std::_Exit(exit_status::was_interrupted); };
        a.dump = [this] { say(); };
        a.tick = [this] { tell(); };
        a.tick_every = options.tells_every.count() > 0 ? options.tells_every : line.interval();
        watcher.emplace(std::move(a));
    }

    // Threads and MPI go on: nothing can be destroyed.
    void end() {
        const std::scoped_lock guard(lock);
        int status = exit_status::was_interrupted;
        try {
            if (out != nullptr) status = out->interrupted(followed->found(), followed->now());
            else if (speaks && followed == nullptr) fmt::print(stderr, "\ninterrupted while MPI starts or ends\n");
        } catch (const std::exception& e) {
            std::fputs(e.what(), stderr);
        }
        // Without flushing: another thread may hold standard output, and wait for its reader.
        std::_Exit(status);
    }
    void say() {
        const std::scoped_lock guard(lock);
        if (out != nullptr) print(followed->now() + "\n");
    }
    // Redrawn on a terminal; else one line after the other.
    void tell() {
        const std::scoped_lock guard(lock);
        if (out == nullptr) return;
        if (options.tells_every.count() > 0) print(followed->now() + "\n");
        else line.show(followed->now());
    }
    // Whether anybody reads it or not.
    static void print(const std::string& text) noexcept { (void)std::fputs(text.c_str(), stderr); }

    const cluster_options& options;
    const bool speaks;
    std::mutex lock;
    const repetitions* followed = nullptr;
    cluster_writing* out = nullptr;
    progress line;
    std::optional<signal_watcher> watcher;  // the last one: it uses the others
};

watching::watching(const cluster_options& o, bool speaks) : state_(std::make_unique<state>(o, speaks)) {}
watching::~watching() = default;

void watching::follow(const repetitions& r, cluster_writing* out) {
    const std::scoped_lock guard(state_->lock);
    state_->followed = &r;
    state_->out = out;
}

void watching::stop() {
    const std::scoped_lock guard(state_->lock);
    if (state_->out != nullptr && state_->options.tells_every.count() == 0) state_->line.clear();
    state_->followed = nullptr;
    state_->out = nullptr;
}

// One that is lost on purpose ends with an error that is no news.
int run_local(const cluster_options& o) {
    cluster_writing out(o);
    parley::cluster::local_network net(o.local);
    std::vector<std::unique_ptr<repetitions>> all;
    for (position r = 0; r < o.local; ++r) all.push_back(std::make_unique<repetitions>(o));
    watching watch(o, true);
    const auto stays = [&](position r) { return std::ranges::find(o.losses, r, &lost::rank) == o.losses.end(); };
    position speaker = 0;
    while (speaker + 1 < o.local && !stays(speaker)) ++speaker;
    watch.follow(*all[speaker], &out);
    std::vector<std::string> thrown(o.local);
    std::vector<std::thread> ranks;
    for (position r = 0; r < o.local; ++r)
        ranks.emplace_back([&, r] {
            try {
                group g(std::make_unique<parley::cluster::local_medium>(net, r), o.how);
                all[r]->run(g);
            } catch (const std::exception& e) {
                thrown[r] = e.what();
            }
        });
    std::jthread losing([&](const std::stop_token& stop) {
        const auto begin = std::chrono::steady_clock::now();
        for (const lost& l : o.losses) {
            const std::chrono::duration<double> when(l.at);
            while (!stop.stop_requested() && std::chrono::steady_clock::now() - begin < when)
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            if (!stop.stop_requested()) net.lose(l.rank);
        }
    });
    for (std::thread& t : ranks) t.join();
    watch.stop();
    for (position r = 0; r < o.local; ++r)
        if (!thrown[r].empty() && stays(r)) throw std::runtime_error(thrown[r]);
    for (position r = 0; r < o.local; ++r)
        if (thrown[r].empty()) return out.finish(all[r]->found());
    throw std::runtime_error("every rank is lost");
}

std::unique_ptr<parley::cluster::medium> world(const cluster_options&) { return parley::cluster::over_mpi(MPI_COMM_WORLD); }

}  // namespace parley_cli
