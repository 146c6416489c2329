// One section at work: a thread that feeds the state machine (section.hpp) with what its programs and the clock do and
// with the other sections' messages, and carries out what comes of it.
//
// A program's socket and process stay at the section where it joined, its home, which tells of its end. Its pages move
// with its leadership.
#pragma once

#include <broker/daemon/mail.hpp>
#include <broker/daemon/settings.hpp>

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string_view>
#include <vector>

namespace parley::inline v0::broker::service {

class section_thread {
public:
    section_thread(section_id self, const settings&, mailboxes&);

    // Until it gets `halt`.
    void run();
    // After all have stopped: what was under way arrives. Returns whether there was something.
    bool settle();

    [[nodiscard]] const section& machine_state() const noexcept { return state_; }

private:
    void watch(int fd, std::uint64_t key, std::uint32_t events);
    void set_timer();
    void on_event(std::uint64_t key);
    void on_timer();
    bool read_mail();  // false: halt
    void handle(newcomer);
    void handle(between_sections);
    void handle(const look_around&);
    void depart(program_id, std::string_view why);

    // What the state machine makes of it is carried out before the next input comes: pages first, those that shrink
    // before those that move, those that grow last, then messages. So nobody is told of a core before its last holder
    // was told to leave it, unless several move in one step, to each other's cores.
    void feed(input);
    void write_pages(const outcome&);
    void send(const outcome&);
    void keep(const outcome&);
    // Others' turns may have changed what a program's page has to say, without an outcome of its own.
    void rewrite_pages();
    void allot_again_if_due();
    [[nodiscard]] bool somebody_lacks_cores() const;
    void retry_later();
    void end_quantum(nanoseconds at);
    void look_after_programs(nanoseconds at);
    void let_go();
    [[nodiscard]] std::vector<joined_program*> by_turn() const;
    [[nodiscard]] look_budget& budget_of(const joined_program& p) { return budgets_[p.who().user]; }
    [[nodiscard]] allotted page_of(const led_program&, std::map<core_id, std::uint32_t>& holders) const;
    void remember(const event&);

    struct resident {
        std::shared_ptr<const connection> link;
        user_id user = 0;
    };

    const settings& how_;
    mailboxes& mail_;
    section state_;
    descriptor epoll_, timer_;
    std::map<program_id, resident> home_;                        // joined here
    std::map<program_id, std::unique_ptr<joined_program>> led_;  // led here
    std::vector<std::unique_ptr<joined_program>> ended_;         // may have threads that are bound still
    std::map<user_id, look_budget> budgets_;
    std::set<program_id> stuck_;  // the system does not let us move it: said once
    std::deque<event> events_;
    nanoseconds next_sample_ = 0, next_quantum_ = 0, last_quantum_ = 0;
    // Both 0: all led here have what is theirs. The first one: who lacks cores waits for the quantum's end.
    nanoseconds retry_at_ = 0, retry_after_ = 0;
    bool allot_again_ = false;
    bool turns_are_old_ = false;
};

}  // namespace parley::inline v0::broker::service
