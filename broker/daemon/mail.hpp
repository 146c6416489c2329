// What the service's threads say to each other; they share nothing else that changes. One mailbox each: a queue that
// takes as many messages as there are, so nobody waits for anybody, and keeps the order of each sender.
#pragma once

#include <broker/daemon/joined_program.hpp>
#include <broker/daemon/view.hpp>
#include <broker/policy/log.hpp>
#include <parley/detail/sync/mpsc.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <sys/eventfd.h>
#include <utility>
#include <variant>
#include <vector>

namespace parley::inline v0::broker::service {

struct halt {};
// Of section to section. With a HANDOVER goes what only the leader may have.
struct between_sections {
    message what;
    std::unique_ptr<joined_program> with;
};
// A program for the section where it shall begin; that one listens to it until it ends, whoever leads it.
struct newcomer {
    joining how;
    std::shared_ptr<const connection> link;
    std::unique_ptr<joined_program> program;
};
// To the acceptor: it has ended.
struct gone {
    section_id home = 0;
    user_id user = 0;
};
// The acceptor asks on behalf of an observer, a section answers.
struct look_around {
    std::uint64_t observer = 0;
};
struct seen {
    std::uint64_t observer = 0;
    section_view view;
};
// For the log.
struct happened {
    section_id where = 0;
    record what;
};

struct mail {
    std::variant<halt, between_sections, newcomer, gone, look_around, seen, happened> what;
    mail* next = nullptr;
};

class mailbox {
public:
    mailbox() : bell_(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {}
    ~mailbox() {
        while (take()) {}
    }
    mailbox(const mailbox&) = delete;
    mailbox& operator=(const mailbox&) = delete;

    // Any thread.
    template <class What>
    void post(What what) {
        auto m = std::make_unique<mail>();
        m->what = std::move(what);
        if (queue_.send(m.get())) m.release();
        const std::uint64_t one = 1;
        [[maybe_unused]] const ssize_t rung = write(bell_.get(), &one, sizeof one);
    }

    // Its owner only.
    [[nodiscard]] std::unique_ptr<mail> take() { return std::unique_ptr<mail>(queue_.receive()); }
    [[nodiscard]] bool has_mail() const noexcept { return queue_.peek(); }
    // Readable when something has come since.
    [[nodiscard]] int bell() const noexcept { return bell_.get(); }
    void hush() const noexcept {
        std::uint64_t rings = 0;
        [[maybe_unused]] const ssize_t heard = read(bell_.get(), &rings, sizeof rings);
    }

private:
    sync::mpsc<mail, &mail::next> queue_;
    descriptor bell_;
};

struct mailboxes {
    explicit mailboxes(std::size_t n) {
        for (std::size_t i = 0; i < n; ++i) sections.push_back(std::make_unique<mailbox>());
    }
    std::vector<std::unique_ptr<mailbox>> sections;
    mailbox acceptor, recorder;
};

}  // namespace parley::inline v0::broker::service
