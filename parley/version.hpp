// The version of Parley: the one place where it is written; the build and the package read it here.
#pragma once

#define PARLEY_VERSION_MAJOR 0
#define PARLEY_VERSION_MINOR 1
#define PARLEY_VERSION_PATCH 0
#define PARLEY_VERSION "0.1.0"

namespace parley::inline v0 {
inline constexpr int version_major = PARLEY_VERSION_MAJOR;
inline constexpr int version_minor = PARLEY_VERSION_MINOR;
inline constexpr int version_patch = PARLEY_VERSION_PATCH;
}  // namespace parley::inline v0
