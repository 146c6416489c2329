// The scenes of each file here.
#pragma once

#include <lab/memory/scene.hpp>

#include <vector>

namespace parley::memory {

[[nodiscard]] std::vector<scene> scenes_of_channels();
[[nodiscard]] std::vector<scene> scenes_of_answers();
[[nodiscard]] std::vector<scene> scenes_of_words();
[[nodiscard]] std::vector<scene> scenes_of_cancellations();
[[nodiscard]] std::vector<scene> scenes_of_counts();
[[nodiscard]] std::vector<scene> scenes_of_results();
[[nodiscard]] std::vector<scene> scenes_of_futures();
[[nodiscard]] std::vector<scene> scenes_of_parkers();
[[nodiscard]] std::vector<scene> scenes_of_lobbies();
[[nodiscard]] std::vector<scene> scenes_of_relays();
[[nodiscard]] std::vector<scene> scenes_of_protocols();
[[nodiscard]] std::vector<scene> scenes_of_runtime();
[[nodiscard]] std::vector<scene> scenes_of_scopes();
[[nodiscard]] std::vector<scene> scenes_of_steals();

}  // namespace parley::memory
