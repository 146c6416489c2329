#include <lab/memory/operation.hpp>

#include <bit>

namespace parley::memory {

namespace {

// A queue of threads is a number with a digit of four bits for each, the first one lowest: 1 + the thread's number.
constexpr unsigned digit = 4;
constexpr std::uint64_t digit_mask = 15;

std::uint64_t with(std::uint64_t queue, std::uint64_t who) noexcept {
    const auto used = static_cast<unsigned>(std::bit_width(queue) + digit - 1) / digit;
    return queue | who << (used * digit);
}

bool has(std::uint64_t queue, std::uint64_t who) noexcept {
    for (; queue != 0; queue >>= digit)
        if ((queue & digit_mask) == who) return true;
    return false;
}

std::uint64_t without(std::uint64_t queue, std::uint64_t who) noexcept {
    std::uint64_t left = 0;
    for (; queue != 0; queue >>= digit)
        if ((queue & digit_mask) != who) left = with(left, queue & digit_mask);
    return left;
}

std::uint64_t mask_of(unsigned bytes) noexcept { return bytes >= 8 ? ~0ULL : (1ULL << (8 * bytes)) - 1; }

}  // namespace

bool reads(const operation& o) noexcept { return o.what != does::store && !is_fence(o) && o.what != does::repeat; }

std::optional<std::uint64_t> written(const operation& o, std::uint64_t seen) noexcept {
    switch (o.what) {
        case does::store:
        case does::exchange: return o.operand;
        case does::add: return (seen + o.operand) & mask_of(o.bytes);
        case does::subtract: return (seen - o.operand) & mask_of(o.bytes);
        case does::set_bits: return seen | o.operand;
        case does::keep_bits: return seen & o.operand;
        case does::compare_exchange: return seen == o.expected ? std::optional(o.operand) : std::nullopt;
        case does::lock: return seen == 0 ? std::optional<std::uint64_t>(1) : std::nullopt;
        case does::queue: return with(seen, o.operand);
        case does::leave: return without(seen, o.operand);
        case does::wake: {
            const auto n = static_cast<unsigned>(o.operand) * digit;
            return n >= 64 ? 0 : seen >> n;
        }
        case does::load:
        case does::sleep:
        case does::fence:
        case does::light_fence:
        case does::repeat: break;
    }
    return std::nullopt;
}

bool waits(const operation& o, std::uint64_t seen) noexcept {
    return (o.what == does::lock && seen != 0) || (o.what == does::sleep && has(seen, o.operand));
}

std::memory_order read_order(const operation& o, std::uint64_t seen) noexcept {
    return o.what == does::compare_exchange && seen != o.expected ? o.failure : o.order;
}

const char* name_of(does what) noexcept {
    switch (what) {
        case does::load: return "load";
        case does::store: return "store";
        case does::exchange: return "exchange";
        case does::add: return "fetch_add";
        case does::subtract: return "fetch_sub";
        case does::set_bits: return "fetch_or";
        case does::keep_bits: return "fetch_and";
        case does::compare_exchange: return "compare_exchange";
        case does::fence: return "fence";
        case does::light_fence: return "light fence";
        case does::lock: return "lock";
        case does::queue: return "futex_wait";
        case does::leave: return "futex_wait leaves";
        case does::wake: return "futex_wake";
        case does::sleep: return "futex_wait sleeps";
        case does::repeat: return "await";
    }
    return "";
}

const char* name_of(std::memory_order order) noexcept {
    switch (order) {
        case std::memory_order_relaxed: return "relaxed";
        case std::memory_order_consume: return "consume";
        case std::memory_order_acquire: return "acquire";
        case std::memory_order_release: return "release";
        case std::memory_order_acq_rel: return "acq_rel";
        case std::memory_order_seq_cst: return "seq_cst";
    }
    return "";
}

}  // namespace parley::memory
