// Somebody who looks on. Pictures are bounded in size, and wait here if they are read slowly.
#pragma once

#include <parley/broker/packets.hpp>
#include <parley/broker/service/connection.hpp>
#include <parley/broker/service/view.hpp>

#include <deque>
#include <memory>
#include <vector>

namespace parley::inline v0::broker::service {

struct picture_frame {
    std::uint32_t cores = 0, sections = 0;
    nanoseconds clock = 0, quantum = 0;
};

class observer {
public:
    explicit observer(std::shared_ptr<connection> link) : link_(std::move(link)) {}

    [[nodiscard]] int socket() const noexcept { return link_->socket.get(); }
    [[nodiscard]] user_id user() const noexcept { return link_->who.user; }
    // It has asked, and not got all of the answer.
    [[nodiscard]] bool is_waiting() const noexcept { return missing_ > 0 || !packets_.empty(); }
    // Not more often than anybody can look.
    [[nodiscard]] bool asks_too_often(nanoseconds now) noexcept;

    void asked(std::uint32_t sections, std::uint32_t events) noexcept;
    // Returns whether that was the last part.
    bool add(section_view);
    void compose(const picture_frame&);
    // As much as it takes. Returns whether something is left.
    bool send_on();

private:
    template <class Row>
    void put(const Row&);

    std::shared_ptr<connection> link_;
    std::uint32_t missing_ = 0, events_ = 0;
    std::vector<section_view> parts_;
    std::deque<std::vector<std::byte>> packets_;
    nanoseconds second_ = 0;
    std::uint32_t in_second_ = 0;
};

}  // namespace parley::inline v0::broker::service
