// A program's end of the broker's socket, and the two pages that came through it. Nothing that comes is believed before
// it has been looked at: a broker that is foreign, mistaken or of another version does a program no harm.
#pragma once

#include <broker/client/descriptor.hpp>
#include <broker/client/packets.hpp>
#include <broker/client/pages.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <variant>

namespace parley::inline v0::broker {

struct unmap {
    std::size_t length = 0;
    void operator()(const void* page) const noexcept;
};
using mapped_allotment = std::unique_ptr<const allotment_page, unmap>;
using mapped_feedback = std::unique_ptr<feedback_page, unmap>;

struct connection {
    descriptor socket;
    welcome answer;
    mapped_allotment allotted;
    mapped_feedback feedback;
};

struct nobody {};     // there is no broker, or none that answers: it may be starting
struct no_answer {};  // in a second: it is very busy, or stopped
struct ended {};      // who wants to connect is to end
struct refusal {
    std::string why;  // one line
};
using attempt = std::variant<connection, nobody, no_answer, ended, refusal>;

// Waits for the answer for a second at most, and no longer than until `end` can be read.
[[nodiscard]] attempt join_broker(const std::string& path, const hello& who, int end);

// What came from the broker since.
struct news {
    bool rings = false;
    bool is_over = false;  // it has gone
    std::string refusal;   // it has ended it and says why; or it sends what is no packet of ours
};
[[nodiscard]] news read_news(int socket);

void say_bye(int socket) noexcept;

// A folder below one where everybody may write, like /tmp, is the user's own and nobody else can write there.
[[nodiscard]] bool is_own_folder(const std::string& path);

}  // namespace parley::inline v0::broker
