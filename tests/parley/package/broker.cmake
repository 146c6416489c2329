# Only a program that is linked with parley::broker has a thread and a descriptor for it, and looks for a socket; by
# find_package and by pkg-config.

include("${CMAKE_CURRENT_LIST_DIR}/install.cmake")

set(configure "${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}/broker_consumer" -G "${GENERATOR}"
    "-DCMAKE_CXX_COMPILER=${CXX}" "-DCMAKE_PREFIX_PATH=${prefix}")
must_run(${configure} -B "${WORK_DIR}/build" "-DWANTED_COMPONENTS=broker")
must_run("${CMAKE_COMMAND}" --build "${WORK_DIR}/build")

set(ENV{PKG_CONFIG_PATH} "${prefix}/${LIBDIR}/pkgconfig")
must_run(pkg-config --cflags --libs parley-broker)
separate_arguments(flags UNIX_COMMAND "${output}")
must_run("${CXX}" -std=c++20 "${CMAKE_CURRENT_LIST_DIR}/broker_consumer/main.cpp" ${flags} -lhwloc
    -o "${WORK_DIR}/build/shares_by_pkg_config")

set(ENV{LD_LIBRARY_PATH} "${prefix}/${LIBDIR}")
set(ENV{PARLEY_WORKERS} 2)
function(must_say program broker out err)
    set(ENV{PARLEY_BROKER} "${broker}")
    execute_process(COMMAND "${WORK_DIR}/build/${program}" OUTPUT_VARIABLE said ERROR_VARIABLE complained
        RESULT_VARIABLE status)
    if(NOT status EQUAL 0 OR NOT said MATCHES "^${out}\n$" OR NOT complained MATCHES "^${err}$")
        message(FATAL_ERROR "${program}, PARLEY_BROKER=${broker}: ${status}\n${said}${complained}")
    endif()
endfunction()

set(nobody "${WORK_DIR}/nobody/broker.sock")
must_say(alone off "2 threads, 0 descriptors more" "")
must_say(alone "${nobody}" "2 threads, 0 descriptors more" "[^\n]*not linked with parley::broker[^\n]*${nobody}\n")
foreach(program shares shares_by_pkg_config)
    must_say("${program}" off "2 threads, 0 descriptors more" "")
    must_say("${program}" "${nobody}" "3 threads, [1-9] descriptors more" "[^\n]*nobody answers at ${nobody}[^\n]*\n")
endforeach()

execute_process(COMMAND ${configure} -B "${WORK_DIR}/unknown" "-DWANTED_COMPONENTS=nosuch"
    RESULT_VARIABLE status OUTPUT_QUIET ERROR_VARIABLE complained)
if(status EQUAL 0 OR NOT complained MATCHES "no component nosuch")
    message(FATAL_ERROR "an unknown component: ${complained}")
endif()
