#include <parley/cluster/phase.hpp>

#include <utility>

namespace parley::inline v0::cluster {

void task_context::poll() {
    parley::poll();
    // Somebody else has the lock: then somebody looks.
    if (const std::unique_lock guard(group_->lock_, std::try_to_lock); guard) group_->look_if_due();
}

void task_context::work(double seconds) {
    medium& m = *group_->medium_;
    const double end = m.now() + seconds;
    for (double left = seconds; left > 0; left = end - m.now()) {
        m.compute(std::min(left, group_->how_.look_seconds));
        poll();
    }
}

void phase::require_same_types(const char* names, std::initializer_list<std::uint64_t> sizes) {
    const std::scoped_lock guard(home_.lock_);
    require_same(*home_.medium_, "the types of their tasks", names, sizes);
}

void phase::enter() {
    const std::scoped_lock guard(home_.lock_);
    began_ = home_.medium_->now();
    home_.open(*this);
}

void phase::leave() noexcept {
    try {
        drive([this] { return node_->is_closed(); });
    } catch (...) {  // NOLINT(bugprone-empty-catch): the rank is unwinding, or all of them are
    }
    const std::scoped_lock guard(home_.lock_);
    home_.close(*this);
}

void phase::begin(std::uint32_t context, std::uint32_t epoch) {
    auto next = std::make_unique<node>(*home_.graph_, home_.how_, ends_, context, epoch, home_, *this);
    if (node_) next->goes_on_from(*node_);
    node_ = std::move(next);
    if (epoch != 0) restart(home_.graph_->self());
}

void phase::begin_sum() {
    statistics& mine = node_->count();
    if (mine.seconds == 0.0) mine.seconds = home_.medium_->now() - began_;
    sum_begins();
}

void phase::task_ends(std::uint64_t tasks, double seconds) noexcept {
    --running_;
    node_->count().tasks += tasks;
    node_->count().busy_seconds += seconds;
}

void phase::drive(const std::function<bool()>& over) {
    if (!home_.crew_) {
        drive_here(over);
        return;
    }
    home_.crew_->run([&] {
        scope hired;
        {
            const std::scoped_lock guard(home_.lock_);
            workers_ = &hired;
        }
        {
            // Nobody is hired any more, however this ends, and who was goes after its task.
            const struct dismissal {
                phase& p;
                ~dismissal() {
                    const std::scoped_lock guard(p.home_.lock_);
                    p.workers_ = nullptr;
                }
            } at_end{*this};
            drive_here(over);
        }
        hired.wait();
    });
}

void phase::drive_to_end() {
    drive([this] { return node_->is_closed(); });
    throw_if_failed();
}

void phase::throw_if_failed() {
    total_ = node_->total();
    if (total_.failed != 0) throw task_failed(total_.failed, total_.first_failure);
}

void phase::drive_here(const std::function<bool()>& over) {
    task_context here(home_, *this);
    for (unsigned idle = 0;;) {
        std::size_t more = 0;
        {
            const std::scoped_lock guard(home_.lock_);
            if (idle != 0) home_.look();
            else home_.look_if_due();
            home_.throw_if_broken();
            if (over()) return;
            more = wanted();
        }
        // Without the lock: a task may run in its spawn().
        for (; more > 0; --more) workers_->spawn([this] { run_tasks(); });
        // Nobody pauses before it has looked at the messages, with nothing to do.
        if (run_one(here)) idle = 0;
        else if (idle++ > 0) home_.medium_->pause(idle - 2);
    }
}

void phase::run_tasks() {
    task_context here(home_, *this);
    for (bool goes_on = true; goes_on && run_one(here);) {
        const std::scoped_lock guard(home_.lock_);
        home_.look_if_due();
        goes_on = workers_ != nullptr;
    }
    // What comes between the last look at the tasks and this line is seen at the next look at the messages.
    const std::scoped_lock guard(home_.lock_);
    --hired_;
}

std::size_t phase::wanted() {
    if (workers_ == nullptr) return 0;
    const std::size_t most = home_.workers() - 1;
    const std::size_t more = std::min(waiting(), most - std::min(most, hired_));
    hired_ += more;
    return more;
}

void phase::hire() {
    for (std::size_t more = wanted(); more > 0; --more) workers_->spawn([this] { run_tasks(); });
}

}  // namespace parley::inline v0::cluster
