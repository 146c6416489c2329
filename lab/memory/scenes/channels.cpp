// Messages: each arrives once, in order where that is promised, and with what its sender wrote before.
#include <lab/memory/scenes/scenes.hpp>

#include <parley/detail/sync/injector.hpp>
#include <parley/detail/sync/mpsc.hpp>
#include <parley/detail/sync/recent.hpp>
#include <parley/detail/sync/ring.hpp>
#include <parley/detail/sync/shared_ring.hpp>
#include <parley/detail/sync/stack.hpp>
#include <parley/detail/sync/versioned.hpp>

#include <array>
#include <cstdint>

namespace parley::memory {

namespace {

struct node {
    node* next = nullptr;
    int sender = 0;
    int number = 0;
};

using queue = sync::mpsc<node, &node::next>;

struct senders_and_queue {
    queue channel;
    std::array<std::array<node, 2>, 3> nodes;
    std::array<int, 3> sent{};
    std::array<int, 3> received{};

    void send(int who, int count) {
        const auto s = static_cast<std::size_t>(who);
        for (int n = 0; n < count; ++n) {
            node& mine = nodes[s][static_cast<std::size_t>(n)];
            mine.sender = who;
            mine.number = n;
            if (!channel.send(&mine)) return;
            ++sent[s];
        }
    }
    void take(const node& n) {
        int& last = received[static_cast<std::size_t>(n.sender)];
        check(n.number == last, "messages of a sender are out of order");
        ++last;
    }
    bool receive() {
        node* const n = channel.receive();
        if (n == nullptr) return false;
        take(*n);
        n->number = -1;  // it is the receiver's now
        return true;
    }
};

// Senders of so many messages, and a receiver that waits for all of them.
void mpsc_of(program& p, int senders, int each) {
    auto& s = shared<senders_and_queue>();
    for (int who = 0; who < senders; ++who) p.thread([&s, who, each] { s.send(who, each); });
    p.thread([&s, senders, each] {
        for (int n = 0; n < senders * each; ++n) await([&] { return s.receive(); });
        check(!s.channel.peek(), "a message is there twice");
    });
}

void mpsc_close(program& p) {
    auto& s = shared<senders_and_queue>();
    for (int who = 0; who < 2; ++who) p.thread([&s, who] { s.send(who, 2 - who); });
    p.thread([&s] {
        (void)s.receive();
        s.channel.close();
        while (s.receive()) {}
        check(s.channel.is_closed(), "a closed channel is open");
    });
    p.finally([&s] { check(s.sent == s.received, "a message was sent and not received"); });
}

// A channel is opened for a sender that learns so in another way.
void mpsc_reopen(program& p) {
    auto& s = shared<senders_and_queue>();
    s.channel.close();
    p.thread([&s] {
        s.channel.open();
        await([&s] { return s.receive(); });
    });
    p.thread([&s] {
        s.nodes[0][0].number = 0;
        await([&s] { return s.channel.send(&s.nodes[0][0]); });
    });
}

void mpsc_count(program& p) {
    auto& s = shared<senders_and_queue>();
    p.thread([&s] { s.send(0, 2); });
    p.thread([&s] {
        const std::uint32_t before = s.channel.count_if([](const node& n) { return n.number >= 0; });
        std::uint32_t there = 0;
        while (s.receive()) ++there;
        check(before <= there, "a message was counted and not received");
    });
}

void stack_of(program& p, int senders) {
    struct state {
        sync::stack<node, &node::next> channel;
        std::array<node, 3> nodes;
    };
    auto& s = shared<state>();
    for (int who = 0; who < senders; ++who) {
        p.thread([&s, who] {
            node& mine = s.nodes[static_cast<std::size_t>(who)];
            mine.number = 1;
            s.channel.send(&mine);
        });
    }
    p.thread([&s, senders] {
        int sum = 0;
        while (sum < senders) {
            const node* all = await([&s] { return s.channel.take_all(); });
            for (; all != nullptr; all = all->next) sum += all->number;
        }
    });
}

// More messages than places.
void ring_of(program& p, std::uint64_t messages, std::size_t capacity) {
    auto& r = shared<sync::ring>(sizeof(std::uint64_t), capacity);
    p.thread([&r, messages] {
        for (std::uint64_t n = 0; n < messages; ++n) await([&] { return r.send(&n, sizeof n); });
    });
    p.thread([&r, messages] {
        for (std::uint64_t n = 0; n < messages; ++n) {
            std::uint64_t got = messages;
            await([&] { return r.receive(&got, sizeof got); });
            check(got == n, "messages are out of order");
        }
    });
}

// What is counted is between what is there before and after; a message that is counted is received.
void ring_count(program& p) {
    auto& r = shared<sync::ring>(sizeof(int), std::size_t{2});
    p.thread([&r] {
        for (int n = 0; n < 2; ++n) check(r.send(&n, sizeof n), "there was room");
    });
    p.thread([&r] {
        const std::size_t count = r.count();
        check(count <= 2, "more are counted than there are places");
        int got = 0;
        for (std::size_t n = 0; n < count; ++n) check(r.receive(&got, sizeof got), "a message was counted and not received");
    });
}

void ring_watched(program& p) {
    auto& r = shared<sync::ring>(sizeof(int), std::size_t{1});
    p.thread([&r] {
        int n = 0;
        await([&] { return r.send(&n, sizeof n); });
        await([&] { return r.send(&n, sizeof n); });
    });
    p.thread([&r] {
        int got = 0;
        await([&] { return r.receive(&got, sizeof got); });
    });
    p.thread([&r] { check(r.count() <= 1, "more are counted than there are places"); });
}

void shared_ring_of(program& p) {
    auto& r = shared<sync::shared_ring>(sizeof(int), std::size_t{2}, sync::ends::many_to_many);
    for (int who = 0; who < 2; ++who) p.thread([&r, who] { check(r.send(&who, sizeof who), "there was room"); });
    p.thread([&r] {
        int sum = 0;
        for (int n = 0; n < 2; ++n) {
            int got = 0;
            await([&] { return r.count() != 0; });
            check(r.receive(&got, sizeof got), "a message was counted and not received");
            sum += got;
        }
        check(sum == 1, "a message came twice");
    });
}

void injector_of(program& p) {
    struct state {
        sync::injector<node, &node::next> jobs;
        std::array<node, 2> nodes;
        std::array<int, 2> got{};
    };
    auto& s = shared<state>();
    p.thread([&s] {
        for (node& n : s.nodes) {
            n.number = 1;
            s.jobs.send(&n);
        }
    });
    for (std::size_t who = 0; who < 2; ++who) {
        p.thread([&s, who] {
            const node* const n = await([&s] { return s.jobs.receive(); });
            s.got[who] = n->number;
        });
    }
    p.finally([&s] { check(s.got[0] == 1 && s.got[1] == 1 && s.jobs.empty(), "a job was lost"); });
}

// A reader that is overtaken by a whole round of entries.
void recent_of(program& p, std::uint64_t entries, std::size_t capacity) {
    auto& r = shared<sync::recent>(capacity);
    p.thread([&r, entries] {
        for (std::uint64_t n = 0; n < entries; ++n) r.write(n + 10, n + 20);
    });
    p.thread([&r] {
        const std::uint64_t n = r.written();
        if (n == 0) return;
        const auto e = r.at(n - 1);
        check(!e || (e->first == n + 9 && e->second == n + 19), "an entry is of two times");
    });
}

void versioned_of(program& p, int times) {
    struct state {
        sync::version_number version{0};
        sync::record_part<std::uint64_t> first{0}, second{0};
    };
    auto& s = shared<state>();
    p.thread([&s, times] {
        for (int n = 1; n <= times; ++n) {
            sync::write_whole(s.version, [&] {
                sync::set_part(s.first, static_cast<std::uint64_t>(n));
                sync::set_part(s.second, static_cast<std::uint64_t>(n));
            });
        }
    });
    p.thread([&s] {
        std::uint64_t first = 0, second = 0;
        const auto version = sync::copy_whole(s.version, 1, [&] {
            first = sync::part(s.first);
            second = sync::part(s.second);
        });
        check(!version || (first == second && first == *version / 2), "a record is of two times");
    });
}

}  // namespace

std::vector<scene> scenes_of_channels() {
    return {
        {"mpsc2", "one sender, one receiver", [](program& p) { mpsc_of(p, 1, 2); }},
        {"mpsc3", "two senders, one receiver", [](program& p) { mpsc_of(p, 2, 1); }},
        {"mpsc3_more", "two senders of two messages each", [](program& p) { mpsc_of(p, 2, 2); }},
        {"mpsc4", "three senders, one receiver", [](program& p) { mpsc_of(p, 3, 1); }},
        {"mpsc_close", "a channel is closed while two send", mpsc_close},
        {"mpsc_reopen", "a channel is opened while one sends", mpsc_reopen},
        {"mpsc_count", "what is counted is received", mpsc_count},
        {"stack2", "one sender, one receiver of a stack", [](program& p) { stack_of(p, 1); }},
        {"stack3", "two senders, one receiver of a stack", [](program& p) { stack_of(p, 2); }},
        {"ring", "more messages than places", [](program& p) { ring_of(p, 3, 1); }},
        {"ring_of_2", "more messages than two places", [](program& p) { ring_of(p, 4, 2); }},
        {"ring_count", "a message that is counted is received", ring_count},
        {"ring_watched", "a third thread counts", ring_watched},
        {"shared_ring", "two senders of a ring with locks", shared_ring_of},
        {"injector", "jobs from outside, two receivers", injector_of},
        {"recent", "entries that are overwritten while they are read", [](program& p) { recent_of(p, 3, 1); }},
        {"recent_of_2", "entries that are overwritten a round later", [](program& p) { recent_of(p, 4, 2); }},
        {"versioned", "a record that is written while it is copied", [](program& p) { versioned_of(p, 2); }},
    };
}

}  // namespace parley::memory
