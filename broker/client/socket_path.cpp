#include <broker/client/socket_path.hpp>

#include <parley/detail/base/environment.hpp>

#include <string>
#include <unistd.h>

namespace parley::inline v0::broker {

std::string default_socket_path() {
    if (geteuid() == 0) return "/run/parley/broker.sock";
    const char* runtime = base::environment_variable("XDG_RUNTIME_DIR");
    // A relative one is to be ignored, says the specification of base directories.
    if (runtime != nullptr && *runtime == '/') return std::string(runtime) + "/parley/broker.sock";
    return "/tmp/parley-" + std::to_string(geteuid()) + "/broker.sock";
}

}  // namespace parley::inline v0::broker
