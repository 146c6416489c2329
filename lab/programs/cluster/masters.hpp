// Hierarchical master/worker, the way of YALES2 and ADLB, for comparison (Fontenaille et al. 2018, §5.2): ranks are put
// into groups by what they have brought, so that each group has about as much; in a group the ranks are masters in
// turn, and hand out their tasks to whoever asks.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <parley/cluster/serial.hpp>
#include <span>
#include <type_traits>
#include <vector>

#ifdef PARLEY_SMPI
#include <smpi/smpi.h>
#endif

namespace parley_programs::cluster {

// What a task finds where no group of Parley's is.
struct alone {
    static void work(double seconds) {
#ifdef PARLEY_SMPI
        smpi_execute_flops(seconds * 1e9);
#else
        const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
        while (std::chrono::steady_clock::now() < end) {}
#endif
    }
};

template <class Result>
struct mastered {
    std::vector<Result> results;
    double seconds = 0;            // until the last rank was through
    double busy_seconds = 0;       // of all ranks, in tasks
    double busy_here = 0;          // of this one
    std::uint64_t tasks = 0;       // of all ranks
    std::uint64_t tasks_here = 0;  // that this one ran
    std::uint64_t elsewhere = 0;   // tasks that another rank than their owner ran
    std::uint64_t messages = 0;
};

// Collective. f(cell, alone&).
template <class Cell, class F>
class masters {
public:
    using result = std::remove_cvref_t<std::invoke_result_t<F&, const Cell&, alone&>>;
    static constexpr int ranks_of_group = 64;
    static constexpr std::uint64_t chunks_of_worker = 8;

    masters(MPI_Comm world, std::span<const Cell> mine, F f) : world_(world), mine_(mine), function_(std::move(f)) {}

    mastered<result> run() {
        MPI_Barrier(world_);
        const double begin = MPI_Wtime();
        join_a_group();
        found_.results.resize(mine_.size());
        std::vector<std::uint64_t> counts = gather(group_, mine_.size());
        for (int master = 0; master < static_cast<int>(counts.size()); ++master) {
            const std::uint64_t tasks = counts[static_cast<std::size_t>(master)];
            if (tasks == 0) continue;
            if (master == self_) be_master();
            else be_worker(master);
        }
        MPI_Comm_free(&group_);
        const double mine = MPI_Wtime() - begin;
        MPI_Allreduce(&mine, &found_.seconds, 1, MPI_DOUBLE, MPI_MAX, world_);
        found_.busy_seconds = found_.busy_here;
        found_.tasks = found_.tasks_here;
        sum(found_.busy_seconds, MPI_DOUBLE);
        sum(found_.tasks, MPI_UINT64_T);
        sum(found_.elsewhere, MPI_UINT64_T);
        sum(found_.messages, MPI_UINT64_T);
        return std::move(found_);
    }

private:
    using bytes = parley::cluster::bytes;
    static constexpr int tag = 7;

    template <class T>
    void sum(T& value, MPI_Datatype type) {
        const T mine = value;
        MPI_Allreduce(&mine, &value, 1, type, MPI_SUM, world_);
    }
    static std::vector<std::uint64_t> gather(MPI_Comm comm, std::uint64_t mine) {
        int ranks = 1;
        MPI_Comm_size(comm, &ranks);
        std::vector<std::uint64_t> all(static_cast<std::size_t>(ranks));
        MPI_Allgather(&mine, 1, MPI_UINT64_T, all.data(), 1, MPI_UINT64_T, comm);
        return all;
    }
    // The richest to the first group, the next to the second, and back again.
    void join_a_group() {
        const std::vector<std::uint64_t> counts = gather(world_, mine_.size());
        std::vector<std::size_t> order(counts.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
            return counts[a] != counts[b] ? counts[a] > counts[b] : a < b;  // the same on every rank
        });
        const std::size_t groups = (counts.size() + ranks_of_group - 1) / ranks_of_group;
        int rank = 0;
        MPI_Comm_rank(world_, &rank);
        const auto place =
            static_cast<std::size_t>(std::ranges::find(order, static_cast<std::size_t>(rank)) - order.begin());
        const std::size_t round = place / groups;
        const std::size_t in_round = place % groups;
        MPI_Comm_split(world_, static_cast<int>(round % 2 == 0 ? in_round : groups - 1 - in_round), rank, &group_);
        MPI_Comm_rank(group_, &self_);
        MPI_Comm_size(group_, &size_);
    }

    // Length first: looking for messages of unknown length is slow in simulation.
    void send(int to, const bytes& data) {
        const std::uint64_t size = data.size();
        MPI_Send(&size, 1, MPI_UINT64_T, to, tag, group_);
        if (size != 0) MPI_Send(data.data(), static_cast<int>(size), MPI_BYTE, to, tag + 1, group_);
        ++found_.messages;
    }
    bytes receive(int from, int& who) {
        std::uint64_t size = 0;
        MPI_Status status;
        MPI_Recv(&size, 1, MPI_UINT64_T, from, tag, group_, &status);
        who = status.MPI_SOURCE;
        bytes data(size);
        if (size != 0) MPI_Recv(data.data(), static_cast<int>(size), MPI_BYTE, who, tag + 1, group_, MPI_STATUS_IGNORE);
        return data;
    }

    result call(const Cell& cell) {
        alone here;
        const double begin = MPI_Wtime();
        result r = function_(cell, here);
        found_.busy_here += MPI_Wtime() - begin;
        ++found_.tasks_here;
        return r;
    }
    void be_master() {
        if (size_ == 1) {
            for (std::size_t i = 0; i < mine_.size(); ++i) found_.results[i] = call(mine_[i]);
            return;
        }
        const auto workers = static_cast<std::uint64_t>(size_ - 1);
        const std::uint64_t chunk = std::max<std::uint64_t>(1, mine_.size() / (chunks_of_worker * workers));
        std::uint64_t next = 0;
        for (std::uint64_t stopped = 0; stopped < workers;) {
            int who = 0;
            const bytes done = receive(MPI_ANY_SOURCE, who);
            parley::cluster::reader r(done);
            while (!r.at_end()) {
                const auto id = r.get<std::uint64_t>();
                found_.results[id] = r.get<result>();
            }
            bytes order;
            parley::cluster::writer w(order);
            for (std::uint64_t i = 0; i < chunk && next < mine_.size(); ++i, ++next) w(next, mine_[next]);
            if (order.empty()) ++stopped;
            send(who, order);
        }
    }
    void be_worker(int master) {
        for (bytes done;;) {
            send(master, done);
            int who = 0;
            const bytes order = receive(master, who);
            if (order.empty()) return;
            done.clear();
            parley::cluster::reader r(order);
            parley::cluster::writer w(done);
            while (!r.at_end()) {
                const auto id = r.get<std::uint64_t>();
                const auto cell = r.get<Cell>();
                w(id, call(cell));
                ++found_.elsewhere;
            }
        }
    }

    MPI_Comm world_;
    MPI_Comm group_ = MPI_COMM_NULL;
    int self_ = 0;
    int size_ = 1;
    std::span<const Cell> mine_;
    F function_;
    mastered<result> found_;
};

}  // namespace parley_programs::cluster
