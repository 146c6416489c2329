// balance() for C and Fortran: cells and results are bytes, and no exception leaves.
#include <parley/cluster.h>
#include <parley/cluster/mpi.hpp>
#include <parley/detail/base/hash.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace parley::inline v0::cluster {
namespace {

// The owner's bytes where they lie, or bytes of its own once it has travelled.
struct c_cell {
    const std::byte* at = nullptr;
    std::size_t size = 0;
    std::unique_ptr<std::byte[]> own;
};

}  // namespace

template <>
struct serializer<c_cell> {
    static void write(writer& w, const c_cell& c) {
        w(std::uint64_t{c.size});
        w.raw({c.at, c.size});
    }
    static c_cell read(reader& r) {
        const std::span<const std::byte> data = r.raw(detail::length(r));
        c_cell c{.at = nullptr, .size = data.size(), .own = std::make_unique_for_overwrite<std::byte[]>(data.size())};
        if (!data.empty()) std::memcpy(c.own.get(), data.data(), data.size());
        c.at = c.own.get();
        return c;
    }
};

namespace {

static_assert(PARLEY_CLUSTER_SMALL_WORLD == static_cast<int>(graph::small_world));
static_assert(PARLEY_CLUSTER_RANDOM == static_cast<int>(graph::random));
static_assert(PARLEY_CLUSTER_RING == static_cast<int>(graph::ring));
static_assert(PARLEY_CLUSTER_COMPLETE == static_cast<int>(graph::complete));
static_assert(PARLEY_CLUSTER_STEAL_ONE == static_cast<int>(stealing::one));
static_assert(PARLEY_CLUSTER_STEAL_HALF == static_cast<int>(stealing::half));
static_assert(PARLEY_CLUSTER_STEAL_ADAPTIVE == static_cast<int>(stealing::adaptive));
static_assert(PARLEY_CLUSTER_RESULTS_OVERLAY == static_cast<int>(routing::overlay));
static_assert(PARLEY_CLUSTER_RESULTS_DIRECT == static_cast<int>(routing::direct));

// The caller's side of one call.
struct order {
    std::size_t count = 0;
    const std::byte* cells = nullptr;
    std::size_t cell_bytes = 0;
    std::byte* results = nullptr;
    std::size_t result_bytes = 0;
    parley_cluster_function function = nullptr;
    void* parameters = nullptr;

    [[nodiscard]] const char* problem() const noexcept {
        if (function == nullptr) return "parley: there is no function for the cells";
        if (count != 0 && cells == nullptr && cell_bytes != 0) return "parley: there are no cells";
        if (count != 0 && results == nullptr && result_bytes != 0) return "parley: there is no room for results";
        return nullptr;
    }
};

// Results of the caller's own cells are written where the caller wants them: what is returned is empty then. So only
// those that travel need memory.
struct c_task {
    const order* what;
    const c_cell* first;

