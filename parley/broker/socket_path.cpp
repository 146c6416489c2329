#include <parley/broker/socket_path.hpp>

#include <cstdlib>
#include <string_view>
#include <unistd.h>

namespace parley::inline v0::broker {

std::string default_socket_path() {
    if (geteuid() == 0) return "/run/parley/broker.sock";
    const char* runtime = std::getenv("XDG_RUNTIME_DIR");
    if (runtime != nullptr && *runtime == '/') return std::string(runtime) + "/parley/broker.sock";
    return "/tmp/parley-" + std::to_string(geteuid()) + "/broker.sock";
}

std::optional<std::string> socket_path_to_ask() {
    const char* given = std::getenv("PARLEY_BROKER");
    if (given == nullptr || *given == '\0') return default_socket_path();
    if (std::string_view(given) == "off") return std::nullopt;
    return given;
}

}  // namespace parley::inline v0::broker
