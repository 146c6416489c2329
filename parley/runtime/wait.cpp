#include <parley/runtime/wait.hpp>

#include <parley/runtime/medium.hpp>
#include <parley/runtime/pool.hpp>
#include <parley/runtime/relax.hpp>

#include <chrono>

namespace parley::inline v0::threading {

namespace {

using namespace std::chrono_literals;

// Unanswered after this long, a request rests in the lobby (the time D of the protocol). Several
// times what a victim that looks takes to answer.
constexpr auto patience_with_victim = 10us;

// About two wake-ups' worth: a futex round trip takes 10 to 20 us here, and who spins as long as
// sleeping would cost is at most twice as slow as who knew (Karlin et al. 1991).
constexpr auto patience = 40us;

// Looking at the clock costs as much as a few turns.
constexpr unsigned turns_per_look = 8;

// How long a worker has found nothing to do.
class spinning {
public:
    enum class advice : std::uint8_t { spin, rest, sleep };

    void restart() noexcept { turns_ = 0; }

    advice next() noexcept {
        if (turns_++ % turns_per_look != 0) return advice::spin;
        const auto now = std::chrono::steady_clock::now();
        if (turns_ == 1) since_ = now;
        if (now - since_ >= patience) return advice::sleep;
        return now - since_ >= patience_with_victim ? advice::rest : advice::spin;
    }

private:
    unsigned turns_ = 0;
    std::chrono::steady_clock::time_point since_;
};

}  // namespace

void wait(worker& self, protocol::standing where, bool (*done)(const void*), const void* context) {
    thread_medium medium(self);
    protocol_worker& machine = self.home.protocol_of(self.id);
    spinning idle;
    while (!done(context)) {
        if (task* t = self.tasks.pop()) {
            self.run(t);
            idle.restart();
            continue;
        }
        self.turn_to(nullptr);
        if (machine.seek(medium, where)) {
            idle.restart();
            continue;
        }
        switch (idle.next()) {
            case spinning::advice::spin: relax(); break;
            case spinning::advice::rest: machine.rest(medium); break;
            case spinning::advice::sleep:
                if (machine.go_to_sleep(medium)) {
                    if (!done(context)) medium.sleep();
                    machine.wake_up(medium);
                    self.count.wakes.add();
                }
                idle.restart();
                break;
        }
    }
    machine.withdraw(medium);
    self.turn_to(nullptr);
}

}  // namespace parley::inline v0::threading
