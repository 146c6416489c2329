// A broker in this process, with a folder of its own for its socket.
#pragma once

#include <broker/daemon/daemon.hpp>
#include <broker/policy/fair_share.hpp>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <system_error>

namespace parley_bench {

class own_folder {
public:
    own_folder() : path_((std::filesystem::temp_directory_path() / "broker-bench-XXXXXX").string()) {
        if (mkdtemp(path_.data()) == nullptr) throw std::runtime_error("no folder for the broker's socket");
    }
    ~own_folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    own_folder(const own_folder&) = delete;
    own_folder& operator=(const own_folder&) = delete;
    [[nodiscard]] std::string socket() const { return path_ + "/s"; }

private:
    std::string path_;
};

// The default policy, quanta as by default.
inline std::unique_ptr<parley::broker::service::daemon> broker_at(const std::string& socket) {
    parley::broker::service::settings s;
    s.socket = socket;
    s.here = parley::broker::service::look_at_machine();
    s.how = std::make_shared<parley::broker::fair_share>();
    return std::make_unique<parley::broker::service::daemon>(s);
}

}  // namespace parley_bench
