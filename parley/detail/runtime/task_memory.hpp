// Memory for tasks that do not live in a frame. All cells have one size, that of a cache line, and are reused.
//
// A worker allocates from a small stock of pointers of its own, and frees into it. A stock is an array of pointers, and
// not a list through the cells. So to take a cell that another core has used last needs no read of that cell. If one
// worker frees what another allocated, the cells go back in batches, through the depot (depot.hpp). A thread that is no
// worker of the runtime gives back cells one by one, perhaps when the workers are gone.
#pragma once

#include <parley/detail/base/cache_line.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace parley::inline v0::threading {

struct alignas(base::cache_line) cell {
    std::array<std::byte, base::cache_line> bytes;
};

class depot;

// The deleter of a depot that was made by `new`. It is called when all stocks have ended. The depot goes with the last
// cell that is given back.
struct abandons_depot {
    void operator()(depot* d) const noexcept;
};

// The stock of one worker.
class task_memory {
public:
    // So many pointers go to the depot at a time, and come from there.
    static constexpr std::uint32_t batch = 256;

    explicit task_memory(depot& shared) noexcept : shared_(shared) {}
    task_memory(const task_memory&) = delete;
    task_memory& operator=(const task_memory&) = delete;
    ~task_memory();

    // Throws std::bad_alloc.
    [[nodiscard, gnu::always_inline]] void* allocate() {
        if (top_ == stock_.data()) [[unlikely]]
            refill();
        return *--top_;
    }

    [[gnu::always_inline]] void free(void* memory) noexcept {
        if (top_ == stock_.data() + stock_.size()) [[unlikely]]
            send_home();
        *top_++ = static_cast<cell*>(memory);
    }

    [[nodiscard]] depot& home() const noexcept { return shared_; }

private:
    [[gnu::noinline, gnu::cold]] void refill();
    [[gnu::noinline, gnu::cold]] void send_home() noexcept;

    depot& shared_;
    std::array<cell*, 2 * batch> stock_;
    cell** top_ = stock_.data();
};

}  // namespace parley::inline v0::threading
