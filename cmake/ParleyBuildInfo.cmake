# Target parley_build_info: <parley_build_info.hpp>, which says what is being built and by what. It is
# looked at in every build, so that the commit is right, and written only when something changed.

set(build_info_dir "${PROJECT_BINARY_DIR}/generated")
string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type)
set(build_flags "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${build_type}}")
if(PARLEY_SANITIZE)
    string(APPEND build_flags " -fsanitize=${PARLEY_SANITIZE}")
    string(REPLACE ";" "," build_flags "${build_flags}")
endif()
string(STRIP "${build_flags}" build_flags)

add_custom_target(parley_build_info_header
    COMMAND "${CMAKE_COMMAND}"
        "-DSOURCE_DIR=${PROJECT_SOURCE_DIR}"
        "-DTEMPLATE=${CMAKE_CURRENT_LIST_DIR}/parley_build_info.hpp.in"
        "-DHEADER=${build_info_dir}/parley_build_info.hpp"
        "-DBUILD_TYPE=${CMAKE_BUILD_TYPE}"
        "-DCOMPILER=${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}"
        "-DFLAGS=${build_flags}"
        -P "${CMAKE_CURRENT_LIST_DIR}/write_build_info.cmake"
    BYPRODUCTS "${build_info_dir}/parley_build_info.hpp"
    COMMENT "" VERBATIM)

add_library(parley_build_info INTERFACE)
target_include_directories(parley_build_info INTERFACE "${build_info_dir}")
add_dependencies(parley_build_info parley_build_info_header)
