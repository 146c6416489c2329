#include <broker/daemon/process_folder.hpp>

#include <array>
#include <cstddef>
#include <cstdlib>
#include <dirent.h>
#include <fcntl.h>
#include <functional>
#include <memory>
#include <sstream>
#include <string>

namespace parley::inline v0::broker::service {
namespace {

struct closer {
    void operator()(DIR* d) const noexcept { closedir(d); }
};

std::unique_ptr<DIR, closer> opened(descriptor folder) {
    DIR* const d = fdopendir(folder.get());
    if (d != nullptr) (void)folder.release();
    return std::unique_ptr<DIR, closer>(d);
}

}  // namespace

process_folder::process_folder(pid_t process) noexcept
    : folder_(open(("/proc/" + std::to_string(process)).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {}

std::string process_folder::fields() const {
    const descriptor file(openat(folder_.get(), "stat", O_RDONLY | O_CLOEXEC));
    std::array<char, 2048> text{};  // of 52 numbers and a name
    const ssize_t size = file ? read(file.get(), text.data(), text.size()) : 0;
    const std::string all(text.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
    const std::size_t end_of_name = all.rfind(')');
    return end_of_name == std::string::npos ? "" : all.substr(end_of_name + 1);
}

pid_t process_folder::parent() const {
    std::istringstream text(fields());
    char state = 0;
    pid_t parent = 0;
    return text >> state >> parent ? parent : 0;
}

long process_folder::for_threads(std::size_t most, long from, const std::function<void(pid_t)>& act) const {
    const auto tasks = opened(descriptor(openat(folder_.get(), "task", O_RDONLY | O_DIRECTORY | O_CLOEXEC)));
    if (!tasks) return 0;
    if (from != 0) seekdir(tasks.get(), from);
    while (most > 0) {
        const dirent* const entry = readdir(tasks.get());
        if (entry == nullptr) return 0;
        const long thread = std::strtol(entry->d_name, nullptr, 10);
        if (thread <= 0) continue;
        act(static_cast<pid_t>(thread));
        --most;
    }
    return telldir(tasks.get());
}

}  // namespace parley::inline v0::broker::service
