// See worker.hpp beside runtime/ here.
#pragma once

#include <parley/detail/runtime/worker.hpp>
