// What each worker's time went to, as TH figures 3.10 and 3.12 draw it: for people, and as a picture.
#pragma once

#include <string>
#include <vector>

#include "command/terminal.hpp"
#include "lab/peers/scheduler.hpp"

namespace parley_cli {

// One bar a worker, and its parts in percent. Empty for no workers.
[[nodiscard]] std::string profile_chart(const std::vector<parley_peers::worker_times>& workers, const terminal& terminal);

// The same as an SVG image. `title` is what was run, in words.
[[nodiscard]] std::string profile_picture(const std::vector<parley_peers::worker_times>& workers, const std::string& title);

}  // namespace parley_cli
