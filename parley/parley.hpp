/// @file
/// Everything that a user of Parley needs, except two libraries on top: streams (<parley/farm.hpp>) and ranks
/// (<parley/cluster/mpi.hpp>). Programs that use those include them. For all others each file would take a tenth longer to
/// compile.
#pragma once

#include <parley/version.hpp>

#include <parley/algorithm.hpp>
#include <parley/blocking.hpp>
#include <parley/errors.hpp>
#include <parley/fork_join.hpp>
#include <parley/fp_environment.hpp>
#include <parley/future.hpp>
#include <parley/isolated.hpp>
#include <parley/loop.hpp>
#include <parley/priority.hpp>
#include <parley/runtime.hpp>
#include <parley/scope.hpp>
#include <parley/shared_future.hpp>
#include <parley/spawn.hpp>
#include <parley/when_all.hpp>
#include <parley/worker_local.hpp>
