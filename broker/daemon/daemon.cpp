#include <broker/daemon/daemon.hpp>

#include <broker/daemon/acceptor.hpp>
#include <broker/daemon/listening.hpp>
#include <broker/daemon/section_thread.hpp>
#include <broker/daemon/startup_error.hpp>

#include <cstddef>
#include <exception>
#include <memory>
#include <optional>
#include <poll.h>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

namespace parley::inline v0::broker::service {
namespace {

// Writing to a disk takes its time: sections do not wait for it.
void write_log(mailbox& from, const settings& how) {
    for (;;) {
        pollfd one{from.bell(), POLLIN, 0};
        poll(&one, 1, -1);
        from.hush();
        while (const std::unique_ptr<mail> m = from.take()) {
            if (std::holds_alternative<halt>(m->what)) return;
            if (const happened* const h = std::get_if<happened>(&m->what)) how.log(h->where, h->what);
        }
    }
}

}  // namespace

struct daemon::parts {
    settings how;
    mailboxes mail;
    std::optional<listening_socket> socket;
    std::vector<std::unique_ptr<section_thread>> sections;
    std::unique_ptr<acceptor> entrance;
    std::vector<std::thread> section_threads;
    std::thread door_thread, recorder_thread;

    explicit parts(settings s) : how(std::move(s)), mail(how.here.table->sections()) {
        descriptor listening(how.listening);
        if (!listening) listening = socket.emplace(how.socket, how.is_for_all).take();
        for (section_id i = 0; i < how.here.table->sections(); ++i)
            sections.push_back(std::make_unique<section_thread>(i, how, mail));
        entrance = std::make_unique<acceptor>(std::move(listening), how, mail);
    }

    void start() {
        for (const auto& s : sections) section_threads.emplace_back([&s] { s->run(); });
        door_thread = std::thread([this] { entrance->run(); });
        if (how.log) recorder_thread = std::thread([this] { write_log(mail.recorder, how); });
    }

    void end() {
        if (door_thread.joinable()) {
            mail.acceptor.post(halt{});
            door_thread.join();
        }
        socket.reset();
        for (std::size_t i = 0; i < section_threads.size(); ++i) mail.sections[i]->post(halt{});
        for (std::thread& t : section_threads) t.join();
        section_threads.clear();
        for (bool more = true; std::exchange(more, false);)
            for (const auto& s : sections) more = s->settle() || more;
        if (recorder_thread.joinable()) {
            mail.recorder.post(halt{});
            recorder_thread.join();
        }
    }
};

daemon::daemon(settings s) : parts_(std::make_unique<parts>(std::move(s))) {
    try {
        parts_->start();
    } catch (const std::exception& e) {
        parts_->end();
        throw startup_error(std::string("cannot start a thread: ") + e.what());
    }
}

daemon::~daemon() { stop(); }

void daemon::stop() { parts_->end(); }

const section& daemon::at(section_id s) const { return parts_->sections[s]->machine_state(); }

}  // namespace parley::inline v0::broker::service