    bytes operator()(const c_cell& cell) const {
        bytes result;
        std::byte* at = nullptr;
        if (cell.own != nullptr) {
            result.resize(what->result_bytes);
            at = result.data();
        } else if (what->result_bytes != 0) {
            at = what->results + static_cast<std::size_t>(&cell - first) * what->result_bytes;
        }
        if (const int code = what->function(cell.at, at, what->parameters); code != 0)
            throw error("the function has returned " + std::to_string(code));
        return result;
    }
};

parley_cluster_statistics to_c(const summary& s) noexcept {
    const statistics& n = s.counts;
    parley_cluster_statistics c{};
    c.tasks = n.tasks;
    c.foreign = n.foreign;
    c.failed = s.failed;
    c.requests = n.requests;
    c.refused = n.refused;
    c.steals = n.steals;
    c.stolen = n.stolen;
    c.offers = n.offers;
    c.declined = n.declined;
    c.result_messages = n.result_messages;
    c.results_home = n.results_home;
    c.result_hops = n.result_hops;
    c.duplicates = n.duplicates;
    c.messages = n.messages;
    c.bytes = n.bytes;
    c.waves = n.waves;
    c.connections = n.connections;
    c.most_connections = n.most_connections;
    c.busy_seconds = n.busy_seconds;
    c.seconds = n.seconds;
    return c;
}

options to_options(const parley_cluster_options& c) noexcept {
    options o;
    o.overlay = {.kind = static_cast<graph>(c.overlay), .degree = c.degree, .seed = c.seed};
    o.steal = static_cast<stealing>(c.steal);
    o.results = static_cast<routing>(c.results);
    o.workers = c.workers;
    o.steal_bytes = c.steal_bytes;
    o.look_seconds = c.look_seconds;
    o.seed = c.seed;
    return o;
}

const char* problem_of(const parley_cluster_options& c) noexcept {
    const auto is_in = [](int value, int last) { return value >= 0 && value <= last; };
    if (!is_in(c.overlay, PARLEY_CLUSTER_COMPLETE)) return "parley: there is no such overlay";
    if (!is_in(c.steal, PARLEY_CLUSTER_STEAL_ADAPTIVE)) return "parley: there is no such way to steal";
    if (!is_in(c.results, PARLEY_CLUSTER_RESULTS_DIRECT)) return "parley: there is no such way home for results";
    return nullptr;
}

// Collective: what is wrong on one rank ends the call on all of them, where they would wait for that rank.
void require_nowhere(medium& m, const char* problem) {
    const bool is_same_everywhere = m.all_say(problem == nullptr ? 0 : 1);
    if (problem != nullptr) throw usage_error(problem);
    if (!is_same_everywhere) throw disagreement("parley: another rank's arguments are wrong");
}

// Runs body(); what is wrong becomes a code, and a text.
template <class Body>
int without_exceptions(char* message, std::size_t size, Body body) noexcept {
    const auto say = [&](const char* text, int code) {
        if (message != nullptr && size != 0) std::snprintf(message, size, "%s", text);
        return code;
    };
    try {
        body();
        return say("", PARLEY_CLUSTER_OK);
    } catch (const task_failed& e) {
        return say(e.what(), PARLEY_CLUSTER_TASK_FAILED);
    } catch (const disagreement& e) {
        return say(e.what(), PARLEY_CLUSTER_DISAGREEMENT);
    } catch (const usage_error& e) {
        return say(e.what(), PARLEY_CLUSTER_USAGE);
    } catch (const std::exception& e) {
        return say(e.what(), PARLEY_CLUSTER_ERROR);
    } catch (...) {
        return say("parley: something that is no std::exception", PARLEY_CLUSTER_ERROR);
    }
}

}  // namespace
}  // namespace parley::inline v0::cluster

namespace cluster = parley::cluster;

// The group owns the medium; between two sets of tasks the ranks agree over it.
struct parley_cluster_group {
    parley_cluster_group(std::unique_ptr<cluster::medium> m, const cluster::options& how)
        : link(*m), ranks(std::move(m), how) {}

    static std::unique_ptr<parley_cluster_group> over(MPI_Comm comm, const parley_cluster_options* options) {
        if (comm == MPI_COMM_NULL) throw parley::usage_error("parley: there is no communicator");
        const parley_cluster_options chosen = options != nullptr ? *options : parley_cluster_default_options();
        std::unique_ptr<cluster::medium> m = cluster::over_mpi(comm);
        cluster::require_nowhere(*m, cluster::problem_of(chosen));
        return std::make_unique<parley_cluster_group>(std::move(m), cluster::to_options(chosen));
    }

