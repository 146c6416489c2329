// Scenes with an error each, and a few that seem to have one: the tests of the explorer.
#include <lab/memory/calls.hpp>
#include <lab/memory/scene.hpp>

#include <parley/detail/sync/attention.hpp>
#include <parley/detail/sync/flag.hpp>
#include <parley/detail/sync/ring.hpp>

#include <array>
#include <atomic>
#include <cstring>
#include <mutex>
#include <stdexcept>

namespace parley::memory {

namespace {

constexpr auto relaxed = std::memory_order_relaxed;

struct message {
    sync::atomic<int> there{0};
    int data = 0;
    std::array<char, 32> bytes{};
    std::array<std::mutex, 2> locks;
};

using part = void (*)(message&);

scene of(const char* name, part first, part second) {
    return {name, "", [first, second](program& p) {
                auto& m = shared<message>();
                p.thread([&m, first] { first(m); });
                p.thread([&m, second] { second(m); });
            }};
}

void nothing(message&) {}
void write(message& m) { m.data = 1; }
void read(message& m) { m.there.store(m.data, relaxed); }
void write_bytes(message& m) { std::memset(m.bytes.data(), 1, m.bytes.size()); }
void copy_bytes(message& m) {
    std::array<char, 32> mine{};
    std::memcpy(mine.data(), m.bytes.data(), static_cast<std::size_t>(m.data + 9));
}
void wait_for_message(message& m) {
    await([&m] { return m.there.load() == 1; });
}
void spin(message& m) {
    while (m.there.load() == 0) {}
}
void send(message& m) {
    m.data = 1;
    m.there.store(1, relaxed);
}
void receive(message& m) {
    if (m.there.load(relaxed) == 1) check(m.data == 1, "it is not there");
}
void send_fenced(message& m) {
    m.data = 1;
    fence(std::memory_order_release);
    m.there.store(1, relaxed);
}
void receive_fenced(message& m) {
    if (m.there.load(relaxed) == 0) return;
    fence(std::memory_order_acquire);
    check(m.data == 1, "it is not there");
}
void add_locked(message& m) {
    const std::scoped_lock guard(m.locks[0]);
    ++m.data;
}
template <std::size_t First>
void lock_both(message& m) {
    const std::scoped_lock outer(m.locks[First]);
    const std::scoped_lock inner(m.locks[1 - First]);
}

void freed(program& p) {
    auto* const number = new int(0);
    p.thread([number] { *number = 1; });
    p.thread([number] { delete number; });
}
void used_after_its_life(program& p) {
    auto* const m = new message;
    p.thread([m] {
        delete m;
        (void)m->there.load();
    });
}

void never_woken(program& p) {
    auto& word = shared<sync::attention>();
    p.thread([&word] { word.raise(1); });  // and no wake()
    p.thread([&word] {
        sync::parker parker(word, 1);
        if (parker.prepare()) parker.commit();
    });
}

void locked(program& p) {
    auto& m = shared<message>();
    for (int who = 0; who < 3; ++who) p.thread([&m] { add_locked(m); });
    p.finally([&m] { check(m.data == 3, "three were added"); });
}
void wrong_sum(program& p) {
    auto& m = shared<message>();
    for (int who = 0; who < 2; ++who) p.thread([&m] { m.there.store(m.there.load() + 1); });
    p.finally([&m] { check(m.there.load() == 2, "two were added"); });
}
void thrown(program& p) {
    p.thread([] { throw std::runtime_error("thrown"); });
}
void five_threads(program& p) {
    for (int who = 0; who < 5; ++who) p.thread([] {});
}

}  // namespace

const std::vector<scene>& broken_scenes() {
    static const std::vector<scene> all{
        of("relaxed_message", send, receive),
        of("fenced_message", send_fenced, receive_fenced),
        of("unfenced_message", send_fenced, receive),
        of("two_writers", write, write),
        of("two_readers", read, read),
        of("copied_bytes", write_bytes, copy_bytes),
        of("two_locks", lock_both<0>, lock_both<1>),
        of("never_up", nothing, wait_for_message),
        of("spins", nothing, spin),
        {"locked", "", locked},
        {"freed", "", freed},
        {"destroyed", "", used_after_its_life},
        {"never_woken", "", never_woken},
        {"thrown", "", thrown},
        {"wrong_sum", "", wrong_sum},
        {"five_threads", "", five_threads},
    };
    return all;
}

}  // namespace parley::memory
