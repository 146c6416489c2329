#include <broker/daemon/listening.hpp>

#include <broker/daemon/bare_process.hpp>
#include <broker/daemon/startup_error.hpp>

#include <cstddef>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <string>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>

namespace parley::inline v0::broker::service {
namespace {

descriptor new_socket() {
    descriptor s(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!s) throw startup_error("no socket: " + system_says());
    return s;
}

template <class Call>
int with_address(Call call, int socket, const std::string& path) {
    sockaddr_un a{};
    a.sun_family = AF_UNIX;
    std::memcpy(a.sun_path, path.data(), path.size());
    return call(socket, reinterpret_cast<const sockaddr*>(&a), static_cast<socklen_t>(sizeof a));
}

// A sanitizer keeps a table of what bind() was called for, behind a lock.
int bind_only(int socket, const sockaddr* a, socklen_t size) { return static_cast<int>(syscall(SYS_bind, socket, a, size)); }

// Makes the folder unless it is there. Others who may write in the folder above could replace it before it is opened. A
// folder that must be ours is therefore opened through no link, and asked whose it is when it is open.
descriptor open_folder(const std::string& path, bool for_all) {
    const bool is_new = mkdir(path.c_str(), for_all ? 0755 : 0700) == 0;
    const int error = errno;
    // In /tmp anybody could have made it before us.
    const bool is_private = path == "/tmp/parley-" + std::to_string(geteuid());
    descriptor folder(open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC | (is_new || is_private ? O_NOFOLLOW : 0)));
    if (!folder && !is_private && errno == ENOTDIR) throw startup_error(path + " is not a directory");
    struct stat is{};
    if (folder && fstat(folder.get(), &is) != 0) folder.reset();
    if (!folder && !is_private) throw startup_error("cannot make " + path + ": " + std::strerror(error));
    const bool is_ours = folder && is.st_uid == geteuid();
    if ((is_new && !is_ours) || (is_private && (!is_ours || (is.st_mode & 0077) != 0)))
        throw startup_error(path + " is not this user's alone");
    return folder;
}

// Returns 0, or what errno says. The umask and the working directory are the whole process's, and other threads may be
// making files: so another process binds the socket. The name is relative, so that it means the folder that is open.
int bind_in(int folder, int socket, const std::string& name, mode_t mode) {
    // The file gets the mode of the unbound socket, less the umask.
    if (fchmod(socket, mode) != 0) return errno;
    const pid_t binder = start_bare_process();
    if (binder < 0) return errno;
    if (binder == 0) {
        syscall(SYS_umask, 0);
        const bool is_bound = syscall(SYS_fchdir, folder) == 0 && with_address(bind_only, socket, name) == 0;
        end_bare_process(is_bound ? 0 : errno);
    }
    int status = 0;
    if (wait_for_bare_process(binder, status) != binder) return errno;
    return WIFEXITED(status) ? WEXITSTATUS(status) : EINTR;
}

}  // namespace

listening_socket::listening_socket(const std::string& path, bool for_all)
    : path_(path), name_(std::filesystem::path(path).filename().string()) {
    if (path.empty()) throw startup_error("the socket's path is empty");
    if (path.size() >= sizeof(sockaddr_un::sun_path))
        throw startup_error(path + ": the path is too long for a socket: at most " +
                            std::to_string(sizeof(sockaddr_un::sun_path) - 1) + " bytes");
    if (name_.empty()) throw startup_error(path + " names a folder, not a socket");
    const std::string folder = std::filesystem::path(path).parent_path().string();
    folder_ = open_folder(folder.empty() ? "." : folder, for_all);
    const descriptor held = lock();
    socket_ = new_socket();
    bind_it(for_all ? 0666 : 0600);
}

// Of two brokers that find a stale file one must not remove what the other has just made. Nobody may stop us by
// holding the lock, though: /tmp is everybody's.
descriptor listening_socket::lock() const {
    descriptor d(openat(folder_.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    constexpr timespec a_moment{0, 10'000'000};
    for (int tries = 0; d && tries < 100 && flock(d.get(), LOCK_EX | LOCK_NB) != 0; ++tries) nanosleep(&a_moment, nullptr);
    return d;
}

void listening_socket::bind_it(mode_t mode) {
    int error = bind_in(folder_.get(), socket_.get(), name_, mode);
    if (error == EADDRINUSE) {
        remove_stale();
        error = bind_in(folder_.get(), socket_.get(), name_, mode);
    }
    if (error != 0) throw startup_error("cannot listen at " + path_ + ": " + std::strerror(error));
    struct stat is{};
    // Nobody can connect before it listens.
    if (fstatat(folder_.get(), name_.c_str(), &is, AT_SYMLINK_NOFOLLOW) != 0 || listen(socket_.get(), 128) != 0)
        throw startup_error("cannot listen at " + path_ + ": " + system_says());
    device_ = is.st_dev;
    file_ = is.st_ino;
}

// The file that is looked at is the one that is connected to, whatever has its name by then.
void listening_socket::remove_stale() const {
    const descriptor file(openat(folder_.get(), name_.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
    struct stat is{};
    if (file && fstat(file.get(), &is) == 0 && !S_ISSOCK(is.st_mode))
        throw startup_error(path_ + " is there, and is no socket");
    const descriptor probe = new_socket();
    if (with_address(connect, probe.get(), "/proc/self/fd/" + std::to_string(file.get())) == 0) {
        ucred owner{};
        socklen_t size = sizeof owner;
        getsockopt(probe.get(), SOL_SOCKET, SO_PEERCRED, &owner, &size);
        throw startup_error(path_ + " is in use by a running broker (pid " + std::to_string(owner.pid) + ")");
    }
    if (errno == EAGAIN) throw startup_error(path_ + " is in use by a running broker");
    if (errno != ECONNREFUSED) throw startup_error(path_ + " is in use: " + system_says());
    if (unlinkat(folder_.get(), name_.c_str(), 0) != 0) throw startup_error("cannot remove " + path_ + ": " + system_says());
}

listening_socket::~listening_socket() {
    struct stat is{};
    if (file_ != 0 && fstatat(folder_.get(), name_.c_str(), &is, AT_SYMLINK_NOFOLLOW) == 0 && is.st_dev == device_ &&
        is.st_ino == file_)
        unlinkat(folder_.get(), name_.c_str(), 0);
}

}  // namespace parley::inline v0::broker::service
