#include <parley/cluster/errors.hpp>
#include <parley/cluster/task_set.hpp>
#include <parley/detail/base/hash.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string_view>
#include <utility>

namespace parley::inline v0::cluster {

void task_context::poll() {
    parley::poll();
    // Somebody else has the lock: then somebody looks.
    if (const std::unique_lock guard(group_->lock_, std::try_to_lock); guard) group_->look_if_due();
}

void task_context::work(double seconds) {
    medium& m = *group_->medium_;
    // What a look costs is not a part of the work.
    for (double left = seconds; left > 0; left -= group_->how_.look_seconds) {
        m.compute(std::min(left, group_->how_.look_seconds));
        poll();
    }
}

task_set::task_set(group& g, termination ends, std::string_view types) noexcept
    : home_(g), ends_(ends), types_(static_cast<std::uint32_t>(base::hash_of(types))) {}

statistics task_set::own() const {
    const std::scoped_lock guard(lock());
    return node_->count();
}

void task_set::enter() {
    const std::scoped_lock guard(lock());
    began_ = now();
    home_.open(*this);
}

void task_set::leave() noexcept {
    try {
        drive([this] { return node_->is_closed(); });
    } catch (...) {
        // The others wait for this rank's part.
        const std::scoped_lock guard(lock());
        if (!node_->is_closed()) home_.break_off("parley: a rank cannot go on with its tasks");
    }
    for (unsigned round = 0;; ++round) {
        {
            const std::scoped_lock guard(lock());
            if (users_ == 0) {
                home_.close(*this);
                return;
            }
        }
        home_.medium_->pause(round);
    }
}

void task_set::begin(const node::name& n) {
    const std::unique_ptr<node> earlier =
        std::exchange(node_, std::make_unique<node>(*home_.graphs_.back(), home_.how_, ends_, n, home_, *this));
    if (!earlier) return;
    node_->inherit(*earlier);
    restart();
}

void task_set::begin_sum() {
    statistics& mine = node_->count();
    if (mine.seconds == 0.0) mine.seconds = now() - began_;
    sum_begins();
}

void task_set::task_begins() noexcept {
    ++running_;
    ++home_.running_;
}

void task_set::task_ends(std::uint64_t tasks, double begin, double seconds, std::uint64_t counted) {
    --running_;
    --home_.running_;
    node_->count().tasks += tasks - counted;
    node_->count().busy_seconds += seconds;
    if (timeline_.size() < home_.how_.timeline) timeline_.push_back({begin - began_, seconds, tasks});
}

bool task_set::has_ended() {
    if (!node_->is_closed()) return false;
    total_ = node_->total();
    return true;
}

void task_set::throw_if_failed() const {
    if (total_.failed != 0) throw task_failed(total_.failed, total_.first_failure);
}

void task_set::drive_to_end() {
    drive([this] { return has_ended(); });
    throw_if_failed();
}

void task_set::drive(const std::function<bool()>& over) {
    const struct driving {
        group& home;
        explicit driving(group& g) : home(g) {
            const std::scoped_lock guard(home.lock_);
            ++home.drivers_;
        }
        ~driving() {
            const std::scoped_lock guard(home.lock_);
            --home.drivers_;
        }
    } here(home_);
    // The first of several threads that drive has the workers; the others do not even wait for a seat among them.
    struct hirer {
        group& home;
        bool is_it = false;
        explicit hirer(group& g) : home(g) {
            const std::scoped_lock guard(home.lock_);
            is_it = home.crew_ && !std::exchange(home.has_hirer_, true);
        }
        ~hirer() {
            const std::scoped_lock guard(home.lock_);
            if (is_it) home.has_hirer_ = false;
        }
    };
    const hirer mine(home_);
    if (!mine.is_it) {
        drive_here(over, nullptr);
        return;
    }
    home_.crew_->run([&] {
        scope hired;
        // Nobody is hired once this is over, so that the scope can be waited for.
        struct hiring {
            group& home;
            hiring(group& g, scope& s) : home(g) {
                const std::scoped_lock guard(home.lock_);
                home.hired_in_ = &s;
                home.hired_ = 0;
            }
            ~hiring() {
                const std::scoped_lock guard(home.lock_);
                home.hired_in_ = nullptr;
            }
        };
        {
            const hiring while_it_lasts(home_, hired);
            drive_here(over, &hired);
        }
        hired.wait();
    });
}

void task_set::drive_here(const std::function<bool()>& over, scope* hired) {
    for (unsigned idle = 0;;) {
        std::size_t more = 0;
        {
            const std::scoped_lock guard(lock());
            if (idle != 0) home_.look();
            else home_.look_if_due();
            home_.throw_if_broken();
            if (over()) return;
            if (hired != nullptr) more = home_.wanted();
        }
        // Without the lock: a task may run in its spawn().
        for (; more > 0; --more) hired->spawn([this, hired] { home_.run_tasks(hired); });
        // Nobody pauses before it has looked at the messages, with nothing to do.
        if (home_.run_any(this)) idle = 0;
        else if (idle++ > 0) home_.medium_->pause(idle - 2);
    }
}

}  // namespace parley::inline v0::cluster
