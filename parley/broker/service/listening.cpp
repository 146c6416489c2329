#include <parley/broker/service/listening.hpp>

#include <parley/broker/service/trouble.hpp>

#include <cstddef>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>

namespace parley::inline v0::broker::service {
namespace {

descriptor new_socket() {
    descriptor s(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!s) throw trouble("no socket: " + system_says());
    return s;
}

sockaddr_un address_of(const std::string& path) {
    sockaddr_un a{};
    a.sun_family = AF_UNIX;
    std::memcpy(a.sun_path, path.data(), path.size());
    return a;
}

template <class Call>
int with_address(Call call, int socket, const std::string& path) {
    const sockaddr_un a = address_of(path);
    return call(socket, reinterpret_cast<const sockaddr*>(&a), static_cast<socklen_t>(sizeof a));
}

std::string directory_of(const std::string& path) {
    const std::string directory = std::filesystem::path(path).parent_path().string();
    return directory.empty() ? "." : directory;
}

// Of two brokers that find a stale file one must not remove what the other has just made. Nobody may stop us by
// holding the lock, though: /tmp is everybody's.
descriptor lock_of(const std::string& directory) {
    descriptor d(open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    constexpr timespec a_moment{0, 10'000'000};
    for (int tries = 0; d && tries < 100 && flock(d.get(), LOCK_EX | LOCK_NB) != 0; ++tries)
        nanosleep(&a_moment, nullptr);
    return d;
}

}  // namespace

listening_socket::listening_socket(const std::string& path, bool for_all) : path_(path) {
    if (path.empty()) throw trouble("the socket's path is empty");
    if (path.size() >= sizeof(sockaddr_un::sun_path))
        throw trouble(path + ": the path is too long for a socket: at most " +
                      std::to_string(sizeof(sockaddr_un::sun_path) - 1) + " bytes");
    make_directory(for_all);
    const descriptor lock = lock_of(directory_of(path));
    socket_ = new_socket();
    bind_it(for_all);
}

void listening_socket::make_directory(bool for_all) const {
    const std::string directory = directory_of(path_);
    if (mkdir(directory.c_str(), for_all ? 0755 : 0700) == 0) return;
    const int error = errno;
    struct stat is {};
    if (stat(directory.c_str(), &is) != 0) throw trouble("cannot make " + directory + ": " + std::strerror(error));
    if (!S_ISDIR(is.st_mode)) throw trouble(directory + " is not a directory");
    // In /tmp anybody could have made it before us.
    struct stat link {};
    const bool is_ours = lstat(directory.c_str(), &link) == 0 && S_ISDIR(link.st_mode) && link.st_uid == geteuid();
    if (directory == "/tmp/parley-" + std::to_string(geteuid()) && (!is_ours || (link.st_mode & 0077) != 0))
        throw trouble(directory + " is not this user's alone");
}

void listening_socket::bind_it(bool for_all) {
    if (with_address(bind, socket_.get(), path_) != 0) {
        if (errno != EADDRINUSE) throw trouble("cannot listen at " + path_ + ": " + system_says());
        remove_stale();
        if (with_address(bind, socket_.get(), path_) != 0)
            throw trouble("cannot listen at " + path_ + ": " + system_says());
    }
    struct stat is {};
    // Nobody can connect before it listens.
    if (chmod(path_.c_str(), for_all ? 0666 : 0600) != 0 || stat(path_.c_str(), &is) != 0 ||
        listen(socket_.get(), 128) != 0)
        throw trouble("cannot listen at " + path_ + ": " + system_says());
    device_ = is.st_dev;
    file_ = is.st_ino;
}

void listening_socket::remove_stale() const {
    struct stat is {};
    if (lstat(path_.c_str(), &is) == 0 && !S_ISSOCK(is.st_mode)) throw trouble(path_ + " is there, and is no socket");
    const descriptor probe = new_socket();
    if (with_address(connect, probe.get(), path_) == 0) {
        ucred owner{};
        socklen_t size = sizeof owner;
        getsockopt(probe.get(), SOL_SOCKET, SO_PEERCRED, &owner, &size);
        throw trouble(path_ + " is in use by a running broker (pid " + std::to_string(owner.pid) + ")");
    }
    if (errno == EAGAIN) throw trouble(path_ + " is in use by a running broker");
    if (errno != ECONNREFUSED) throw trouble(path_ + " is in use: " + system_says());
    if (unlink(path_.c_str()) != 0) throw trouble("cannot remove " + path_ + ": " + system_says());
}

listening_socket::~listening_socket() {
    struct stat is {};
    if (file_ != 0 && lstat(path_.c_str(), &is) == 0 && is.st_dev == device_ && is.st_ino == file_)
        unlink(path_.c_str());
}

}  // namespace parley::inline v0::broker::service
