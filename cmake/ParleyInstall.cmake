# Installs headers, libraries, the package for find_package(parley), and parley.pc, parley-broker.pc and
# parley-tasking.pc for pkg-config.
# What is installed may be moved as a whole: no file in it names the prefix. Each component is a Debian package
# (ParleyPackage.cmake).

include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/parley")

# Public headers, and what they include: not what the library alone is made of.
function(parley_reached_from folder file)
    get_property(reached GLOBAL PROPERTY PARLEY_INSTALLED_HEADERS)
    if(file IN_LIST reached OR NOT EXISTS "${folder}/${file}")
        return()
    endif()
    set_property(GLOBAL APPEND PROPERTY PARLEY_INSTALLED_HEADERS "${file}")
    if(NOT file STREQUAL "parley/version.hpp") # ParleyVersion.cmake does so
        set_property(DIRECTORY "${PROJECT_SOURCE_DIR}" APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${folder}/${file}")
    endif()
    file(STRINGS "${folder}/${file}" lines REGEX "^#include <parley/")
    foreach(line IN LISTS lines)
        string(REGEX REPLACE "^#include <(parley/[^>]+)>.*" "\\1" included "${line}")
        parley_reached_from("${folder}" "${included}")
    endforeach()
endfunction()
file(GLOB public_headers CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/parley/*.hpp")
# What <parley/cluster...> includes of the library is installed, too.
file(GLOB_RECURSE cluster_headers CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/cluster/parley/*.hpp")
foreach(header IN LISTS cluster_headers)
    file(STRINGS "${PROJECT_SOURCE_DIR}/${header}" lines REGEX "^#include <parley/")
    list(TRANSFORM lines REPLACE "^#include <(parley/[^>]+)>.*" "\\1")
    list(APPEND public_headers ${lines})
endforeach()
foreach(header IN LISTS public_headers)
    parley_reached_from("${PROJECT_SOURCE_DIR}" "${header}")
endforeach()
get_property(installed_headers GLOBAL PROPERTY PARLEY_INSTALLED_HEADERS)
foreach(header IN LISTS installed_headers)
    cmake_path(GET header PARENT_PATH folder)
    install(FILES "${PROJECT_SOURCE_DIR}/${header}" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/${folder}" COMPONENT libparley-dev)
endforeach()
# It is on the include path of those who use tasking.h: what is inside would hide headers of theirs.
install(DIRECTORY "${PROJECT_SOURCE_DIR}/parley/tasking/" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/parley/tasking"
    COMPONENT libparley-dev FILES_MATCHING PATTERN "*.h")
set(libraries parley parley_tasking)
if(PARLEY_BROKER)
    list(APPEND libraries parley_broker)
endif()
install(TARGETS ${libraries} EXPORT parley-targets
    LIBRARY COMPONENT libparley0 NAMELINK_COMPONENT libparley-dev
    ARCHIVE COMPONENT libparley-dev)
if(TARGET parley_shared)
    install(TARGETS parley_shared LIBRARY COMPONENT libparley0 NAMELINK_SKIP)
    # Of the package alone: where there is such a link -lparley means the shared library.
    install(TARGETS parley_shared LIBRARY COMPONENT libparley-dev NAMELINK_ONLY EXCLUDE_FROM_ALL)
endif()
install(EXPORT parley-targets NAMESPACE parley:: DESTINATION "${package_dir}" COMPONENT libparley-dev)

# find_package(parley COMPONENTS cluster): apart, for its users need MPI.
if(PARLEY_MPI)
    install(DIRECTORY "${PROJECT_SOURCE_DIR}/cluster/parley/" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/parley" COMPONENT parley-cluster
        FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h" PATTERN "*.f90")
    install(TARGETS parley_cluster EXPORT parley-cluster-targets COMPONENT parley-cluster)
    install(EXPORT parley-cluster-targets NAMESPACE parley:: DESTINATION "${package_dir}" COMPONENT parley-cluster)
endif()

get_target_property(library_type parley TYPE)
set(users_link_hwloc FALSE)
if(TARGET PkgConfig::PARLEY_HWLOC AND library_type STREQUAL "STATIC_LIBRARY")
    set(users_link_hwloc TRUE)
endif()
configure_package_config_file(
    "${CMAKE_CURRENT_LIST_DIR}/parley-config.cmake.in" "${PROJECT_BINARY_DIR}/parley-config.cmake"
    INSTALL_DESTINATION "${package_dir}" NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/parley-config-version.cmake"
    COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/parley-config.cmake"
    "${PROJECT_BINARY_DIR}/parley-config-version.cmake" DESTINATION "${package_dir}" COMPONENT libparley-dev)

# A static library's users link hwloc themselves, if it was built with it; a shared library brings it.
set(pc_requires "")
if(TARGET PkgConfig::PARLEY_HWLOC AND library_type STREQUAL "SHARED_LIBRARY")
    set(pc_requires "Requires.private: hwloc\n")
elseif(TARGET PkgConfig::PARLEY_HWLOC)
    set(pc_requires "Requires: hwloc\n")
endif()
file(RELATIVE_PATH pc_up "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
string(REGEX REPLACE "/$" "" pc_up "${pc_up}")
configure_file("${CMAKE_CURRENT_LIST_DIR}/parley.pc.in" "${PROJECT_BINARY_DIR}/parley.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/parley.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig" COMPONENT libparley-dev)

# For a plain C compiler: it does not bring the C++ library, which a static library leaves to its users.
set(pc_tasking_libraries "-lparley_tasking -lparley")
if(library_type STREQUAL "STATIC_LIBRARY")
    set(implicit ${CMAKE_CXX_IMPLICIT_LINK_LIBRARIES})
    list(FILTER implicit INCLUDE REGEX "^(stdc\\+\\+|c\\+\\+|c\\+\\+abi|m)$")
    list(REMOVE_DUPLICATES implicit)
    foreach(library IN LISTS implicit)
        string(APPEND pc_tasking_libraries " -l${library}")
    endforeach()
endif()
configure_file("${CMAKE_CURRENT_LIST_DIR}/parley-tasking.pc.in" "${PROJECT_BINARY_DIR}/parley-tasking.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/parley-tasking.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig" COMPONENT libparley-dev)

# Programs that are linked with it share cores by a broker.
if(PARLEY_BROKER)
    configure_file("${CMAKE_CURRENT_LIST_DIR}/parley-broker.pc.in" "${PROJECT_BINARY_DIR}/parley-broker.pc" @ONLY)
    install(FILES "${PROJECT_BINARY_DIR}/parley-broker.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig" COMPONENT libparley-dev)
endif()

# For gdb: suspended waits and their stacks (docs/guide/debugging.md).
install(FILES "${PROJECT_SOURCE_DIR}/share/gdb/parley.py" DESTINATION "${CMAKE_INSTALL_DATADIR}/parley/gdb" COMPONENT libparley-dev)
