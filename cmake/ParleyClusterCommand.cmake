# parley-cluster, which `parley cluster` calls, and the same in virtual time for smpirun.

# The programs are the laboratory's, by their sources: none of its targets is needed.
file(GLOB cluster_programs CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/lab/programs/cluster/*.cpp")
file(GLOB cluster_command CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/cluster/command/*.cpp")
list(FILTER cluster_command EXCLUDE REGEX "/(real|simulated)_ranks\\.cpp$")
set(real_ranks "${PROJECT_SOURCE_DIR}/cluster/command/real_ranks.cpp" "${PROJECT_SOURCE_DIR}/command/signals.cpp"
    "${PROJECT_SOURCE_DIR}/command/terminal.cpp")
set(simulated_ranks "${PROJECT_SOURCE_DIR}/cluster/command/simulated_ranks.cpp")
foreach(name IN ITEMS build json_lines machine statistics usage)
    list(APPEND cluster_command "${PROJECT_SOURCE_DIR}/command/${name}.cpp")
endforeach()
foreach(name IN ITEMS sha1_extensions sha1_portable uts_tree)
    list(APPEND cluster_programs "${PROJECT_SOURCE_DIR}/lab/programs/${name}.cpp")
endforeach()
set(cluster_libraries parley_build_info fmt::fmt CLI11::CLI11 nlohmann_json::nlohmann_json)

# As the command: what is measured lies in programs and library.
set(without_main ${cluster_command} ${real_ranks})
list(REMOVE_ITEM without_main "${PROJECT_SOURCE_DIR}/cluster/command/main.cpp")
add_library(parley_cluster_command OBJECT ${without_main})
target_include_directories(parley_cluster_command PUBLIC "${PROJECT_SOURCE_DIR}")
target_link_libraries(parley_cluster_command PUBLIC parley::cluster ${cluster_libraries})
# Ranks share the cores of their machine by a broker where there is one.
if(TARGET parley::broker)
    target_link_libraries(parley_cluster_command PUBLIC parley::broker)
endif()
target_compile_options(parley_cluster_command PRIVATE $<$<CONFIG:Release>:-O1>)
set_target_properties(parley_cluster_command PROPERTIES UNITY_BUILD ${PARLEY_UNITY})
parley_warnings(parley_cluster_command)

# Each has a run() of its own.
set_source_files_properties(${cluster_programs} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
parley_program(parley_cluster_cli parley-cluster cluster/command parley_cluster_command)
target_sources(parley_cluster_cli PRIVATE ${cluster_programs})

# smpirun loads it as a library. SimGrid's headers redefine words such as sleep() in what they compile, so its
# compiler wrapper is not used: only its mpi.h and its library.
if(PARLEY_SMPI)
    find_package(Threads REQUIRED)
    get_target_property(library_sources parley SOURCES)
    # What the cluster does not use.
    list(FILTER library_sources EXCLUDE REGEX "^farm/")
    list(TRANSFORM library_sources PREPEND "${PROJECT_SOURCE_DIR}/parley/")
    get_target_property(ranks_sources parley_cluster_ranks SOURCES)
    list(TRANSFORM ranks_sources PREPEND "${PROJECT_SOURCE_DIR}/cluster/")
    add_library(parley_cluster_smpi MODULE
        ${cluster_command} ${simulated_ranks} ${cluster_programs} ${library_sources} ${ranks_sources}
        "${PROJECT_SOURCE_DIR}/cluster/parley/cluster/mpi_medium.cpp"
        "${PROJECT_SOURCE_DIR}/cluster/parley/cluster/over_smpi.cpp")
    target_include_directories(parley_cluster_smpi PRIVATE
        "${PARLEY_SMPI_INCLUDE}/smpi" "${PARLEY_SMPI_INCLUDE}" "${PROJECT_SOURCE_DIR}"
        "${PROJECT_SOURCE_DIR}/cluster")
    target_compile_definitions(parley_cluster_smpi PRIVATE PARLEY_SMPI)
    # All ranks live in one process: no static of an inline function may be one for all of them by accident.
    target_compile_options(parley_cluster_smpi PRIVATE -fPIC -O1 $<$<CXX_COMPILER_ID:GNU>:-fno-gnu-unique>)
    target_link_libraries(parley_cluster_smpi PRIVATE
        ${PARLEY_SIMGRID} Threads::Threads ${cluster_libraries})
    if(TARGET PkgConfig::PARLEY_HWLOC)
        target_link_libraries(parley_cluster_smpi PRIVATE PkgConfig::PARLEY_HWLOC)
    endif()
    target_link_options(parley_cluster_smpi PRIVATE -Wl,-z,defs)
    set_target_properties(parley_cluster_smpi PROPERTIES
        PREFIX "" OUTPUT_NAME parley-cluster-smpi
        UNITY_BUILD ${PARLEY_UNITY}
        LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
    parley_warnings(parley_cluster_smpi)
endif()
