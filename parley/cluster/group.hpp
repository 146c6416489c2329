// One rank's part in a group of ranks that share work: the overlay, the messages, and whoever looks at them.
#pragma once

#include <parley/cluster/medium.hpp>
#include <parley/cluster/node.hpp>
#include <parley/cluster/options.hpp>
#include <parley/cluster/overlay.hpp>
#include <parley/runtime.hpp>

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace parley::inline v0::cluster {

class phase;

// Collective: every rank makes it, with the same options, and ends it. Sets of tasks (`phase`) are made in the same
// order on every rank; several may be open at once.
//
// Whichever thread looks at the messages holds the lock: a worker between two tasks, or, when none has for
// options::look_seconds, a thread that does nothing else.
class group final : public outbox {
public:
    // Throws usage_error, and disagreement where the ranks' options differ.
    explicit group(std::unique_ptr<medium>, const options& = {});
    ~group();
    group(const group&) = delete;
    group& operator=(const group&) = delete;

    [[nodiscard]] position rank() const { return medium_->self(); }
    [[nodiscard]] position ranks() const { return medium_->ranks(); }
    [[nodiscard]] const options& how() const noexcept { return how_; }
    [[nodiscard]] const overlay& graph() const noexcept { return *graph_; }
    [[nodiscard]] unsigned workers() const noexcept { return workers_; }

    // Collective: whether all ranks say the same.
    [[nodiscard]] bool all_say(std::uint64_t word) {
        const std::scoped_lock guard(lock_);
        return medium_->all_say(word);
    }

private:
    friend class phase;
    friend class task_context;

    // All with the lock held.
    std::uint32_t open(phase&);
    void close(phase&);
    void look();
    void look_if_due();
    void dispatch(const header&, bytes payload);
    void follow_losses();
    void throw_if_broken() const;

    void attend();  // the helping thread
    void stop_helper() noexcept;
    void send(position to, const header& h, bytes payload) override { medium_->send(to, h, std::move(payload)); }

    options how_;
    std::unique_ptr<medium> medium_;
    unsigned workers_ = 1;
    std::unique_ptr<runtime> crew_;  // where there is more than one worker
    std::unique_ptr<overlay> graph_;
    std::uint32_t epoch_ = 0;

    std::mutex lock_;
    std::map<std::uint32_t, phase*> open_;
    std::uint32_t next_context_ = 0;
    // For sets of tasks that this rank has not made yet, or epochs that it has not noticed.
    std::vector<std::pair<header, bytes>> early_;
    double last_look_ = 0.0;
    std::exception_ptr broken_;

    std::condition_variable wakes_helper_;
    bool helper_ends_ = false;
    std::thread helper_;
};

// Collective: whether every rank says the same words and numbers. Throws disagreement with `what`.
void require_same(medium&, std::string_view what, std::string_view words, std::initializer_list<std::uint64_t> numbers);

}  // namespace parley::inline v0::cluster
