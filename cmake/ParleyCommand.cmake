# The command `parley`, what the commands share, and the commands of broker and cluster. The laboratory's is in lab/.

find_package(fmt REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
include(ParleyBuildInfo) # target parley_build_info

file(GLOB shared_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/command/*.cpp")
list(REMOVE_ITEM shared_sources "${PROJECT_SOURCE_DIR}/command/main.cpp")
add_library(parley_command_shared STATIC ${shared_sources})
target_include_directories(parley_command_shared PUBLIC "${PROJECT_SOURCE_DIR}")
target_link_libraries(parley_command_shared PUBLIC parley::parley parley_build_info
    fmt::fmt CLI11::CLI11 nlohmann_json::nlohmann_json)

# Commands read options and print: they are optimised a little.
function(parley_command_objects target)
    parley_warnings(${target})
    target_precompile_headers(${target} PRIVATE <nlohmann/json.hpp>)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ${PARLEY_UNITY})
endfunction()
parley_command_objects(parley_command_shared)

# parley calls the others, which lie beside it.
function(parley_program target name folder)
    add_executable(${target} "${PROJECT_SOURCE_DIR}/${folder}/main.cpp")
    target_link_libraries(${target} PRIVATE ${ARGN})
    set_target_properties(${target} PROPERTIES
        OUTPUT_NAME ${name}
        RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin"
        INSTALL_RPATH "\$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
    parley_warnings(${target})
    if(PARLEY_INSTALL)
        install(TARGETS ${target} COMPONENT ${name})
    endif()
endfunction()
parley_program(parley_cli parley command parley_command_shared)
if(PARLEY_BROKER AND TARGET parley_service)
    include(ParleyBrokerCommand)
endif()
if(PARLEY_CLUSTER AND PARLEY_MPI)
    include(ParleyClusterCommand)
endif()
