// One rank of one set of tasks: messages in, messages out. It knows neither threads nor clocks nor MPI, so that the
// same code runs between processes and in virtual time.
//
// Whoever owns it hands it every message, and calls advance() after each and whenever a task has begun or ended.
#pragma once

#include <parley/cluster/load.hpp>
#include <parley/cluster/message.hpp>
#include <parley/cluster/options.hpp>
#include <parley/cluster/overlay.hpp>
#include <parley/cluster/router.hpp>
#include <parley/cluster/sender.hpp>
#include <parley/cluster/statistics.hpp>
#include <parley/cluster/thief.hpp>
#include <parley/cluster/victim.hpp>
#include <parley/cluster/waves.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace parley::inline v0::cluster {

class node {
public:
    // Which set of tasks: its number, how many ranks were lost before, and a hash of its types.
    struct name {
        std::uint32_t set_number = 0;
        std::uint32_t epoch = 0;
        std::uint32_t types = 0;
    };
    // All of them outlive it.
    node(const overlay&, const options&, termination, const name&, outbox&, load&);
    node(const node&) = delete;
    node& operator=(const node&) = delete;

    // Of its set_number and epoch. Throws `malformed`.
    void receive(const header&, bytes payload);
    void advance();

    // A task ran here for another rank.
    void send_result(position owner, std::uint64_t id, bool has_failed, std::span<const std::byte> data);
    // A task of this rank's has failed.
    void failed(const std::string& why);
    // What this one's predecessor has counted, before a rank was lost.
    void inherit(const node& earlier);
    // A rank was lost when all tasks were done: this one is through, and knows its own sums only.
    void close_alone();

    // All tasks of all ranks are done.
    [[nodiscard]] bool is_finished() const noexcept { return stage_ != stage::working; }
    // And no message of this set is on its way but to those who do not know that yet.
    [[nodiscard]] bool is_closed() const noexcept { return stage_ == stage::closed; }
    // Of all ranks; once it is closed.
    [[nodiscard]] const summary& total() const noexcept { return total_; }
    // What was said when it was closed.
    [[nodiscard]] const bytes& last_words() const noexcept { return last_words_; }
    // Of this one.
    [[nodiscard]] statistics& count() noexcept { return out_.count; }
    [[nodiscard]] const statistics& count() const noexcept { return out_.count; }

private:
    enum class stage : std::uint8_t { working, finished, closed };

    [[nodiscard]] bool may_report() const;
    void advance_waves();
    void finish();
    void close(bytes said);
    [[nodiscard]] bytes sum_up();

    bool relays_;
    termination ends_;
    load* load_;
    sender out_;
    thief thief_;
    victim victim_;
    router router_;
    waves waves_;
    stage stage_ = stage::working;
    summary own_;
    summary total_;
    bytes last_words_;
};

}  // namespace parley::inline v0::cluster
