// All that the service has of a program, but for its place in the machine: that is the section's. Who leads the program
// has this object, and it moves with the HANDOVER: so nobody else writes the page, and who writes it next does so after
// whoever wrote it before.
#pragma once

#include <broker/daemon/allotment_writer.hpp>
#include <broker/daemon/connection.hpp>
#include <broker/daemon/distrust.hpp>
#include <broker/daemon/memory.hpp>
#include <broker/daemon/overuse.hpp>
#include <broker/daemon/process_room.hpp>
#include <broker/daemon/sleep_watch.hpp>
#include <broker/daemon/usage.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace parley::inline v0::broker::service {

struct pace {
    nanoseconds sample = 20'000'000;           // how often feedback is copied
    nanoseconds quantum = 50'000'000;          // and how often cores are allotted
    bool moves = true;                         // the threads of who does not follow
    nanoseconds asleep_after = 1'000'000'000;  // without a quantum in which its process ran; 0: never
};

enum class follow : std::uint8_t {
    yes,
    moved_now,  // its threads were moved, since it has not done so itself for two quanta, or only said so
    cannot,     // or should have been, but the system does not let us
    freed_now,  // it follows again
};

class joined_program {
public:
    // `ran`: what its process has run before, if that is known.
    joined_program(program_id, const hello&, std::shared_ptr<const connection>, page_pair, std::optional<nanoseconds> ran,
                   std::shared_ptr<process_room>, nanoseconds now);
    joined_program(const joined_program&) = delete;
    joined_program& operator=(const joined_program&) = delete;
    // Gives its threads back what we took from them, if it lives on and there is nobody else of its process.
    ~joined_program();
    // The same, bit by bit: it has ended, and others are not to wait. Returns whether there is nothing left to do.
    void end(nanoseconds now);
    bool gives_back(nanoseconds now, look_budget*);

    [[nodiscard]] program_id id() const noexcept { return id_; }
    [[nodiscard]] const std::string& name() const noexcept { return name_; }
    [[nodiscard]] const peer& who() const noexcept { return link_->who; }

    [[nodiscard]] page_change change_by(const allotted& next) const noexcept { return page_.change_by(next); }
    // Writes the page; then welcomes the program, or rings if it is there already.
    void allot(const allotted&, std::map<core_id, std::uint32_t> holders, const pace&, nanoseconds now);

    // Once per sample. A program that has not got a core yet is welcomed then, too.
    follow look(const pace&, nanoseconds now, look_budget&);
    // What it did since the last time, as if that was `length` ago. None, if it was less than half of it, or until a
    // led one's tree has been looked at.
    [[nodiscard]] std::optional<program_use> take(const machine&, const pace&, nanoseconds length, nanoseconds end,
                                                  look_budget&);
    // As far as that has been seen when it was taken last.
    [[nodiscard]] bool is_asleep() const noexcept { return sleep_.is_asleep(); }
    // When its process was looked at or bound last: who has waited longest goes first.
    [[nodiscard]] nanoseconds last_turn() const noexcept { return last_turn_; }
    [[nodiscard]] const program_use& last_use() const noexcept { return last_use_; }

private:
    void welcome_it(const pace&);
    follow look_after(const pace&, nanoseconds now, look_budget&);
    [[nodiscard]] bool says_it_follows() const noexcept;
    void compare(const tree_clock::reading&, const usage::spell&, nanoseconds now);
    [[nodiscard]] process_room::subject process() const noexcept;

    program_id id_;
    std::string name_;
    core_set allowed_;
    bool is_led_;
    std::shared_ptr<const connection> link_;
    page_pair pages_;
    std::shared_ptr<process_room> room_;
    allotment_writer page_;
    usage usage_;
    program_use last_use_;
    nanoseconds began_;
    bool is_welcomed_ = false;
    // When the last spell ended at whose end its process was looked at, whether it said that it followed
    // (or had been moved), what had run, and the room.
    bool should_follow_ = false;
    std::optional<nanoseconds> ran_before_;
    nanoseconds room_before_ = 0;
    nanoseconds length_ = 0;  // since then
    overuse overuse_;
    sleep_watch sleep_;
    distrust distrust_;
    nanoseconds last_turn_ = 0;
    bool has_ended_ = false, was_last_ = false;
};

}  // namespace parley::inline v0::broker::service
