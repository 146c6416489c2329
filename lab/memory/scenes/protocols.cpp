// Functions of the protocol whose proofs rest on the order of several words: protocol/termination.hpp and protocol/jobs.hpp
// as they are, over the words that runtime/medium.hpp gives them.
#include <lab/memory/scenes/scenes.hpp>

#include <parley/detail/protocol/bits.hpp>
#include <parley/detail/protocol/jobs.hpp>
#include <parley/detail/protocol/request.hpp>
#include <parley/detail/protocol/termination.hpp>
#include <parley/detail/sync/attention.hpp>
#include <parley/detail/sync/claim.hpp>
#include <parley/detail/sync/counter.hpp>
#include <parley/detail/sync/injector.hpp>
#include <parley/detail/sync/lobby.hpp>
#include <parley/detail/sync/spsc.hpp>

#include <array>
#include <cstdint>
#include <optional>

namespace parley::memory {

namespace {

namespace bits = protocol::bits;

// What workers publish of themselves, as a medium for terminated().
struct standings {
    struct standing {
        sync::published<bool> idle{true};
        sync::published<std::uint64_t> sent{0}, received{0};
    };
    std::array<standing, 3> of;
    std::array<sync::spsc_slot<int>, 3> channels;
    std::array<int, 3> results{};

    [[nodiscard]] protocol::published_state published(protocol::worker_id w) const noexcept {
        return {of[w].idle.get(), of[w].sent.get(), of[w].received.get()};
    }
    [[nodiscard]] static std::uint64_t jobs_sent() noexcept { return 0; }

    void give(protocol::worker_id from, protocol::worker_id to) {
        of[from].sent.set(of[from].sent.own() + 1);
        channels[to].send(&results[to]);
    }
    void receive_and_run(protocol::worker_id self) {
        int* const task = await([this, self] { return channels[self].receive(); });
        of[self].idle.set(false);
        of[self].received.set(of[self].received.own() + 1);
        *task = 1;
    }
};

// Worker 1 gives a task to worker 2, and is idle after that. With `back`, that one gives a task back first.
void scanned(program& p, bool back) {
    auto& s = shared<standings>();
    s.of[1].idle.set(false);
    p.thread([&s, back] {
        if (!protocol::terminated(s, 3)) return;
        check(s.results[2] == 1 && (!back || s.results[1] == 1), "an end is announced while a task is left");
    });
    p.thread([&s, back] {
        s.give(1, 2);
        s.of[1].idle.set(true);
        if (!back) return;
        s.receive_and_run(1);
        s.of[1].idle.set(true);
    });
    p.thread([&s, back] {
        s.receive_and_run(2);
        if (back) s.give(2, 1);
        s.of[2].idle.set(true);
    });
}

// Worker 0 opens the barrier, and says that it is idle; worker 1 says that it is idle, and looks at the barrier (I4). The
// last one asks for a scan.
void last_one_asks(program& p) {
    struct state {
        standings s;
        sync::published<bool> barrier_open{false};
        bool sees_idle = false, sees_barrier = false;
    };
    auto& t = shared<state>();
    t.s.of[1].idle.set(false);
    p.thread([&t] {
        t.barrier_open.set(true);
        t.sees_idle = t.s.of[1].idle.get();
    });
    p.thread([&t] {
        t.s.of[1].idle.set(true);
        t.sees_barrier = t.barrier_open.get();
    });
    p.finally([&t] { check(t.sees_idle || t.sees_barrier, "nobody asks whether all is done"); });
}

struct job {
    job* next = nullptr;
    int runs = 0;
};

// A medium for relay_jobs(), with a worker that falls asleep with its request in the lobby.
struct jobs_and_sleeper {
    sync::injector<job, &job::next> jobs;
    sync::lobby lobby{1};
    sync::claim<protocol::request_state> claim_word{protocol::request_state::home};
    sync::spsc_slot<job> answer;
    sync::attention word;

    std::optional<job*> draw_job() {
        job* const j = jobs.receive();
        return j == nullptr ? std::nullopt : std::optional(j);
    }
    std::optional<protocol::request_id> take_resting() { return lobby.take(0); }
    bool claim(protocol::request_id, protocol::request_state from, protocol::request_state to) {
        return claim_word.move(from, to);
    }
    void send_job(protocol::request_id, job* j) { answer.send(j); }
    void raise_and_wake(protocol::worker_id, bits::word b) { word.raise_and_wake(b); }
    void put_back_job(job* j) { jobs.put_back(j); }
    [[nodiscard]] bool lobby_empty() const { return lobby.empty(); }
    void raise_all(bits::word b) { word.raise_and_wake_if(bits::wants_jobs, b); }

    job* sleep_until_job() {
        sync::parker parker(word, bits::tasks);
        claim_word.set(protocol::request_state::resting);
        (void)lobby.deposit(0);
        for (;;) {
            if (answer.peek()) return answer.receive();
            if (job* const j = jobs.receive()) {
                // Nobody claims the request but a thread that holds a job, and there is one job.
                check(claim_word.move(protocol::request_state::resting, protocol::request_state::home), "it is claimed");
                return j;
            }
            if (parker.prepare()) {
                if (answer.peek() || !jobs.empty()) parker.cancel();
                else parker.commit();
            }
            word.lower(bits::tasks);
        }
    }
};

void job_for_a_sleeper(program& p) {
    struct state {
        jobs_and_sleeper medium;
        job j;
    };
    auto& s = shared<state>();
    p.thread([&s] {
        s.medium.jobs.send(&s.j);
        protocol::relay_jobs(s.medium);
    });
    p.thread([&s] { ++s.medium.sleep_until_job()->runs; });
    p.finally([&s] { check(s.j.runs == 1, "a job did not run once"); });
}

}  // namespace

std::vector<scene> scenes_of_protocols() {
    return {
        {"terminated", "an end is looked for while a task is given", [](program& p) { scanned(p, false); }},
        {"terminated_back", "and while one is given back", [](program& p) { scanned(p, true); }},
        {"terminated_asks", "the last to be idle asks for a scan", last_one_asks},
        {"relay_jobs", "a job is sent while a worker falls asleep", job_for_a_sleeper},
    };
}

}  // namespace parley::memory
