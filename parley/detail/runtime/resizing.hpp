// How many workers of a pool are to work, and the broker of cores that says so. Any thread may resize and ask. The
// thread that starts the pool's threads lets the broker join.
#pragma once

#include <parley/detail/sync/counter.hpp>
#include <parley/detail/sync/flag.hpp>

#include <cstdint>
#include <memory>
#include <mutex>

namespace parley::inline v0::threading {

class feedback_sink;
class pool;

class resizing {
public:
    resizing(pool& home, std::uint32_t workers);
    ~resizing();
    resizing(const resizing&) = delete;
    resizing& operator=(const resizing&) = delete;

    // The workers with numbers below this are to work.
    [[nodiscard]] std::uint32_t active() const noexcept { return active_.get(); }
    // Changes that number. The other workers are suspended at the end of a task or at their next wait, and go on when
    // more are to work. Throws usage_error for no workers, for more than there are, and where requests circulate.
    void resize(std::uint32_t workers);

    // The broker that workers tell what they do. Null without a broker, and before the threads start.
    [[nodiscard]] feedback_sink* broker() const noexcept { return broker_.get(); }
    void join_broker();
    // let_go_of_broker() is called when the pool ends, and lets all workers work again. They tell the broker what they
    // do until their threads have ended; then forget_broker() is called.
    void let_go_of_broker();
    void forget_broker() noexcept;

private:
    pool& home_;
    sync::published<std::uint32_t> active_;  // changed under mutex_
    std::mutex mutex_;
    sync::installed_once<feedback_sink> broker_;
    std::unique_ptr<feedback_sink> own_broker_;  // written before broker_ is installed
};

}  // namespace parley::inline v0::threading
