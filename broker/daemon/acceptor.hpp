// Where programs and observers come in: a thread that accepts connections, looks at what they say, and gives each
// program to a section. Observers stay here; what they ask is put together from what the sections answer.
#pragma once

#include <broker/daemon/closing.hpp>
#include <broker/daemon/mail.hpp>
#include <broker/daemon/observer.hpp>
#include <broker/daemon/settings.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string_view>
#include <vector>

namespace parley::inline v0::broker::service {

class acceptor {
public:
    acceptor(descriptor listening, const settings&, mailboxes&);
    acceptor(const acceptor&) = delete;
    acceptor& operator=(const acceptor&) = delete;
    ~acceptor();

    // Until it gets `halt`.
    void run();

private:
    struct guest {
        std::shared_ptr<connection> link;
        nanoseconds patience = 0;  // until then it has to say who it is
    };

    void watch(int fd, std::uint64_t key, std::uint32_t events, int how);
    void accept_some();
    void drop_one();
    void rest();
    void go_on();
    void make_room_for_guest(user_id);
    void forget_guest(std::map<std::uint64_t, guest>::iterator);
    [[nodiscard]] bool is_trusted(user_id) const noexcept;
    [[nodiscard]] bool may_look_on(user_id) const;
    void on_guest(std::uint64_t key);
    void on_observer(std::uint64_t key, std::uint32_t events);
    void forget_observer(std::map<std::uint64_t, observer>::iterator);
    bool read_mail();  // false: halt
    void welcome_program(std::shared_ptr<connection>, const hello&);
    [[nodiscard]] std::shared_ptr<process_room> room_of(pid_t process);
    [[nodiscard]] section_id home_for(const usable_cores&) const;
    void ask_sections_in_turn();
    void answer(seen);
    void send_away_the_silent();
    [[nodiscard]] nanoseconds next_picture() const;
    [[nodiscard]] int time_to_wait() const;

    static constexpr nanoseconds never = ~nanoseconds{0};
    const settings& how_;
    mailboxes& mail_;
    std::shared_ptr<closing> elsewhere_ = std::make_shared<closing>();
    descriptor listening_, epoll_;
    descriptor spare_;                 // given up where none is left, so that a connection can be accepted and closed
    nanoseconds rests_until_ = never;  // accepts nobody before: there was not even a spare one
    std::uint64_t last_key_ = 1;
    std::map<std::uint64_t, guest> guests_;
    std::map<user_id, std::size_t> guests_of_;
    std::map<std::uint64_t, observer> observers_;
    std::vector<std::uint64_t> asking_;  // those of whom no section knows yet, in turn
    std::map<user_id, picture_rate> pictures_of_;
    program_id last_program_ = 0;
    std::map<user_id, std::uint32_t> programs_of_;
    std::vector<std::uint32_t> programs_at_;  // each section
    std::uint32_t programs_ = 0;
    std::map<pid_t, std::weak_ptr<process_room>> rooms_;
};

}  // namespace parley::inline v0::broker::service
