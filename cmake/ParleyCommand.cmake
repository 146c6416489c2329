# The command `parley`, and the programs beside it that have its verbs. Programs and the laboratory's verbs are object
# libraries, so that tests link them too and no part that registers itself by a static object gets lost.

find_package(fmt REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
include(ParleyBuildInfo) # target parley_build_info

file(GLOB_RECURSE program_sources CONFIGURE_DEPENDS
    "${PROJECT_SOURCE_DIR}/lab/programs/*.cpp" "${PROJECT_SOURCE_DIR}/lab/peers/*.cpp")
file(GLOB shared_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/command/*.cpp")
file(GLOB broker_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/broker/command/*.cpp")
file(GLOB_RECURSE command_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/lab/command/*.cpp")
list(REMOVE_ITEM shared_sources "${PROJECT_SOURCE_DIR}/command/main.cpp")
list(REMOVE_ITEM broker_sources "${PROJECT_SOURCE_DIR}/broker/command/main.cpp")
list(REMOVE_ITEM command_sources "${PROJECT_SOURCE_DIR}/lab/command/main.cpp")
# The cluster's are in a program of their own, which needs MPI.
list(FILTER program_sources EXCLUDE REGEX "/programs/cluster/")

# An interface library stands in for a room that has headers only.
function(parley_objects target)
    if(ARGN)
        add_library(${target} OBJECT ${ARGN})
        parley_warnings(${target})
        set(scope PUBLIC)
    else()
        add_library(${target} INTERFACE)
        set(scope INTERFACE)
    endif()
    target_include_directories(${target} ${scope} "${PROJECT_SOURCE_DIR}")
    target_link_libraries(${target} ${scope} parley::parley parley_build_info
        fmt::fmt CLI11::CLI11 nlohmann_json::nlohmann_json)
endfunction()

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

# What the verbs share, and the broker's.
add_library(parley_command_shared STATIC ${shared_sources})
target_link_libraries(parley_command_shared PUBLIC parley::parley parley_build_info
    fmt::fmt CLI11::CLI11 nlohmann_json::nlohmann_json)
add_library(parley_broker_command STATIC ${broker_sources})
target_link_libraries(parley_broker_command PUBLIC parley_command_shared parley_service)
foreach(target IN ITEMS parley_command_shared parley_broker_command)
    parley_warnings(${target})
    target_precompile_headers(${target} PRIVATE <nlohmann/json.hpp>)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ${PARLEY_UNITE})
endforeach()

parley_objects(parley_programs ${program_sources})
# The programs once more, on the library with the papers' machine: not what they compute with, which all share.
set(papers_sources ${program_sources})
list(FILTER papers_sources INCLUDE REGEX "/lab/programs/[a-z0-9_]+\\.cpp$")
list(FILTER papers_sources EXCLUDE REGEX
    "/(blocks|busy|farm_model|fft_steps|greatest_difference|registry|sha1_[a-z]+|sorting|uts_tree)\\.cpp$")
parley_objects(parley_papers_programs ${papers_sources})
parley_with_papers(parley_papers_programs)
target_link_libraries(parley_programs PUBLIC parley_papers)
target_sources(parley_programs INTERFACE $<TARGET_OBJECTS:parley_papers_programs>)
parley_objects(parley_command ${command_sources})
target_link_libraries(parley_command PUBLIC parley_command_shared parley::broker parley_sim)
# These headers are most of what they compile.
target_precompile_headers(parley_programs PRIVATE <nlohmann/json.hpp>)
target_precompile_headers(parley_papers_programs PRIVATE <nlohmann/json.hpp>)
target_precompile_headers(parley_command PRIVATE <nlohmann/json.hpp>)
if(PARLEY_UNITE)
    foreach(target IN ITEMS parley_programs parley_papers_programs)
        target_precompile_headers(${target} PRIVATE <fmt/format.h> "${PROJECT_SOURCE_DIR}/lab/peers/list.hpp")
    endforeach()
endif()
# It reads options and prints; what is measured lies in programs and library.
target_compile_options(parley_command PRIVATE $<$<CONFIG:Release>:-O1>)
# Where in a cache line a function happens to begin made 10% of fib, on every scheduler and from one commit
# to the next without a change to it.
foreach(target IN ITEMS parley_programs parley_papers_programs)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-falign-functions=64>)
endforeach()

set_target_properties(parley_command PROPERTIES UNITY_BUILD ${PARLEY_UNITE})

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

# parley calls the others, which lie beside it.
function(parley_program target name folder)
    add_executable(${target} "${PROJECT_SOURCE_DIR}/${folder}/main.cpp")
    target_link_libraries(${target} PRIVATE ${ARGN})
    set_target_properties(${target} PROPERTIES
        OUTPUT_NAME ${name}
        RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin"
        INSTALL_RPATH "\$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
    parley_warnings(${target})
endfunction()
parley_program(parley_cli parley command parley_command_shared)
parley_program(parley_lab_cli parley-lab lab/command parley_command parley_programs)
parley_program(parley_broker_cli parley-broker broker/command parley_broker_command)
add_dependencies(parley_cli parley_lab_cli parley_broker_cli)
if(NOT PARLEY_INSTALL)
    return()
endif()
install(TARGETS parley_cli parley_lab_cli parley_broker_cli)
install(FILES ${cost_files} DESTINATION "${CMAKE_INSTALL_DATADIR}/parley/costs")

# For users who want the broker to start when a program asks for it.
install(FILES "${PROJECT_SOURCE_DIR}/packaging/systemd/parley-broker.socket" DESTINATION lib/systemd/user)
# Where the command is in the end is known when it is installed. In a package that is below the folder in which the
# package is made.
install(CODE "
    set(bin \"${CMAKE_INSTALL_BINDIR}\")
    if(NOT IS_ABSOLUTE \"\${bin}\")
        set(bin \"\${CMAKE_INSTALL_PREFIX}/\${bin}\")
    endif()
    string(REGEX REPLACE \"^.*/_CPack_Packages/[^/]+/[^/]+/[^/]+\" \"\" bin \"\${bin}\")
    configure_file(\"${PROJECT_SOURCE_DIR}/packaging/systemd/parley-broker.service.in\"
        \"${PROJECT_BINARY_DIR}/generated/parley-broker.service\" @ONLY)
    file(INSTALL DESTINATION \"\${CMAKE_INSTALL_PREFIX}/lib/systemd/user\" TYPE FILE
        FILES \"${PROJECT_BINARY_DIR}/generated/parley-broker.service\")")
