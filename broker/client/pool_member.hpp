// A pool that has joined a broker: writes what its workers do on the feedback page, and makes the pool what it has been
// allotted.
#pragma once

#include <broker/client/client.hpp>
#include <broker/client/own_threads.hpp>
#include <parley/detail/base/cache_line.hpp>
#include <parley/detail/runtime/feedback_sink.hpp>
#include <parley/detail/sync/counter.hpp>

#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace parley::inline v0::broker {

class pool_member final : public threading::feedback_sink {
public:
    pool_member(threading::pool& home, const std::string& socket);

    void let_go() noexcept override;
    void does(protocol::worker_id, threading::doing) noexcept override;

private:
    // A worker's own: what stands in its line, as far as it has written that.
    struct alignas(base::cache_line) account {
        feedback_page* page = nullptr;
        nanoseconds since = 0, useful = 0, steal = 0, mug = 0;
        worker_state state = worker_state::none;
    };

    void begin_page(feedback_page*);
    void follow(const allotment&);  // as it is at this moment
    void show_threads(feedback_page&, const std::vector<core_id>& cores) const;
    void lose();
    [[nodiscard]] pid_t thread_of(protocol::worker_id) const;

    threading::pool& home_;
    sync::published<feedback_page*> page_{nullptr};
    std::vector<account> accounts_;
    std::vector<core_id> cores_;  // of the last allotment
    own_threads threads_;
    std::mutex mutex_;
    bool has_let_go_ = false;       // under mutex_
    std::optional<client> client_;  // last: its thread calls what stands above
};

}  // namespace parley::inline v0::broker
