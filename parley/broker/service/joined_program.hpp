// All that the service has of a program, but for its place in the machine: that is the section's. Who leads the program
// has this object, and it moves with the HANDOVER: so nobody else writes the page, and who writes it next does so after
// whoever wrote it before.
#pragma once

#include <parley/broker/service/allotment_writer.hpp>
#include <parley/broker/service/connection.hpp>
#include <parley/broker/service/memory.hpp>
#include <parley/broker/service/overuse.hpp>
#include <parley/broker/service/process_room.hpp>
#include <parley/broker/service/tree_clock.hpp>
#include <parley/broker/service/usage.hpp>

#include <memory>
#include <string>

namespace parley::inline v0::broker::service {

struct pace {
    nanoseconds sample = 20'000'000;   // how often feedback is copied
    nanoseconds quantum = 50'000'000;  // and how often cores are allotted
    bool moves = true;                 // the threads of who does not follow
};

enum class follow : std::uint8_t {
    yes,
    moved_now,  // its threads were moved, since it has not done so itself for two quanta, or only said so
    cannot,     // or should have been, but the system does not let us
    freed_now,  // it follows again
};

class joined_program {
public:
    // The source: of its process, or of the tree if it is led.
    joined_program(program_id, const hello&, std::shared_ptr<const connection>, page_pair, run_time_source,
                   std::shared_ptr<process_room>, nanoseconds now);
    joined_program(const joined_program&) = delete;
    joined_program& operator=(const joined_program&) = delete;
    // Gives its threads back what we took from them, if it lives on.
    ~joined_program();

    [[nodiscard]] program_id id() const noexcept { return id_; }
    [[nodiscard]] const std::string& name() const noexcept { return name_; }
    [[nodiscard]] const peer& who() const noexcept { return link_->who; }

    [[nodiscard]] page_change change_by(const allotted& next) const noexcept { return page_.change_by(next); }
    // Writes the page; then welcomes the program, or rings if it is there already.
    void allot(const allotted&, std::map<core_id, std::uint32_t> holders, const pace&, nanoseconds now);

    // Once per sample. A program that has not got a core yet is welcomed then, too.
    follow look(const pace&, nanoseconds now);
    // What it did since the last time, as if that was `length` ago. None, if it was less than half of it, or if a led one's
    // tree is looked at for the first time.
    [[nodiscard]] std::optional<program_use> take(const machine&, nanoseconds length, nanoseconds end);
    [[nodiscard]] const program_use& last_use() const noexcept { return last_use_; }

private:
    void welcome_it(const pace&);
    follow look_after(const pace&, nanoseconds now);
    [[nodiscard]] bool says_it_follows() const noexcept;
    tree_clock::reading read_run_time(nanoseconds now) noexcept;
    void compare(const tree_clock::reading&, const usage::spell&, nanoseconds now);
    [[nodiscard]] bool may_bind(nanoseconds now) const noexcept { return !is_led_ || tree_time_.is_due(now); }
    [[nodiscard]] confined bind(const core_set& to, nanoseconds now) noexcept;
    void unbind(const core_set& from, const core_set& to, nanoseconds now) noexcept;

    program_id id_;
    std::string name_;
    core_set allowed_;
    bool is_led_;
    std::shared_ptr<const connection> link_;
    page_pair pages_;
    run_time_source run_time_;
    tree_clock tree_time_;  // of a led one
    std::shared_ptr<process_room> room_;
    allotment_writer page_;
    usage usage_;
    program_use last_use_;
    nanoseconds began_;
    bool is_welcomed_ = false;
    // When the last spell ended (of a led one, the last at whose end it was looked at), whether it said that it followed
    // (or had been moved), what had run, and the room.
    bool should_follow_ = false;
    std::optional<nanoseconds> ran_before_;
    nanoseconds room_before_ = 0;
    nanoseconds length_ = 0;  // since then
    overuse overuse_;
    nanoseconds distrusted_until_ = 0;
    nanoseconds looked_after_at_ = 0;  // since it does not follow
    bool is_moved_ = false;            // some of its threads are where we put them
    core_set moved_to_{};
};

}  // namespace parley::inline v0::broker::service
