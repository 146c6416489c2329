#include <parley/detail/runtime/resizing.hpp>

#include <parley/detail/protocol/bits.hpp>
#include <parley/detail/runtime/feedback_sink.hpp>
#include <parley/detail/runtime/pool.hpp>
#include <parley/errors.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <mutex>
#include <string>

namespace parley::inline v0::threading {

resizing::resizing(pool& home, std::uint32_t workers) : home_(home), active_(workers) {}
resizing::~resizing() = default;

// The number is set before the news is raised (I8). A worker that falls asleep looks at the number after it has marked
// itself asleep. So it sees the new number, or the news wakes it.
void resizing::resize(std::uint32_t workers) {
    home_.require_this_process();
    if (workers < 1 || workers > home_.size())
        throw usage_error("parley: resize(" + std::to_string(workers) + "): 1 to " + std::to_string(home_.size()) +
                          " workers are allowed");
    if (pool::circulates())
        throw usage_error("parley: resize() is not for the papers' protocol: a worker whose request circulates cannot go");
    const std::scoped_lock guard(mutex_);
    const std::uint32_t before = active_.own();
    active_.set(workers);
    for (protocol::worker_id id = std::min(before, workers); id < std::max(before, workers); ++id)
        home_.at(id).raise_and_wake(protocol::bits::news);
}

namespace {
// Says so once, for any number of runtimes.
void say_that_nobody_knows_brokers(const std::string& socket) {
    [[maybe_unused]] static const int said =
        std::fprintf(stderr, "parley: this program is not linked with parley::broker: it works without the broker at %s\n",
                     socket.c_str());
}
}  // namespace

void resizing::join_broker() {
    const std::string& socket = home_.settings().broker;
    if (socket.empty() || pool::circulates()) return;
    const broker_client* const client = linked_broker_client();
    if (client == nullptr) return say_that_nobody_knows_brokers(socket);
    try {
        own_broker_ = client->join(home_, socket);
        (void)broker_.install(own_broker_.get());
    } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): as without a broker
    }
}

void resizing::let_go_of_broker() {
    if (own_broker_ == nullptr) return;
    own_broker_->let_go();
    resize(home_.size());
}

void resizing::forget_broker() noexcept { own_broker_.reset(); }

}  // namespace parley::inline v0::threading
