# Only a program that is linked with parley::broker has a thread, a descriptor and system calls for it, and looks for a
# socket; by find_package and by pkg-config.

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

# Sets `found` to what `program` asks of the system that only who looks for a broker asks: calls for sockets, watches and
# timers, the socket's name, and threads beside the one that is its second worker. Nobody says where the broker is.
function(find_calls program)
    unset(ENV{PARLEY_BROKER})
    must_run("${STRACE}" -f -qq -o "${WORK_DIR}/${program}.trace" "${WORK_DIR}/build/${program}")
    file(READ "${WORK_DIR}/${program}.trace" trace)
    string(REGEX MATCHALL
        "(socket|connect|bind|p?poll|inotify_[a-z0-9_]+|epoll_[a-z0-9_]+|timerfd_[a-z]+|eventfd2?)\\(|broker\\.sock" all "${trace}")
    string(REGEX MATCHALL "\n[0-9]+ +(clone|clone3|fork|vfork)\\(" threads "${trace}")
    list(LENGTH threads count)
    if(NOT count EQUAL 1)
        list(APPEND all "${count} threads")
    endif()
    list(REMOVE_DUPLICATES all)
    set(found "${all}" PARENT_SCOPE)
endfunction()

# Where the program is that counts the calls, and may do that.
find_program(STRACE strace)
set(may_trace 1)
if(STRACE)
    execute_process(COMMAND "${STRACE}" -f -qq -o "${WORK_DIR}/none.trace" "${CMAKE_COMMAND}" -E true
        RESULT_VARIABLE may_trace OUTPUT_QUIET ERROR_QUIET)
endif()
if(may_trace EQUAL 0)
    find_calls(alone)
    if(found)
        message(FATAL_ERROR "alone, which is not linked with parley::broker, asks the system for: ${found}")
    endif()
    foreach(program shares shares_by_pkg_config)
        find_calls("${program}")
        foreach(call IN ITEMS "socket(" "connect(" "broker.sock" "2 threads")
            list(FIND found "${call}" at)
            if(at EQUAL -1)
                message(FATAL_ERROR "${program}, which is linked with parley::broker, asks only for: ${found}")
            endif()
        endforeach()
    endforeach()
else()
    message("there is no strace here, or it may not trace: system calls are not looked at")
endif()

execute_process(COMMAND ${configure} -B "${WORK_DIR}/unknown" "-DWANTED_COMPONENTS=nosuch"
    RESULT_VARIABLE status OUTPUT_QUIET ERROR_VARIABLE complained)
if(status EQUAL 0 OR NOT complained MATCHES "no component nosuch")
    message(FATAL_ERROR "an unknown component: ${complained}")
endif()
