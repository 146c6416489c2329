// What is run while something waits: suspended waits, isolated and blocked ones.
#include <lab/explore/scenes/scenes.hpp>

#include <lab/explore/scene.hpp>
#include <parley/blocking.hpp>
#include <parley/detail/policy/tuning.hpp>
#include <parley/detail/protocol/bits.hpp>
#include <parley/detail/runtime/wait.hpp>
#include <parley/detail/runtime/worker.hpp>
#include <parley/fork_join.hpp>
#include <parley/future.hpp>
#include <parley/isolated.hpp>
#include <parley/loop.hpp>
#include <parley/priority.hpp>
#include <parley/runtime.hpp>
#include <parley/scope.hpp>
#include <parley/shared_future.hpp>

#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace parley::explore {

namespace {

// Each waits for the one before, wherever that is.
void chain_of_futures() {
    rested_runtime rt(2);
    const explored here;
    const int sum = rt.run([] {
        future<int> a = async([] {
            poll();
            return 1;
        });
        future<int> b = async([a = std::move(a)]() mutable {
            poll();
            return a.get() + 1;
        });
        future<int> c = async([b = std::move(b)]() mutable { return b.get() + 1; });
        return c.get();
    });
    check(sum == 3, "a chain of futures has a wrong sum");
}

// The root waits for one task, and its worker begins a job meanwhile, which waits for another one. That one ends only after
// the root has gone on, so that the root must not lie below the job.
void goes_on_with_another() {
    rested_runtime rt(3);
    const explored here;
    scope outside(rt);
    rt.run([&] {
        bool first_begun = false, second_begun = false, job_begun = false, went_on = false;
        future<int> first = async([&] {
            first_begun = true;
            wait_for([&job_begun] { return job_begun; });
            return 1;
        });
        future<int> second = async([&] {
            second_begun = true;
            wait_for([&went_on] { return went_on; });
            return 2;
        });
        look_until([&] { return first_begun && second_begun; });
        std::thread other([&] {
            outside.spawn([&] {
                job_begun = true;
                check(second.get() == 2, "a future has a wrong value");
            });
        });
        check(first.get() == 1, "a future has a wrong value");
        went_on = true;
        other.join();
        outside.wait();
    });
}

// All wait before it is there.
void two_waiters() {
    rested_runtime rt(3);
    const explored here;
    rt.run([] {
        int sum = 0;
        bool begun = false, other_waits = false, may_end = false;
        shared_future<int> f = async([&] {
            begun = true;
            wait_for([&may_end] { return may_end; });
            return 1;
        });
        look_until([&] { return begun; });
        scope s;
        s.spawn([&] {
            other_waits = true;
            sum += f.get();
        });
        look_until([&] { return other_waits; });
        may_end = true;
        sum += f.get();
        s.wait();
        check(sum == 2, "a reader of a future has not read it");
    });
}

void spawn_foreign_tasks(scope& into, int& done) {
    for (int i = 0; i < 3; ++i)
        into.spawn([&done] {
            check(!is_inside, "a foreign task began on top of an isolated wait");
            ++done;
        });
}
// By a task that runs isolated: it waits for one that another worker has.
void wait_inside(int& done) {
    const inside region;
    bool begun = false;
    scope s;
    s.spawn(priority::high, [&] {
        begun = true;
        for (int i = 0; i < 3; ++i) give_way();
        ++done;
    });
    look_until([&] { return begun; });
    s.wait();
}

// The wait in the isolated region begins nothing that was made outside, though its own task is with another worker.
void isolated_wait() {
    rested_runtime rt(2);
    const explored here;
    rt.run([] {
        int done = 0;
        scope outer;
        spawn_foreign_tasks(outer, done);
        isolated([&done] { wait_inside(done); });
        outer.wait();
        check(done == 4, "a scope with an isolated region ended before a task");
    });
}

// The region waits inside an iteration for a task that needs the next iteration: the wait must not keep that.
void isolated_wait_in_loop() {
    rested_runtime rt(3, watchdogs::on);
    const explored here;
    rt.run([] {
        bool second = false;
        for_each_index(0, 2, [&second](int i) {
            if (i == 1) {
                second = true;
                return;
            }
            isolated([&second] {
                bool begun = false;
                scope s;
                s.spawn([&] {
                    begun = true;
                    wait_for([&second] { return second; });
                });
                look_until([&] { return begun; });
                s.wait();
            });
        });
    });
}

// A thief waits in a task of the region, and there is a job that blocks on the lock which the region keeps.
void lock_in_isolation() {
    rested_runtime rt(3);
    const explored here;
    std::mutex lock;
    int done = 0;
    bool inner_begun = false;
    scope outside(rt);
    std::thread other([&] {
        wait_for([&inner_begun] { return inner_begun; });
        outside.spawn([&] {
            const std::scoped_lock guard(lock);
            ++done;
        });
    });
    rt.run([&] {
        isolated([&] {
            const std::scoped_lock guard(lock);
            bool begun = false;
            scope region;
            region.spawn([&] {
                begun = true;
                (void)fork_join([&] { look_until([&] { return inner_begun; }); },
                                [&] {
                                    inner_begun = true;
                                    for (int i = 0; i < 3; ++i) give_way();
                                });
                ++done;
            });
            look_until([&] { return begun; });
            region.wait();
        });
    });
    other.join();
    outside.wait();
    check(done == 2, "a region with a lock has not run whole");
}

// The region ends before its task has begun, which stays isolated, and waits for one that another worker has.
void left_over_of_isolation() {
    rested_runtime rt(2);
    const explored here;
    rt.run([] {
        int done = 0;
        scope s;
        spawn_foreign_tasks(s, done);
        isolated([&] { s.spawn([&done] { wait_inside(done); }); });
        s.wait();
        check(done == 4, "a scope ended before what an isolated region had left");
    });
}

// Whoever blocks needs what it has made to be run by others.
void blocked_for_own_task() {
    rested_runtime rt(2);
    const explored here;
    rt.run([] {
        int done = 0;
        scope s;
        for (int i = 0; i < 3; ++i) s.spawn([&done] { ++done; });
        blocking([&done] { wait_for([&done] { return done == 3; }); });
        s.wait();
    });
}

// The task that it needs waits itself, so that two threads must work while it blocks.
void blocked_for_a_fork() {
    rested_runtime rt(2);
    const explored here;
    rt.run([] {
        bool done = false;
        scope s;
        s.spawn([&done] {
            bool second = false;
            (void)fork_join([&second] { blocking([&second] { wait_for([&second] { return second; }); }); },
                            [&second] { second = true; });
            done = true;
        });
        blocking([&done] { wait_for([&done] { return done; }); });
        s.wait();
    });
}

// A region keeps a lock, and a thief has asked for what it makes. Meanwhile a job comes that wants the lock.
void job_beside_an_answer() {
    rested_runtime rt(2);
    const explored here;
    std::mutex lock;
    int done = 0;
    scope outside(rt);
    std::thread other([&] { outside.spawn([&lock] { const std::scoped_lock guard(lock); }); });
    rt.run([&] {
        bool begun = false;
        (void)fork_join([&begun] { look_until([&begun] { return begun; }); }, [&begun] { begun = true; });
        isolated([&] {
            const std::scoped_lock guard(lock);
            scope s;
            s.spawn([&done] { ++done; });
            poll();
            s.wait();
        });
    });
    other.join();
    outside.wait();
    check(done == 1, "a scope ended before a task of an isolated region");
}

// A thief that is to go hands on as a job what was made inside a region. Another worker may get the job meanwhile, and then
// wants the lock of the region.
template <class Meanwhile>
void isolated_job_and(const Meanwhile& meanwhile) {
    rested_runtime rt(3);
    const explored here;
    std::mutex lock;
    int done = 0;
    bool begun = false, given = false;
    rt.run([&] {
        scope outer;
        outer.spawn([&] {
            begun = true;
            wait_for([&given] { return given; });
            meanwhile();
            const std::scoped_lock guard(lock);
            ++done;
        });
        look_until([&begun] { return begun; });
        for (int i = 0; i < 20; ++i) give_way();
        isolated([&] {
            const std::scoped_lock guard(lock);
            scope s;
            s.spawn([&done] { ++done; });
            rt.resize(2);
            poll();
            given = true;
            s.wait();
        });
        outer.wait();
    });
    check(done == 2, "a scope ended before a task of its own");
}
void isolated_job() {
    isolated_job_and([] {
        int looks = 0;  // a deadline that passes
        threading::wait_until(*threading::current, [&looks] { return ++looks > 6; });
    });
}
void isolated_job_beside_a_task() {
    isolated_job_and([] {
        for (int i = 0; i < 10; ++i) {
            give_way();
            poll();
        }
    });
}

// Two requests are answered, the first with several common tasks, the second out of a region, and a job comes.
void two_answers_and_a_job() {
    runtime rt({.workers = 3, .watchdog = watchdogs::off, .seed = 1},
               {.steal = threading::stealing::half, .requests = 2, .patience = 400});
    rt.run([] { barrier(); });
    let_others_wait();
    const explored here;
    int done = 0, inner = 0, jobs = 0;
    bool first = false, second = false, may_look = false, has_looked = false, over = false;
    scope outside(rt);
    std::thread other([&] {
        wait_for([&has_looked] { return has_looked; });
        outside.spawn([&jobs] { ++jobs; });
    });
    rt.run([&] {
        scope outer;
        outer.spawn([&] {
            first = true;
            wait_for([&may_look] { return may_look; });
        });
        look_until([&first] { return first; });
        outer.spawn([&] {
            scope s;
            for (int i = 0; i < 3; ++i) s.spawn([&done] { ++done; });
            second = true;
            wait_for([&may_look] { return may_look; });
            for (int i = 0; i < 60 && !threading::current->is_wanted_for(protocol::bits::mail); ++i) give_way();
            for (int i = 0; i < 3; ++i) give_way();
            poll();
            has_looked = true;
            wait_for([&over] { return over; });
            s.wait();
        });
        look_until([&second] { return second; });
        isolated([&] {
            scope s;
            for (int i = 0; i < 3; ++i) s.spawn([&inner] { ++inner; });
            may_look = true;
            wait_for([&has_looked] { return has_looked; });
            poll();
            for (int i = 0; i < 10; ++i) give_way();
            over = true;
            s.wait();
        });
        outer.wait();
    });
    other.join();
    outside.wait();
    check(done == 3 && inner == 3 && jobs == 1, "a scope ended before a task of its own");
}

}  // namespace

