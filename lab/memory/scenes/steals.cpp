// A steal, from the request to the answer: mailbox, attention words, lobby, claim word and task channel together, used as
// runtime/medium.hpp uses them.
#include <lab/memory/scenes/scenes.hpp>

#include <parley/detail/sync/atomic.hpp>
#include <parley/detail/sync/attention.hpp>
#include <parley/detail/sync/claim.hpp>
#include <parley/detail/sync/lobby.hpp>
#include <parley/detail/sync/mpsc.hpp>
#include <parley/detail/sync/spsc.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace parley::memory {

namespace {

constexpr sync::attention::bits mail = 1, tasks = 2, news = 4, rests = 8;

enum class state : std::uint8_t { home, away, resting, taken };

struct letter {
    letter* next = nullptr;
    int contents = 0;
};

struct steal {
    std::array<sync::attention, 3> words;  // 0: the thief's
    std::array<sync::mpsc<letter, &letter::next>, 3> mailboxes;
    sync::lobby lobby{1};
    letter request;
    sync::claim<state> claim{state::home};
    sync::spsc_slot<int> answer;
    int wish = 0;
    bool isolated = true;
    std::array<int, 3> given{};

    void begin(state next) {
        wish = 1;
        request.contents = 5;
        claim.set(next);
    }
    void send_request(std::size_t to) {
        check(mailboxes[to].send(&request), "the mailbox is open");
        words[to].raise(mail);
    }
    void deposit() {
        if (lobby.deposit(0))
            for (std::size_t w = 1; w < words.size(); ++w) words[w].raise(rests);
    }
    // A victim answers if it is the one that takes the request.
    void give(std::size_t self, state from) {
        if (!claim.move(from, state::taken)) return;
        given[self] = wish;
        isolated = false;
        answer.send(&given[self]);
        words[0].raise_and_wake(tasks);
    }
    void look(std::size_t self) {
        await([this, self] { return words[self].any(); });
        const sync::attention::bits seen = words[self].get();
        words[self].lower(seen);
        if ((seen & mail) != 0) {
            const letter* const l = mailboxes[self].receive();
            check(l != nullptr && l->contents == 5, "who lowers the bit finds no letter");
            give(self, state::away);
        }
        if ((seen & rests) != 0 && lobby.take(0)) give(self, state::resting);
    }
    template <class Holds>
    void sleep_until(const Holds& holds) {
        sync::parker parker(words[0], tasks | news);
        while (!holds()) {
            if (parker.prepare()) {
                if (holds()) return parker.cancel();
                parker.commit();
            }
            words[0].lower(tasks | news);
        }
    }
    void take_answer() {
        sleep_until([this] { return answer.peek(); });
        check(!isolated, "what goes with the answer is not there");
        const int* const task = answer.receive();
        check(task != nullptr && *task == 1, "the task is not there");
        claim.set(state::home);
    }
};

void by_letter(program& p) {
    auto& s = shared<steal>();
    p.thread([&s] {
        s.begin(state::away);
        s.send_request(1);
        s.take_answer();
    });
    p.thread([&s] { s.look(1); });
}

// The thief hears something else, and takes its request back if it is not too late.
void withdrawn(program& p) {
    auto& s = shared<steal>();
    auto& fact = shared<sync::atomic<int>>(0);
    p.thread([&s, &fact] {
        s.begin(state::away);
        s.send_request(1);
        s.sleep_until([&s, &fact] { return s.answer.peek() || fact.load(std::memory_order_acquire) == 1; });
        if (!s.claim.move(state::away, state::home)) s.take_answer();
    });
    p.thread([&s] { s.look(1); });
    p.thread([&s, &fact] {
        fact.store(1, std::memory_order_release);
        s.words[0].raise_and_wake(news);
    });
}

// The request rests in the lobby. Two victims look.
void by_lobby(program& p) {
    auto& s = shared<steal>();
    p.thread([&s] {
        s.begin(state::resting);
        s.deposit();
        s.take_answer();
    });
    p.thread([&s] { s.look(1); });
    p.thread([&s] { s.look(2); });
}

}  // namespace

std::vector<scene> scenes_of_steals() {
    return {
        {"steal2", "a request by letter, and its answer", by_letter},
        {"steal3_withdrawn", "a thief takes its request back, or is too late", withdrawn},
        {"steal3_lobby", "a request that rests, and two victims", by_lobby},
    };
}

}  // namespace parley::memory
