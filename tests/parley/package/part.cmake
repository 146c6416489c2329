# As a part of another project the library builds and installs nothing that is not asked for.

include("${CMAKE_CURRENT_LIST_DIR}/must_run.cmake")

file(REMOVE_RECURSE "${WORK_DIR}")
# Compiled as quickly as can be.
set(configure "${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}/part" -B "${WORK_DIR}/build" -G "${GENERATOR}"
    "-DCMAKE_CXX_COMPILER=${CXX}" "-DPARLEY_SOURCE_DIR=${SOURCE_DIR}" "-DPARLEY_UNITY=ON" "-DCMAKE_CXX_FLAGS=-O0"
    "-DBUILD_SHARED_LIBS=${SHARED}")
must_run(${configure})
must_run("${CMAKE_COMMAND}" --build "${WORK_DIR}/build" --target help)
if(NOT output MATCHES "parley_tasking" OR output MATCHES "parley_(broker|cluster|cli|sim)|test_|example_")
    message(FATAL_ERROR "as a part it has the targets ${output}")
endif()
must_run("${CMAKE_COMMAND}" --build "${WORK_DIR}/build")
must_run("${WORK_DIR}/build/whole")
if(NOT output MATCHES "^42 from parley ${VERSION}\n$")
    message(FATAL_ERROR "the program printed: ${output}")
endif()
file(GLOB_RECURSE built "${WORK_DIR}/build/lib*.a" "${WORK_DIR}/build/lib*.so")
if(NOT built MATCHES "/libparley\\.(a|so)$")
    message(FATAL_ERROR "built were: ${built}")
endif()

function(must_install wanted)
    file(REMOVE_RECURSE "${WORK_DIR}/installed")
    must_run("${CMAKE_COMMAND}" --install "${WORK_DIR}/build" --prefix "${WORK_DIR}/installed")
    file(GLOB_RECURSE installed RELATIVE "${WORK_DIR}/installed" "${WORK_DIR}/installed/*")
    list(FILTER installed INCLUDE REGEX "${ARGN}")
    if(NOT installed STREQUAL wanted)
        message(FATAL_ERROR "wanted ${wanted}, installed: ${installed}")
    endif()
endfunction()

must_install(bin/whole ".")
# A house that is asked for is a library.
must_run(${configure} "-DPARLEY_BROKER=ON")
must_run("${CMAKE_COMMAND}" --build "${WORK_DIR}/build" --target help)
if(NOT output MATCHES "parley_broker" OR output MATCHES "parley_(broker_cli|cli)")
    message(FATAL_ERROR "as a part with a broker it has the targets ${output}")
endif()
must_run(${configure} "-DPARLEY_BROKER=OFF" "-DPARLEY_INSTALL=ON")
must_run("${CMAKE_COMMAND}" --build "${WORK_DIR}/build")
must_install("include/parley/parley.hpp" "/parley\\.hpp$")
