#include <broker/policy/section_network.hpp>
#include <lab/sim/virtual_programs.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace parley::inline v0::sim {
namespace {

using broker::core_id;
using broker::program_id;

constexpr double forever = std::numeric_limits<double>::infinity();

struct running {
    program_id id = 0;  // its index + 1
    const virtual_program* what = nullptr;
    std::size_t phase = 0;
    double left = 0.0;                    // work of the phase
    double debt = 0.0;                    // work that moves cost
    double rate = 0.0;                    // cores' worth of work per second, as things are
    std::map<core_id, double> part = {};  // of each core it holds: what it uses of it per second
    std::map<core_id, double> used = {};  // since the last quantum
    std::map<core_id, double> held = {};
    double holds = 0.0;  // cores' worth
    [[nodiscard]] std::uint32_t width() const { return what->phases[phase].width; }
};

class machine {
public:
    machine(const std::vector<virtual_program>& programs, const virtual_machine& m, const sharing_way& how)
        : programs_(programs),
          m_(m),
          how_(how),
          table_(std::make_shared<const broker::ownership>(broker::equal_sections(m.cores, m.sections))) {
        report_.ends.assign(programs.size(), 0.0);
        for (std::size_t i = 0; i < programs.size(); ++i) arrivals_.push_back(i);
        std::stable_sort(arrivals_.begin(), arrivals_.end(),
                         [&](std::size_t a, std::size_t b) { return programs[a].arrives < programs[b].arrives; });
        if (how.rule != sharing_rule::brokered) return;
        net_.emplace(table_, how.policy, [this](broker::section_id, const broker::outcome& out) { look_at(out); });
        next_quantum_ = how.quantum;
    }

    sharing_report run() {
        while (arrived_ < arrivals_.size() || !alive_.empty()) {
            set_rates();
            const double next = std::min({next_arrival(), next_end_of_phase(), next_quantum()});
            if (next > 1e5) {
                report_.ended = false;
                break;
            }
            go_to(std::max(now_, next));
            end_phases();
            while (next_arrival() <= now_) arrive();
            if (next_quantum_ <= now_) end_quantum();
        }
        report_.makespan = now_;
        if (net_) report_.messages = net_->messages();
        finish_report();
        return std::move(report_);
    }

private:
    [[nodiscard]] double next_arrival() const {
        return arrived_ < arrivals_.size() ? programs_[arrivals_[arrived_]].arrives : forever;
    }
    [[nodiscard]] double next_quantum() const { return alive_.empty() ? forever : next_quantum_; }
    [[nodiscard]] double next_end_of_phase() const {
        double next = forever;
        for (const running& p : alive_)
            if (p.rate > 0) next = std::min(next, now_ + (p.left + p.debt) / p.rate);
        return next;
    }

    // ---- What each program gets out of the cores as things are.

    void set_rates() {
        switch (how_.rule) {
            case sharing_rule::spinning: set_spinning(); break;
            case sharing_rule::parking: set_parking(); break;
            case sharing_rule::equal: set_equal(); break;
            case sharing_rule::brokered: set_brokered(); break;
        }
    }
    [[nodiscard]] double kept() const { return 1.0 - m_.sharing_loss; }
    void set_spinning() {
        const double n = static_cast<double>(alive_.size());
        for (running& p : alive_) {
            p.holds = m_.cores / n;
            p.rate = std::min(p.width(), m_.cores) / n * (n > 1 ? kept() : 1.0);
        }
    }
    void set_parking() {
        double threads = 0.0;
        for (const running& p : alive_) threads += std::min(p.width(), m_.cores);
        const double each = std::min(1.0, m_.cores / threads);
        for (running& p : alive_) {
            p.holds = std::min(p.width(), m_.cores) * each;
            p.rate = p.holds * (each < 1.0 ? kept() : 1.0);
        }
    }
    void set_equal() {
        const std::size_t n = alive_.size();
        for (std::size_t i = 0; i < n; ++i) {
            const bool is_enough = n <= m_.cores;
            const double share = is_enough ? static_cast<double>(m_.cores / n + (i < m_.cores % n ? 1 : 0))
                                           : static_cast<double>(m_.cores) / static_cast<double>(n);
            alive_[i].holds = share;
            alive_[i].rate = std::min<double>(alive_[i].width(), share) * (is_enough ? 1.0 : kept());
        }
    }
    // Each program works on its best cores; on a core, those that do so take turns.
    void set_brokered() {
        std::map<core_id, std::uint32_t> active;
        for (running& p : alive_) {
            const std::vector<core_id> best = best_cores(p);
            p.part.clear();
            for (const core_id c : best) {
                p.part[c] = 1.0;
                ++active[c];
            }
        }
        for (running& p : alive_) {
            p.rate = 0.0;
            for (auto& [c, part] : p.part) {
                part = 1.0 / active[c];
                p.rate += part * (active[c] > 1 ? kept() : 1.0);
            }
            p.holds = 0.0;
            for (const core_id c : holdings_[p.id]) p.holds += 1.0 / static_cast<double>(holders_[c]);
        }
    }
    [[nodiscard]] std::vector<core_id> best_cores(const running& p) {
        const std::set<core_id>& own = holdings_[p.id];
        std::vector<core_id> cores(own.begin(), own.end());
        std::stable_sort(cores.begin(), cores.end(), [&](core_id a, core_id b) { return holders_[a] < holders_[b]; });
        cores.resize(std::min<std::size_t>(cores.size(), p.width()));
        return cores;
    }

