/// @file
/// Algorithms on ranges of random access, which may run in parallel. Their names and meanings are the standard's.
#pragma once

#include <parley/version.hpp>

#include <parley/algorithm/adjacent_find.hpp>
#include <parley/algorithm/all_of.hpp>
#include <parley/algorithm/copy_if.hpp>
#include <parley/algorithm/count_if.hpp>
#include <parley/algorithm/equal.hpp>
#include <parley/algorithm/fill.hpp>
#include <parley/algorithm/find_if.hpp>
#include <parley/algorithm/for_each.hpp>
#include <parley/algorithm/merge.hpp>
#include <parley/algorithm/min_element.hpp>
#include <parley/algorithm/nth_element.hpp>
#include <parley/algorithm/partition.hpp>
#include <parley/algorithm/reduce.hpp>
#include <parley/algorithm/reduce_deterministic.hpp>
#include <parley/algorithm/reduce_into.hpp>
#include <parley/algorithm/remove_if.hpp>
#include <parley/algorithm/reverse.hpp>
#include <parley/algorithm/scan.hpp>
#include <parley/algorithm/set_operations.hpp>
#include <parley/algorithm/sort.hpp>
#include <parley/algorithm/stable_sort.hpp>
