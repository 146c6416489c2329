#include <broker/client/socket_watch.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <utility>

namespace parley::inline v0::broker {

namespace {

// Attributes: a socket may be made first and opened for others then.
constexpr std::uint32_t kinds = IN_CREATE | IN_MOVED_TO | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR;

}  // namespace

bool exists(const std::string& path) {
    struct stat s{};
    return stat(path.c_str(), &s) == 0;
}

socket_watch::socket_watch(std::string path) : path_(std::move(path)), events_(inotify_init1(IN_CLOEXEC | IN_NONBLOCK)) {}

// The name awaited in the deepest folder that can be watched, with the way to it.
std::string socket_watch::watch_deepest() {
    for (std::string way = path_; !way.empty();) {
        const std::size_t slash = way.rfind('/');
        const std::string folder = slash == 0 ? "/" : way.substr(0, slash);
        const int number = inotify_add_watch(events_.get(), folder.c_str(), kinds);
        if (number >= 0) {
            if (watched_ >= 0 && watched_ != number) inotify_rm_watch(events_.get(), watched_);
            watched_ = number;
            awaited_ = way.substr(slash + 1);
            return way;
        }
        if (slash == 0) break;
        way = folder;
    }
    return {};
}

void socket_watch::arm() {
    // A folder may be made while the one above it is about to be watched; nobody makes so many of them at a time.
    for (int i = 0; i < 8; ++i) {
        const std::string way = watch_deepest();
        if (way.empty()) break;
        if (way == path_ || !exists(way)) return;
    }
    watched_ = -1;  // a folder that is there and must not be read
}

void socket_watch::disarm() {
    if (watched_ >= 0) inotify_rm_watch(events_.get(), watched_);
    watched_ = -1;
}

bool socket_watch::read_events() {
    alignas(inotify_event) std::array<char, 4096> bytes;
    bool matters = false;
    for (;;) {
        const ssize_t got = read(events_.get(), bytes.data(), bytes.size());
        if (got <= 0) return matters;
        for (std::size_t at = 0; at < static_cast<std::size_t>(got);) {
            inotify_event event;
            std::memcpy(&event, bytes.data() + at, sizeof event);
            const char* name = event.len > 0 ? bytes.data() + at + sizeof event : "";
            const bool of_itself = (event.mask & (IN_DELETE_SELF | IN_MOVE_SELF | IN_Q_OVERFLOW | IN_UNMOUNT)) != 0;
            matters = matters || of_itself || awaited_ == name;
            at += sizeof event + event.len;
        }
    }
}
}  // namespace parley::inline v0::broker
