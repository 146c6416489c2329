#include <broker/client/client.hpp>

#include <broker/client/membership.hpp>
#include <parley/detail/runtime/thread.hpp>

#include <cerrno>
#include <memory>
#include <optional>
#include <string>
#include <unistd.h>
#include <utility>

namespace parley::inline v0::broker {

namespace {

void* run(void* member) {
    static_cast<membership*>(member)->run();
    return nullptr;
}

}  // namespace

std::string own_name() { return program_invocation_short_name; }

client::client(client_options what, client_calls calls)
    : member_(std::make_unique<membership>(std::move(what), std::move(calls))),
      process_(getpid()),
      thread_(threading::start_thread(0, member_.get(), &run)) {}

client::~client() {
    if (getpid() != process_) {
        // The thread may have been at any point. Its pages are not here: others may have taken their addresses.
        [[maybe_unused]] static const membership* left;
        left = member_.release();
        return;
    }
    member_->end();
    pthread_join(thread_, nullptr);
}

std::optional<std::string> client::refused() const { return getpid() == process_ ? member_->refused() : std::nullopt; }

nanoseconds client::sample() const { return getpid() == process_ ? member_->sample() : 0; }

}  // namespace parley::inline v0::broker
