// A program's side of the broker: joins it when it is there, tells what the program may use, notices when it is gone.
// One thread, which sleeps unless the broker has something to say.
//
//   no broker ──► joined: on_feedback_page(page), on_allotment(...)* ──► broker gone: on_feedback_page(nullptr)
//       ▲                       ▲                                             │ joined again within `grace`
//       │                       └─────────────────────────────────────────────┤
//       └── on_lost() ◄───────────────────────────────────────────────────────┘ not so
#pragma once

#include <broker/client/allotment.hpp>
#include <broker/client/broker_path.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <pthread.h>
#include <string>
#include <sys/types.h>

namespace parley::inline v0::broker {

[[nodiscard]] std::string own_name();  // of the program, without folders

struct client_options {
    std::string socket;
    std::uint32_t most = 1;  // workers
    std::uint32_t weight = 1;
    bool is_led = false;  // see hello
    core_mask allowed = own_cores();
    std::string name = own_name();
    // How long a program goes on with its last allotment when the broker has gone.
    std::chrono::nanoseconds grace = std::chrono::seconds(1);
    // Until a broker is asked again that has refused. One that starts anew is asked at once.
    std::chrono::nanoseconds refusal_pause = std::chrono::seconds(30);
    // Only if the socket's folder is the user's own and nobody else can write there. Always so for
    // /tmp/parley-UID/..., for anybody could make that.
    bool own_folder_only = false;
    // Whether it says on standard error, once in a process, that nobody answers, until somebody has done so.
    bool says_if_alone = false;
};

// Called by the client's thread, one after the other. They must not throw, nor end the client.
struct client_calls {
    std::function<void(const allotment&)> on_allotment = [](const allotment&) {};
    // Where the last allotment has turns (allotment::cores_at): as each of the program's begins and ends.
    std::function<void(const allotment&)> on_turn = [](const allotment&) {};
    // Where feedback is to be written from now on. A page stays mapped for long after the next one has come: who is
    // writing on it may finish.
    std::function<void(feedback_page*)> on_feedback_page = [](feedback_page*) {};
    // There has been no broker for so long that the program should use what it likes again. Only after an allotment or
    // a page.
    std::function<void()> on_lost = [] {};
};

class membership;

class client {
public:
    // Throws std::system_error if there is no thread or descriptor to be had.
    client(client_options what, client_calls calls);
    // Takes leave of the broker; no call comes after it.
    //
    // A child made by fork() has no part in it: there the destructor does nothing, and the others know nothing.
    ~client();
    client(const client&) = delete;
    client& operator=(const client&) = delete;

    // Why there is no broker, if one has said so or cannot be used.
    [[nodiscard]] std::optional<std::string> refused() const;

    // How often the broker reads the feedback; 0 before it has been joined.
    [[nodiscard]] nanoseconds sample() const;

private:
    std::unique_ptr<membership> member_;
    pid_t process_;
    pthread_t thread_{};
};

}  // namespace parley::inline v0::broker
