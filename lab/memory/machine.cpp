#include <lab/memory/machine.hpp>

#include <lab/memory/calls.hpp>

#include <parley/detail/stacks/switch_stack.hpp>

#include <cstdlib>
#include <cstring>
#include <new>
#include <stdexcept>
#include <sys/mman.h>
#include <utility>

namespace parley::memory {

namespace {

constexpr std::size_t stack_bytes = 256 << 10, arena_bytes = 4 << 20;
constexpr std::size_t total_bytes = most_threads * stack_bytes + (most_threads + 1) * arena_bytes;

bool explored = false;
machine* the_one = nullptr;

// A block of an arena lies behind this.
struct alignas(16) block {
    std::size_t bytes;
};

}  // namespace

machine& the_machine() noexcept { return *the_one; }
bool machine::is_there() noexcept { return the_one != nullptr; }
bool is_explored() noexcept { return explored; }
unexplored::unexplored() noexcept : was_explored_(std::exchange(explored, false)) {}
unexplored::~unexplored() { explored = was_explored_; }

machine::machine() {
    void* const all = mmap(nullptr, total_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (all == MAP_FAILED) throw std::bad_alloc();
    memory_ = static_cast<std::byte*>(all);
    std::byte* at = memory_;
    for (unsigned t = 0; t < most_threads; ++t, at += stack_bytes) threads_[t].stack = at;
    for (arena& a : arenas_) {
        a.first = at;
        at += arena_bytes;
    }
    the_one = this;
}

machine::~machine() {
    program_.reset();
    the_one = nullptr;
    munmap(memory_, total_bytes);
}

void machine::begin(const scene& s) {
    program_.reset();
    races_.clear();
    keys_.clear();
    failure_.reset();
    outcome_.clear();
    for (arena& a : arenas_) a.used = 0;
    for (thread_state& t : threads_) {
        t.made = 0;
        t.has_ended = false;
        t.happened = {};
    }
    program_.emplace();
    explored = true;
    s.make(*program_);
    explored = false;
    if (program_->threads_.empty() || program_->threads_.size() > most_threads)
        throw std::invalid_argument("scene " + std::string(s.name) + " has " + std::to_string(program_->threads_.size()) +
                                    " threads; there may be 1 to " + std::to_string(most_threads));
    count_ = static_cast<unsigned>(program_->threads_.size());
}

void machine::start(unsigned thread) {
    thread_state& t = threads_[thread];
    t.position = threading::prepare_stack(t.stack, t.stack + stack_bytes, &run_thread, this);
    switch_to(thread);
}

void machine::run_thread(void* machine_) noexcept {
    auto& m = *static_cast<machine*>(machine_);
    try {
        m.program_->threads_[m.running_]();
    } catch (...) {
        const unexplored now;
        m.fail("an exception leaves thread " + std::to_string(m.running_));
    }
    m.stop_thread();
}

void machine::stop_thread() noexcept {
    threads_[running_].has_ended = true;
    threading::switch_stack(&threads_[running_].position, searching_);
    std::abort();  // nobody goes on with it
}

void machine::switch_to(unsigned thread) {
    running_ = thread;
    explored = true;
    threading::switch_stack(&searching_, threads_[thread].position);
    explored = false;
    running_ = nobody;
}

const operation* machine::next(unsigned thread) const noexcept {
    return threads_[thread].has_ended ? nullptr : &threads_[thread].next;
}

void machine::go_on(unsigned thread, std::uint64_t has_read, const clock& happened) {
    threads_[thread].has_read = has_read;
    threads_[thread].happened = happened;
    switch_to(thread);
}

bool machine::may_access(unsigned thread) {
    const operation& o = threads_[thread].next;
    if (o.bytes == 0) return true;
    const auto race = races_.see(thread, o.address, o.bytes, access::atomic, threads_[thread].happened);
    if (race) fail(*race);
    return !race;
}

void machine::finish(const graph& g) {
    for (const auto& [address, key] : keys_) {
        for (std::uint32_t l = 0; l < g.locations.size(); ++l) {
            const std::uint32_t last = g.last_place(l);
            if (g.locations[l].key != key || last == 0 || g.locations[l].bytes == 0) continue;
            const std::uint64_t value = g.value_of(g.write_at(last, l), l);
            std::memcpy(reinterpret_cast<void*>(address), &value, g.locations[l].bytes);
        }
    }
    if (!program_->finally_) return;
    explored = true;
    program_->finally_();
    explored = false;
}

std::uint64_t machine::key_of(const operation& o) {
    static constexpr std::uint64_t kernel = std::uint64_t{1} << 63;
    const auto known = keys_.find(o.address);
    std::uint64_t key = o.address;  // of a lock, or of an atomic that nobody has constructed at run time
    if (known != keys_.end()) key = known->second;
    else if (o.bytes != 0) keys_.emplace(o.address, key);
    if (key == 0) fail("an operation on an atomic whose life has ended");
    return o.bytes != 0 || o.what == does::lock || o.what == does::store ? key : key | kernel;
}

std::uint64_t machine::initial_of(const operation& o) noexcept {
    std::uint64_t value = 0;
    std::memcpy(&value, reinterpret_cast<const void*>(o.address), o.bytes);
    return value;
}

void machine::fail(std::string what) {
    if (!failure_) failure_ = std::move(what);
}

std::uint64_t machine::perform(const operation& o) noexcept {
    if (running_ == nobody) return perform_alone(o);
    thread_state& me = threads_[running_];
    me.next = o;
    threading::switch_stack(&me.position, searching_);
    return me.has_read;
}

// No thread runs: memory has the values.
std::uint64_t machine::perform_alone(const operation& o) noexcept {
    if (o.bytes == 0) return 0;
    const std::uint64_t seen = initial_of(o);
    if (const auto value = written(o, seen)) std::memcpy(reinterpret_cast<void*>(o.address), &*value, o.bytes);
    return seen;
}

void machine::constructed(std::uintptr_t address) {
    static constexpr std::uint64_t counted = std::uint64_t{1} << 62;
    keys_[address] = counted | std::uint64_t{running_} << 32 | ++threads_[running_].made;
}

void machine::destroyed(std::uintptr_t address, std::size_t bytes) {
    keys_[address] = 0;
    accessed(address, bytes, access::writes);
}

void machine::accessed(std::uintptr_t address, std::size_t bytes, access how) {
    if (running_ == nobody || failure_) return;
    const auto race = races_.see(running_, address, bytes, how, threads_[running_].happened);
    if (!race) return;
    fail(*race);
    stop_thread();
}

void* machine::allocate(std::size_t bytes, std::size_t alignment) {
    arena& a = arenas_[running_];
    const std::size_t first = (a.used + sizeof(block) + alignment - 1) / alignment * alignment;
    if (bytes > arena_bytes || first + bytes > arena_bytes) throw std::bad_alloc();
    a.used = (first + bytes + sizeof(block) - 1) / sizeof(block) * sizeof(block);
    std::byte* const at = a.first + first;
    new (at - sizeof(block)) block{bytes};
    return at;
}

// Nothing is used again within an execution, so that a pointer to what was freed is seen.
bool machine::release(void* address) {
    auto* const at = static_cast<std::byte*>(address);
    if (at < memory_ || at >= memory_ + total_bytes) return false;
    accessed(reinterpret_cast<std::uintptr_t>(at), reinterpret_cast<const block*>(at - sizeof(block))->bytes, access::frees);
    return true;
}

}  // namespace parley::memory
