#include <lab/explore/search.hpp>

#include <algorithm>
#include <bit>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <iterator>
#include <stdexcept>
#include <string>
#include <system_error>
#include <unordered_map>
#include <utility>
#include <vector>

namespace parley::explore {

namespace {

struct untried {
    schedule how;
    std::uint64_t before = 0;  // what the steps before its last deviation were
    bool matters = true;       // as far as the execution that it deviates from says
};

// Of what a step was, without addresses.
std::uint64_t mix(std::uint64_t sum, const step& s) noexcept {
    const std::uint64_t word = s.thread | std::uint64_t{static_cast<std::uint8_t>(s.what)} << 8 |
                               std::uint64_t{s.object} << 16 | std::uint64_t{s.ready} << 48;
    return (std::rotl(sum, 5) ^ word) * 0x9E3779B97F4A7C15;
}

std::uint64_t sum_before(const report& r, std::uint32_t end) noexcept {
    std::uint64_t sum = 0;
    for (std::uint32_t i = 0; i < std::min(end, r.steps); ++i) sum = mix(sum, r.log[i]);
    return sum;
}

bool only_reads(does what) noexcept { return what == does::reads; }

// For each step: does another thread come to its object later, one of both changing it?
std::vector<bool> contested(const report& r) {
    struct later {
        unsigned any = 0, change = 0;
    };
    std::unordered_map<std::uint32_t, later> of;
    std::vector<bool> is(r.steps);
    for (std::uint32_t i = r.steps; i-- > 0;) {
        const step& s = r.log[i];
        later& l = of[s.object];
        const unsigned me = 1U << s.thread;
        is[i] = s.what == does::is_blocked || s.what == does::begins_thread ||
                ((only_reads(s.what) ? l.change : l.any) & ~me) != 0;
        l.any |= me;
        if (!only_reads(s.what)) l.change |= me;
    }
    return is;
}

schedule deviations_of(const report& r) {
    schedule all;
    for (std::uint32_t i = 0; i < r.steps; ++i)
        if (r.log[i].next != r.log[i].by_itself) all.push_back({i, r.log[i].next});
    return all;
}

bool is_bad(const report& r) noexcept { return r.how != verdict::fine; }

class searching {
public:
    searching(executions& process, const scene& what, const search_limits& limits)
        : process_(process), what_(what), limits_(limits), result_{} {
        result_.executions.resize(limits.deviations + 1);
    }

    search_result all() {
        open_.push_back({});
        while (!open_.empty() && !result_.found) {
            if (is_over()) {
                result_.is_complete = false;
                break;
            }
            const untried next = std::move(open_.back());
            open_.pop_back();
            try_one(next);
        }
        for (unsigned i = 0; i < limits_.seeds && !result_.found && !has_lasted(); ++i) try_random(limits_.first_seed + i);
        return result_;
    }

private:
    [[nodiscard]] bool has_lasted() const {
        const std::chrono::duration<double> so_far = std::chrono::steady_clock::now() - begin_;
        return limits_.seconds > 0 && so_far.count() > limits_.seconds;
    }
    [[nodiscard]] bool is_over() const { return has_lasted() || (limits_.executions > 0 && done_ >= limits_.executions); }

    void try_one(const untried& u) {
        const report& r = process_.run(what_, settings_for(what_, u.how));
        ++done_;
        ++result_.executions[u.how.size()];
        result_.steps += r.steps;
        const std::uint32_t begin = u.how.empty() ? 0 : u.how.back().step + 1;
        if (r.how == verdict::diverged || (!u.how.empty() && sum_before(r, u.how.back().step) != u.before))
            throw std::runtime_error(std::string(what_.name) + ": the schedule " + text_of(u.how) +
                                     " does not repeat its execution");
        if (is_bad(r)) return found(u.how, r);
        length_ = std::max(length_, explored_steps(r));
        if (u.matters && u.how.size() < limits_.deviations) open_all(u, r, begin);
    }

    static std::uint32_t explored_steps(const report& r) {
        return static_cast<std::uint32_t>(
            std::count_if(r.log.begin(), r.log.begin() + r.steps, [](const step& s) { return s.may_deviate; }));
    }

    // The last ones first: they are tried last.
    void open_all(const untried& u, const report& r, std::uint32_t begin) {
        const std::vector<bool> matters = contested(r);
        std::vector<untried> fresh;
        std::uint64_t sum = sum_before(r, begin);
        for (std::uint32_t i = begin; i < r.steps; ++i) {
            const step& s = r.log[i];
            if (s.may_deviate && (matters[i] || (limits_.every_step && u.how.empty()))) {
                const unsigned others = static_cast<unsigned>(s.ready | s.sleeping) & ~(1U << s.by_itself);
                for (unsigned left = others; left != 0; left &= left - 1) {
                    schedule how = u.how;
                    how.push_back({i, static_cast<std::uint8_t>(std::countr_zero(left))});
                    fresh.push_back({std::move(how), sum, matters[i]});
                }
            }
            sum = mix(sum, s);
        }
        open_.insert(open_.end(), std::make_move_iterator(fresh.rbegin()), std::make_move_iterator(fresh.rend()));
    }

    void try_random(std::uint64_t seed) {
        const report& r =
            process_.run(what_, settings_for(what_, {}, {.seed = seed, .changes = what_.changes, .length = length_}));
        ++result_.random;
        result_.steps += r.steps;
        if (is_bad(r)) found(deviations_of(r), r);
    }

    void found(const schedule& how, const report& r) { result_.found = finding{how, r.text.data()}; }

    executions& process_;
    const scene& what_;
    const search_limits limits_;
    search_result result_;
    std::vector<untried> open_;
    std::uint64_t done_ = 0;
    std::uint32_t length_ = 0;
    const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace

search_result search(executions& process, const scene& what, const search_limits& limits) {
    return searching(process, what, limits).all();
}

std::string text_of(const schedule& s) {
    std::string text;
    for (const deviation& d : s) text += (text.empty() ? "" : ",") + std::to_string(d.step) + ":" + std::to_string(d.thread);
    return text.empty() ? "none" : text;
}

schedule schedule_of(const std::string& text) {
    schedule all;
    if (text == "none") return all;
    const char* at = text.data();
    const char* const end = at + text.size();
    for (;;) {
        deviation d{};
        const auto step = std::from_chars(at, end, d.step);
        if (step.ec != std::errc{} || step.ptr == end || *step.ptr != ':') break;
        const auto thread = std::from_chars(step.ptr + 1, end, d.thread);
        if (thread.ec != std::errc{} || d.thread >= most_threads || (!all.empty() && all.back().step >= d.step)) break;
        all.push_back(d);
        if (thread.ptr == end) return all;
        if (*thread.ptr != ',') break;
        at = thread.ptr + 1;
    }
    throw std::invalid_argument("'" + text +
                                "' is no schedule: STEP:THREAD, the steps in their order, with commas between them");
}

}  // namespace parley::explore
