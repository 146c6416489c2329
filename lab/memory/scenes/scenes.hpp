// The scenes of each file here.
#pragma once

#include <lab/memory/scene.hpp>

#include <vector>

namespace parley::memory {

[[nodiscard]] std::vector<scene> scenes_of_channels();
[[nodiscard]] std::vector<scene> scenes_of_words();
[[nodiscard]] std::vector<scene> scenes_of_counts();
[[nodiscard]] std::vector<scene> scenes_of_waits();
[[nodiscard]] std::vector<scene> scenes_of_runtime();

}  // namespace parley::memory
