// What the client's thread does (client.hpp): waits for a broker, joins it, stays until it is gone.
#pragma once

#include <broker/client/client.hpp>
#include <broker/client/connection.hpp>
#include <broker/client/not_for_children.hpp>
#include <broker/client/socket_watch.hpp>

#include <array>
#include <chrono>
#include <mutex>
#include <optional>
#include <poll.h>
#include <string>
#include <vector>

namespace parley::inline v0::broker {

class membership {
public:
    membership(client_options what, client_calls calls);

    void run();  // until end() has been called
    void end() noexcept;

    // By any thread.
    [[nodiscard]] std::optional<std::string> refused() const;
    [[nodiscard]] nanoseconds sample() const;

private:
    using clock = std::chrono::steady_clock;
    enum class wake { ended, appeared, time };

    [[nodiscard]] bool wait_for_broker();
    [[nodiscard]] attempt try_to_join() const;
    void note_failure(const attempt& failed);
    [[nodiscard]] wake sleep();
    void say_lost_in_time();
    void begin(connection&& c);
    [[nodiscard]] bool stay();
    void look_at_page();
    void wait_for_news_or_turn(std::array<pollfd, 2>& both);
    void leave();
    void set_refused(const std::string& why);

    const client_options what_;
    const client_calls calls_;
    const hello hello_;
    descriptor end_;

    std::optional<connection> joined_;
    std::optional<not_for_children> kept_;  // joined_'s socket
    std::vector<mapped_feedback> former_;
    std::optional<allotment> told_;  // last
    clock::time_point joined_at_{};
    std::optional<socket_watch> watch_;
    clock::time_point watch_from_{};
    clock::duration pause_{};                    // between attempts; grows
    std::optional<clock::time_point> next_try_;  // none: at once
    std::optional<clock::time_point> lost_at_;   // when that has to be told

    mutable std::mutex mutex_;
    std::string refusal_;
    nanoseconds sample_ = 0;
};

}  // namespace parley::inline v0::broker