    // ---- Time goes on.

    void go_to(double next) {
        const double dt = next - now_;
        now_ = next;
        for (running& p : alive_) {
            const double paid = std::min(p.debt, p.rate * dt);
            p.debt -= paid;
            p.left -= p.rate * dt - paid;
            report_.wasted += std::max(0.0, p.holds - p.rate) * dt;
            for (const auto& [c, part] : p.part) p.used[c] += part * dt;
            if (net_)
                for (const core_id c : holdings_[p.id]) p.held[c] += dt / static_cast<double>(holders_[c]);
        }
    }

    void end_phases() {
        for (std::size_t i = 0; i < alive_.size();) {
            running& p = alive_[i];
            if (p.left + p.debt > 1e-9) {
                ++i;
                continue;
            }
            if (++p.phase < p.what->phases.size()) {
                p.left = p.what->phases[p.phase].work;
                continue;  // it may be empty
            }
            const program_id id = p.id;
            report_.ends[id - 1] = now_;
            alive_.erase(alive_.begin() + static_cast<std::ptrdiff_t>(i));
            if (net_) {
                net_->put(0, broker::leaving{id});
                allot_at_once();
            }
        }
    }

    void arrive() {
        const std::size_t i = arrivals_[arrived_++];
        alive_.push_back({.id = i + 1, .what = &programs_[i], .left = programs_[i].phases.front().work});
        if (!net_) return;
        if (alive_.size() == 1) next_quantum_ = std::max(next_quantum_, now_ + how_.quantum);
        net_->put(emptiest_section(), broker::joining{.program = i + 1, .weight = programs_[i].weight});
        allot_at_once();
    }

    [[nodiscard]] broker::section_id emptiest_section() const {
        std::vector<std::size_t> load(m_.sections, 0);
        for (const auto& [c, n] : holders_) load[table_->owner(c)] += n;
        return static_cast<broker::section_id>(std::min_element(load.begin(), load.end()) - load.begin());
    }

    // ---- The broker.

    void look_at(const broker::outcome& out) {
        for (const broker::decision& d : out.decisions) {
            if (d.what == broker::deed::gets && holdings_[d.program].insert(d.core).second) {
                ++holders_[d.core];
                ++report_.moves;
                for (running& p : alive_)
                    if (p.id == d.program) p.debt += m_.move_cost;
            }
            if (d.what == broker::deed::loses && holdings_[d.program].erase(d.core) > 0) --holders_[d.core];
        }
    }

    void allot_at_once() {
        net_->deliver_all();
        for (broker::section_id s = 0; s < net_->size(); ++s) net_->put(s, broker::quantum{});
        net_->deliver_all();
    }

    void end_quantum() {
        const auto in_ns = [](double seconds) { return static_cast<broker::nanoseconds>(std::llround(seconds * 1e9)); };
        for (broker::section_id s = 0; s < net_->size(); ++s) {
            broker::quantum q{.length = in_ns(how_.quantum), .samples = {}};
            for (running& p : alive_) {
                if (!(*net_)[s].leads(p.id)) continue;
                broker::program_use use;
                for (const auto& [c, stamp] : (*net_)[s].allotment(p.id)) {
                    const double used = p.used[c];
                    use.cores.push_back({.core = c, .held = in_ns(std::max(p.held[c], used)), .useful = in_ns(used)});
                }
                q.samples.push_back({p.id, std::move(use)});
                p.used.clear();
                p.held.clear();
            }
            net_->put(s, q);
        }
        net_->deliver_all();
        next_quantum_ += how_.quantum * std::max(1.0, std::ceil((now_ - next_quantum_) / how_.quantum + 1e-9));
    }

    void finish_report() {
        for (std::size_t i = 0; i < programs_.size(); ++i) {
            const double flow = report_.ends[i] - programs_[i].arrives;
            report_.mean_flow += flow / static_cast<double>(programs_.size());
            report_.worst_slowdown = std::max(report_.worst_slowdown, flow / time_alone(programs_[i], m_.cores));
        }
    }

    const std::vector<virtual_program>& programs_;
    const virtual_machine& m_;
    const sharing_way& how_;
    std::shared_ptr<const broker::ownership> table_;
    sharing_report report_;
    std::vector<std::size_t> arrivals_;
    std::size_t arrived_ = 0;
    std::vector<running> alive_;
    double now_ = 0.0, next_quantum_ = forever;
    std::map<program_id, std::set<core_id>> holdings_;
    std::map<core_id, std::uint32_t> holders_;
    std::optional<broker::section_network> net_;
};

}  // namespace

double time_alone(const virtual_program& p, std::uint32_t cores) {
    double sum = 0.0;
    for (const program_phase& phase : p.phases) sum += phase.work / std::min(phase.width, cores);
    return sum;
}

sharing_report run_sharing(const std::vector<virtual_program>& programs, const virtual_machine& m, const sharing_way& how) {
    return machine(programs, m, how).run();
}

}  // namespace parley::inline v0::sim