    void balance(const cluster::order& what, parley_cluster_statistics* all) {
        cluster::require_nowhere(link, what.problem());
        const bool all_agree = ranks.all_say(parley::base::hash_of("sizes", {what.cell_bytes, what.result_bytes}));
        if (!all_agree) throw cluster::disagreement("parley: the ranks differ in the sizes of cells or results");
        std::vector<cluster::c_cell> cells(what.count);
        for (std::size_t i = 0; i < what.count; ++i) {
            if (what.cell_bytes != 0) cells[i].at = what.cells + i * what.cell_bytes;
            cells[i].size = what.cell_bytes;
        }
        cluster::balanced_tasks<cluster::c_cell, cluster::c_task> tasks(ranks, cells, {&what, cells.data()});
        std::vector<cluster::bytes> travelled;
        try {
            travelled = tasks.finish();
        } catch (const cluster::task_failed&) {
            if (all != nullptr) *all = cluster::to_c(tasks.total());
            throw;
        }
        for (std::size_t i = 0; i < travelled.size(); ++i)
            if (const cluster::bytes& result = travelled[i]; !result.empty())
                std::memcpy(what.results + i * what.result_bytes, result.data(), what.result_bytes);
        if (all != nullptr) *all = cluster::to_c(tasks.total());
    }

    cluster::medium& link;
    cluster::group ranks;
};

extern "C" {

parley_cluster_options parley_cluster_default_options(void) {
    const cluster::options o;
    parley_cluster_options c{};
    c.overlay = static_cast<int>(o.overlay.kind);
    c.steal = static_cast<int>(o.steal);
    c.results = static_cast<int>(o.results);
    c.degree = o.overlay.degree;
    c.workers = o.workers;
    c.steal_bytes = o.steal_bytes;
    c.look_seconds = o.look_seconds;
    c.seed = o.seed;
    return c;
}

int parley_cluster_balance(MPI_Comm comm, size_t count, const void* cells, size_t cell_bytes, void* results,
                           size_t result_bytes, parley_cluster_function f, void* parameters,
                           const parley_cluster_options* options, parley_cluster_statistics* statistics, char* message,
                           size_t message_size) {
    return cluster::without_exceptions(message, message_size, [&] {
        parley_cluster_group::over(comm, options)
            ->balance({count, static_cast<const std::byte*>(cells), cell_bytes, static_cast<std::byte*>(results),
                       result_bytes, f, parameters},
                      statistics);
    });
}

parley_cluster_group* parley_cluster_open(MPI_Comm comm, const parley_cluster_options* options, char* message,
                                          size_t message_size) {
    parley_cluster_group* group = nullptr;
    cluster::without_exceptions(message, message_size, [&] { group = parley_cluster_group::over(comm, options).release(); });
    return group;
}

int parley_cluster_balance_in(parley_cluster_group* group, size_t count, const void* cells, size_t cell_bytes, void* results,
                              size_t result_bytes, parley_cluster_function f, void* parameters,
                              parley_cluster_statistics* statistics, char* message, size_t message_size) {
    return cluster::without_exceptions(message, message_size, [&] {
        if (group == nullptr) throw parley::usage_error("parley: there is no group");
        group->balance({count, static_cast<const std::byte*>(cells), cell_bytes, static_cast<std::byte*>(results),
                        result_bytes, f, parameters},
                       statistics);
    });
}

void parley_cluster_close(parley_cluster_group* group) { delete group; }

int parley_cluster_balance_f(MPI_Fint comm, size_t count, const void* cells, size_t cell_bytes, void* results,
                             size_t result_bytes, parley_cluster_function f, void* parameters,
                             const parley_cluster_options* options, parley_cluster_statistics* statistics, char* message,
                             size_t message_size) {
    return parley_cluster_balance(MPI_Comm_f2c(comm), count, cells, cell_bytes, results, result_bytes, f, parameters,
                                  options, statistics, message, message_size);
}

parley_cluster_group* parley_cluster_open_f(MPI_Fint comm, const parley_cluster_options* options, char* message,
                                            size_t message_size) {
    return parley_cluster_open(MPI_Comm_f2c(comm), options, message, message_size);
}

}  // extern "C"
