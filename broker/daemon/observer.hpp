// Somebody who looks on. Pictures are bounded in size, and wait here if they are read slowly.
#pragma once

#include <broker/client/packets.hpp>
#include <broker/daemon/connection.hpp>
#include <broker/daemon/view.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

namespace parley::inline v0::broker::service {

struct picture_frame {
    std::uint32_t cores = 0, sections = 0;
    nanoseconds clock = 0, quantum = 0;
};

// One user's pictures: not more often, in all, than anybody can look; some at once.
class picture_rate {
public:
    static constexpr nanoseconds apart = 50'000'000, at_once = 20;

    // When the next one may be: now, or later.
    [[nodiscard]] nanoseconds next(nanoseconds now) const noexcept {
        return std::max(now, full_until_ - std::min(full_until_, (at_once - 1) * apart));
    }
    void take(nanoseconds now) noexcept { full_until_ = std::max(full_until_, now) + apart; }
    [[nodiscard]] bool is_as_new(nanoseconds now) const noexcept { return full_until_ <= now; }

private:
    nanoseconds full_until_ = 0;
};

class observer {
public:
    explicit observer(std::shared_ptr<connection> link) : link_(std::move(link)) {}

    [[nodiscard]] int socket() const noexcept { return link_->socket.get(); }
    [[nodiscard]] user_id user() const noexcept { return link_->who.user; }
    // It has asked, and not got all of the answer.
    [[nodiscard]] bool is_waiting() const noexcept { return has_asked_ || missing_ > 0 || !packets_.empty(); }
    // Of each section it wants so many events.
    void asks(std::uint32_t events) noexcept;
    // So many sections answer it.
    void begin(std::uint32_t sections) noexcept;
    // Returns whether that was the last part.
    bool add(section_view);
    void compose(const picture_frame&);
    // As much as it takes, but not much at a time. Returns whether something is left.
    bool send_on();

private:
    template <class Row>
    void put(const Row&);

    std::shared_ptr<connection> link_;
    std::uint32_t missing_ = 0, events_ = 0;
    std::vector<section_view> parts_;
    std::deque<std::vector<std::byte>> packets_;
    bool has_asked_ = false;  // and nobody answers yet
};

}  // namespace parley::inline v0::broker::service
