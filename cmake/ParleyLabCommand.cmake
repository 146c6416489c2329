# The command parley-lab. Programs and verbs are object libraries, so that tests link them too and no part that registers
# itself by a static object gets lost.

file(GLOB_RECURSE program_sources CONFIGURE_DEPENDS
    "${PROJECT_SOURCE_DIR}/lab/programs/*.cpp" "${PROJECT_SOURCE_DIR}/lab/peers/*.cpp")
file(GLOB_RECURSE command_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/lab/command/*.cpp")
list(REMOVE_ITEM command_sources "${PROJECT_SOURCE_DIR}/lab/command/main.cpp")
# The cluster's are in a program of their own, which needs MPI.
list(FILTER program_sources EXCLUDE REGEX "/programs/cluster/")

# Scripts that draw travel inside the programs.
function(parley_plot_script variable file)
    file(READ "${PROJECT_SOURCE_DIR}/${file}" script)
    set_property(DIRECTORY "${PROJECT_SOURCE_DIR}" APPEND PROPERTY
        CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${file}")
    file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/generated/parley_${variable}.hpp" CONTENT
"#pragma once
inline constexpr const char* @variable@ = R\"python(
@script@)python\";
" @ONLY)
endfunction()
parley_plot_script(plot_script lab/command/plot.py)
parley_plot_script(suite_plot_script lab/command/suite_plot.py)
parley_plot_script(sweep_plot_script lab/command/sweep_plot.py)

# So do the cost files of known machines: pairs of name and text.
file(GLOB cost_files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/lab/costs/*.json")
set(pairs "")
foreach(file IN LISTS cost_files)
    cmake_path(GET file STEM name)
    file(READ "${file}" text)
    set_property(DIRECTORY "${PROJECT_SOURCE_DIR}" APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
    string(APPEND pairs "    {\"${name}\", R\"json(${text})json\"},\n")
endforeach()
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/generated/parley_cost_files.hpp" CONTENT
"#pragma once
#include <utility>
inline constexpr std::pair<const char*, const char*> cost_files[] = {
@pairs@};
" @ONLY)

add_library(parley_programs OBJECT ${program_sources})
# The programs once more, on the library with the papers' machine: not what they compute with, which all share.
set(papers_sources ${program_sources})
list(FILTER papers_sources INCLUDE REGEX "/lab/programs/[a-z0-9_]+\\.cpp$")
list(FILTER papers_sources EXCLUDE REGEX
    "/(blocks|busy|farm_model|fft_steps|greatest_difference|registry|sha1_[a-z]+|sorting|uts_tree)\\.cpp$")
add_library(parley_papers_programs OBJECT ${papers_sources})
parley_with_papers(parley_papers_programs)
foreach(target IN ITEMS parley_programs parley_papers_programs)
    target_include_directories(${target} PUBLIC "${PROJECT_SOURCE_DIR}")
    target_link_libraries(${target} PUBLIC parley::parley parley_build_info
        fmt::fmt CLI11::CLI11 nlohmann_json::nlohmann_json)
    parley_warnings(${target})
    # These headers are most of what they compile.
    target_precompile_headers(${target} PRIVATE <nlohmann/json.hpp>)
    if(PARLEY_UNITY)
        target_precompile_headers(${target} PRIVATE <fmt/format.h> "${PROJECT_SOURCE_DIR}/lab/peers/list.hpp")
    endif()
    # Where in a cache line a function happens to begin made 10% of fib, on every scheduler and from one commit
    # to the next without a change to it.
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-falign-functions=64>)
endforeach()
target_link_libraries(parley_programs PUBLIC parley_papers)
target_sources(parley_programs INTERFACE $<TARGET_OBJECTS:parley_papers_programs>)

# Files that choose a backend for the standard's algorithms: nothing may come before that choice.
include(ParleyStandardLibrary)
if(PARLEY_LIBSTDCXX)
    target_compile_definitions(parley_programs PUBLIC PARLEY_LIBSTDCXX)
endif()
set_source_files_properties(${PROJECT_SOURCE_DIR}/lab/programs/std/by_parley.cpp ${PROJECT_SOURCE_DIR}/lab/programs/std/by_onetbb.cpp
    PROPERTIES SKIP_PRECOMPILE_HEADERS ON)

add_library(parley_command OBJECT ${command_sources})
target_link_libraries(parley_command PUBLIC parley_command_shared parley_sim)
# Runtimes of programs that are measured join a broker where there is one.
if(TARGET parley::broker)
    target_link_libraries(parley_command PUBLIC parley::broker)
endif()
parley_command_objects(parley_command)

# The other schedulers that programs are compared on. ThreadSanitizer does not see into their compiled
# libraries and would report what they do; the other sanitizers would only test them.
if(NOT PARLEY_SANITIZE)
    find_package(TBB QUIET)
    if(TBB_FOUND)
        target_link_libraries(parley_programs PUBLIC TBB::tbb)
        target_compile_definitions(parley_programs PUBLIC PARLEY_WITH_TBB)
    endif()
    find_package(OpenMP QUIET COMPONENTS CXX)
    if(OpenMP_CXX_FOUND)
        target_link_libraries(parley_programs PUBLIC OpenMP::OpenMP_CXX)
        target_compile_definitions(parley_programs PUBLIC PARLEY_WITH_OPENMP)
    endif()
endif()

include(ParleyRustPeers)
if(PARLEY_RUST_PEERS_LIBRARY)
    find_package(Threads REQUIRED)
    target_link_libraries(parley_programs PUBLIC
        "${PARLEY_RUST_PEERS_LIBRARY}" Threads::Threads ${CMAKE_DL_LIBS} m)
    target_compile_definitions(parley_programs PUBLIC PARLEY_WITH_RUST)
endif()

parley_program(parley_lab_cli parley-lab lab/command parley_command parley_programs)
if(PARLEY_INSTALL)
    install(FILES ${cost_files} DESTINATION "${CMAKE_INSTALL_DATADIR}/parley/costs" COMPONENT parley-lab)
endif()
