# The command `parley`. Programs and command are object libraries, so that tests link them too and no
# part that registers itself by a static object gets lost.

find_package(fmt REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
include(ParleyBuildInfo) # target parley_build_info

file(GLOB_RECURSE program_sources CONFIGURE_DEPENDS
    "${PROJECT_SOURCE_DIR}/programs/*.cpp" "${PROJECT_SOURCE_DIR}/peers/*.cpp")
file(GLOB_RECURSE command_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/cli/*.cpp")
list(REMOVE_ITEM command_sources "${PROJECT_SOURCE_DIR}/cli/main.cpp")

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

parley_objects(parley_programs ${program_sources})
parley_objects(parley_command ${command_sources})
foreach(objects parley_programs parley_command)
    get_target_property(type ${objects} TYPE)
    if(type STREQUAL "OBJECT_LIBRARY")
        target_precompile_headers(${objects} PRIVATE
            <CLI/CLI.hpp> <fmt/core.h> <nlohmann/json.hpp> <string> <vector>)
    endif()
endforeach()

add_executable(parley_cli "${PROJECT_SOURCE_DIR}/cli/main.cpp")
target_link_libraries(parley_cli PRIVATE parley_command parley_programs)
set_target_properties(parley_cli PROPERTIES
    OUTPUT_NAME parley
    RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin"
    INSTALL_RPATH "\$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
parley_warnings(parley_cli)
install(TARGETS parley_cli)
