// A process' folder below /proc. While it is open it is that process', whoever has the number by then.
#pragma once

#include <broker/client/descriptor.hpp>

#include <cstddef>
#include <functional>
#include <string>
#include <sys/types.h>

namespace parley::inline v0::broker::service {

class process_folder {
public:
    explicit process_folder(pid_t process) noexcept;
    [[nodiscard]] explicit operator bool() const noexcept { return static_cast<bool>(folder_); }

    // What stands after the name in `stat`, whose name may hold anything: state, parent ... Empty if it has gone.
    [[nodiscard]] std::string fields() const;
    [[nodiscard]] pid_t parent() const;  // 0 if it has gone

    // No more than so many of its threads, from a place on: where that was left, or 0. Returns where to go on; 0: all
    // are done.
    [[nodiscard]] long for_threads(std::size_t most, long from, const std::function<void(pid_t)>&) const;

private:
    descriptor folder_;
};

}  // namespace parley::inline v0::broker::service
