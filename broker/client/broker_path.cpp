#include <broker/client/broker_path.hpp>

#include <broker/client/socket_path.hpp>
#include <parley/errors.hpp>

#include <sys/un.h>

#include <cstddef>
#include <optional>
#include <string>

namespace parley::inline v0::broker {

namespace {

constexpr std::size_t longest = sizeof(sockaddr_un::sun_path) - 1;

}  // namespace

std::string complaint_about_socket(const std::string& path) {
    // Without a slash it is more likely a mistyped "off" than a socket in whatever folder this is.
    if (path.find('/') == std::string::npos || path.back() == '/') return "a path of a socket, with a /";
    if (path.size() > longest)
        return "a path of a socket, of " + std::to_string(longest) + " bytes at most; it has " + std::to_string(path.size());
    return {};
}

std::optional<std::string> broker_path(const char* value) {
    if (value == nullptr) return default_socket_path();
    const std::string path = value;
    if (path == "off") return std::nullopt;
    if (const std::string wrong = complaint_about_socket(path); !wrong.empty())
        throw environment_error("PARLEY_BROKER", path, "off, or " + wrong);
    return path;
}

}  // namespace parley::inline v0::broker
