# A C compiler, pkg-config and what is installed are enough for the thesis' programs.

include("${CMAKE_CURRENT_LIST_DIR}/install.cmake")

set(ENV{PKG_CONFIG_PATH} "${prefix}/${LIBDIR}/pkgconfig")
must_run(pkg-config --modversion parley-tasking)
if(NOT output STREQUAL "${VERSION}\n")
    message(FATAL_ERROR "pkg-config says version ${output}")
endif()

# What its users can include without naming a folder: tasking.h, and two that it includes.
must_run(pkg-config --cflags-only-I parley-tasking)
separate_arguments(folders UNIX_COMMAND "${output}")
set(reachable "")
foreach(folder IN LISTS folders)
    string(REGEX REPLACE "^-I" "" folder "${folder}")
    file(GLOB found RELATIVE "${folder}" "${folder}/*")
    list(APPEND reachable ${found})
endforeach()
list(SORT reachable)
if(NOT reachable STREQUAL "parley;tasking.h;tasking_calls.h;tasking_macros.h")
    message(FATAL_ERROR "on the include path of tasking.h's users are: ${reachable}")
endif()

must_run(pkg-config --cflags --libs parley-tasking)
separate_arguments(flags UNIX_COMMAND "${output}")
foreach(program listing_2_4 listing_4_2)
    must_run("${CC}" -std=gnu11 -O2 "${PROGRAMS_DIR}/${program}.c" -o "${WORK_DIR}/${program}" ${flags}
        "-Wl,-rpath,${prefix}/${LIBDIR}")
    foreach(workers 1 2 4)
        set(ENV{TASKING_NUM_WORKERS} ${workers})
        must_run("${WORK_DIR}/${program}")
    endforeach()
endforeach()

# The same in C++, by the package.
must_run("${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}/tasking_consumer" -B "${WORK_DIR}/build" -G "${GENERATOR}"
    "-DCMAKE_CXX_COMPILER=${CXX}" "-DCMAKE_PREFIX_PATH=${prefix}" "-DWANTED_VERSION=${VERSION}")
must_run("${CMAKE_COMMAND}" --build "${WORK_DIR}/build")
must_run("${WORK_DIR}/build/consumer")
if(NOT output MATCHES "^42 from a task\n$")
    message(FATAL_ERROR "the consumer printed: ${output}")
endif()