std::vector<scene> scenes_of_waits() {
    return {
        {"job_beside", "a job that wants the lock of a region comes together with an answer of the region",
         &job_beside_an_answer, 2, 5000},
        {"isolated_job", "what was made inside a region comes as a job as a wait ends", &isolated_job, 1, 2000},
        {"isolated_job_beside", "what was made inside a region comes as a job while a task looks",
         &isolated_job_beside_a_task, 1, 2000},
        {"two_answers", "a common answer, an isolated one and a job come together", &two_answers_and_a_job, 1, 2000},
        {"futures", "futures of which each waits for the one before", &chain_of_futures, 2, 5000},
        {"goes_on", "a wait that is over goes on though its worker has begun something else", &goes_on_with_another, 1,
         5000},
        {"two_waiters", "two workers and the root wait for one future", &two_waiters, 1, 5000},
        {"isolated", "foreign tasks while an isolated region waits", &isolated_wait, 2, 5000},
        {"isolated_loop", "an isolated region waits inside a loop, for a task that needs the rest of the loop",
         &isolated_wait_in_loop, 1, 5000, 4, 20'000, 2},
        {"isolated_lock", "a region that keeps a lock, and a job that wants it", &lock_in_isolation, 1, 5000},
        {"left_over", "a task that an isolated region has left waits, and there are foreign ones", &left_over_of_isolation,
         2, 5000},
        {"blocked", "a worker that blocks until its own tasks have run", &blocked_for_own_task, 1, 5000},
        {"blocked_twice", "both workers block, and a thread stands in", &blocked_for_a_fork, 1, 5000},
    };
}

}  // namespace parley::explore
