# Installs headers, library, the package for find_package(parley), and parley.pc for pkg-config.
# What is installed may be moved as a whole: no file in it names the prefix.

include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/parley")

install(DIRECTORY "${PROJECT_SOURCE_DIR}/parley/" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/parley"
    FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h" PATTERN "*.f90" PATTERN "broker/service" EXCLUDE)
install(TARGETS parley EXPORT parley-targets)
install(EXPORT parley-targets NAMESPACE parley:: DESTINATION "${package_dir}")

# find_package(parley COMPONENTS cluster): apart, for its users need MPI.
if(PARLEY_MPI)
    install(TARGETS parley_cluster EXPORT parley-cluster-targets)
    install(EXPORT parley-cluster-targets NAMESPACE parley:: DESTINATION "${package_dir}")
endif()

get_target_property(library_type parley TYPE)
configure_package_config_file(
    "${CMAKE_CURRENT_LIST_DIR}/parley-config.cmake.in" "${PROJECT_BINARY_DIR}/parley-config.cmake"
    INSTALL_DESTINATION "${package_dir}" NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/parley-config-version.cmake"
    COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/parley-config.cmake"
    "${PROJECT_BINARY_DIR}/parley-config-version.cmake" DESTINATION "${package_dir}")

# A static library's users link hwloc themselves; a shared library brings it.
set(pc_requires "Requires")
if(library_type STREQUAL "SHARED_LIBRARY")
    set(pc_requires "Requires.private")
endif()
file(RELATIVE_PATH pc_up "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
string(REGEX REPLACE "/$" "" pc_up "${pc_up}")
configure_file("${CMAKE_CURRENT_LIST_DIR}/parley.pc.in" "${PROJECT_BINARY_DIR}/parley.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/parley.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
