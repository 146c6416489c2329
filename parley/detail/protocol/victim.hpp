// The choice of victims: in which order a request visits the other workers, each once.
//
// A choice is a class with these members. The thief calls begin(). Every holder of the request calls next() and
// looks_on(), of its own object. The last two are called only if remembers().
//   begin(request, workers, rng)     makes the letter of a request that sets out
//   next(letter&, workers)           the next victim, or nothing when all were tried. O(1)
//   looks_on(letter&, self, spare)   for a letter with samples: must it go on without an answer from here?
//   remembers()                      are the following members to be called?
//   stole_from(worker)               an answer of that worker has arrived
//   gave_to(worker)                  an answer to that worker was sent
#pragma once

#include <parley/detail/base/rng.hpp>
#include <parley/detail/protocol/request.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>

namespace parley::inline v0::protocol {

struct choice_without_memory {
    static constexpr bool remembers() noexcept { return false; }
    static void stole_from(worker_id) noexcept {}
    static void gave_to(worker_id) noexcept {}
    static bool looks_on(letter&, worker_id, std::size_t) noexcept { return false; }
};

// A random order of victims that fits into a letter, for any number of workers n. An affine sequence modulo n - 1
// visits every victim exactly once if its stride is coprime to n - 1. The papers' requests carry the set of workers
// that were asked (TH §3.4.1), which grows with n.
class random_victims : public choice_without_memory {
public:
    static letter begin(request_id request, std::uint32_t workers, base::rng& random) noexcept {
        letter t{.request = request};
        const std::uint32_t victims = workers - 1;
        if (victims > 1) {
            t.start = static_cast<std::uint16_t>(random.below(victims));
            std::uint32_t stride = 1 + random.below(victims - 1);
            while (std::gcd(stride, victims) != 1) stride = stride % (victims - 1) + 1;
            t.stride = static_cast<std::uint16_t>(stride);
        }
        return t;
    }

    static std::optional<worker_id> next(letter& t, std::uint32_t workers) noexcept {
        const std::uint32_t victims = workers - 1;
        if (t.hop >= victims) return std::nullopt;
        const std::uint32_t i = (t.start + std::uint32_t{t.hop} * t.stride) % victims;
        ++t.hop;
        return (thief_of(t.request) + 1 + i) % workers;
    }

    friend bool operator==(const random_victims&, const random_victims&) noexcept { return true; }
};

// Asks one preferred victim first, then the others in the order of `Others`.
template <class Others>
class preferred_first : public choice_without_memory {
public:
    static constexpr bool remembers() noexcept { return true; }

    letter begin(request_id request, std::uint32_t workers, base::rng& random) const noexcept {
        letter t = Others::begin(request, workers, random);
        t.preferred = static_cast<std::uint16_t>(preferred_);
        t.preferred_waits = preferred_ != no_worker;
        return t;
    }

    static std::optional<worker_id> next(letter& t, std::uint32_t workers) noexcept {
        if (t.preferred_waits) {
            t.preferred_waits = false;
            return t.preferred;
        }
        auto victim = Others::next(t, workers);
        if (victim && *victim == t.preferred) victim = Others::next(t, workers);
        return victim;
    }

    friend bool operator==(const preferred_first& a, const preferred_first& b) noexcept {
        return a.preferred_ == b.preferred_;
    }

protected:
    worker_id preferred_ = no_worker;
};

// The worker that gave something the last time may have more (TH §3.4.2).
template <class Others>
struct last_victim_first : preferred_first<Others> {
    void stole_from(worker_id victim) noexcept { this->preferred_ = victim; }
    void gave_to(worker_id) noexcept {}
};

// The worker that got something the last time may have made more of it.
template <class Others>
struct last_thief_first : preferred_first<Others> {
    void stole_from(worker_id) noexcept {}
    void gave_to(worker_id thief) noexcept { this->preferred_ = thief; }
};

// Looks at some victims and asks the one that has the most tasks (TH §7.2), then those that it has not looked at.
template <class Others>
class richest_of : public choice_without_memory {
public:
    richest_of() = default;
    explicit richest_of(std::uint8_t looked_at) noexcept : looked_at_(looked_at) {}

    letter begin(request_id request, std::uint32_t workers, base::rng& random) const noexcept {
        letter t = Others::begin(request, workers, random);
        if (workers > 2) t.samples = looked_at_;  // a single victim leaves no choice
        return t;
    }

    static std::optional<worker_id> next(letter& t, std::uint32_t workers) noexcept {
        if (t.samples == 0 && t.preferred_waits) return ask_richest(t);
        const auto victim = Others::next(t, workers);
        if (!victim && t.preferred_waits) return ask_richest(t);
        return victim;
    }

    static bool looks_on(letter& t, worker_id self, std::size_t spare) noexcept {
        if (t.samples == 0) return false;
        --t.samples;
        if (spare > t.most_spare) {
            t.most_spare = static_cast<std::uint8_t>(std::min<std::size_t>(spare, 255));
            t.preferred = static_cast<std::uint16_t>(self);
            t.preferred_waits = true;
        }
        if (t.samples > 0) return true;
        if (t.preferred == self) t.preferred_waits = false;  // this worker is the richest, and is asked at once
        return t.preferred_waits;
    }

    friend bool operator==(const richest_of& a, const richest_of& b) noexcept { return a.looked_at_ == b.looked_at_; }

private:
    static worker_id ask_richest(letter& t) noexcept {
        t.samples = 0;
        t.preferred_waits = false;
        return t.preferred;
    }

    std::uint8_t looked_at_ = 2;
};

// Asks near victims before far ones. Among victims that are equally near, the order begins at a random one. `Map` says
// who is the i-th nearest victim of a thief, and which places are as near as the i-th (policy/nearest.hpp).
template <class Map, class Others>
class nearest_first : public choice_without_memory {
public:
    nearest_first() = default;
    explicit nearest_first(Map map) : map_(map) {}

    static letter begin(request_id request, std::uint32_t workers, base::rng& random) noexcept {
        return Others::begin(request, workers, random);
    }

    std::optional<worker_id> next(letter& t, std::uint32_t workers) const noexcept {
        if (t.hop >= workers - 1) return std::nullopt;
        const auto [first, last] = map_.equally_near(thief_of(t.request), t.hop, workers);
        const std::uint32_t i = first + (t.hop - first + t.start) % (last - first);
        ++t.hop;
        return map_.victim(thief_of(t.request), i, workers);
    }

    friend bool operator==(const nearest_first& a, const nearest_first& b) noexcept { return a.map_ == b.map_; }

private:
    [[no_unique_address]] Map map_;
};

}  // namespace parley::inline v0::protocol
