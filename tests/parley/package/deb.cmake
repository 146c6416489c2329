# Each Debian package holds what it should, depends on what that needs and on no more, and works: alone, or on those that it
# depends on.

include("${CMAKE_CURRENT_LIST_DIR}/must_run.cmake")

file(REMOVE_RECURSE "${WORK_DIR}")
string(REPLACE "," ";" components "${COMPONENTS}")
execute_process(COMMAND "${CPACK}" -G DEB --config "${BUILD_DIR}/CPackConfig.cmake" -B "${WORK_DIR}"
    -D "CPACK_COMPONENTS_ALL=${components}" RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
if(NOT status EQUAL 0)
    message(FATAL_ERROR "cpack ended with ${status}: ${said}")
endif()
file(GLOB packages RELATIVE "${WORK_DIR}" "${WORK_DIR}/*.deb")
list(TRANSFORM packages REPLACE "_.*" "")
list(SORT components)
list(SORT packages)
if(NOT packages STREQUAL components)
    message(FATAL_ERROR "wanted ${components}, found: ${packages}")
endif()

# Unpacks a package and those that it stands on into a root of its own, which is $root then.
function(unpack) # packages...
    list(JOIN ARGN "-on-" name)
    set(root "${WORK_DIR}/roots/${name}")
    file(MAKE_DIRECTORY "${root}")
    foreach(package IN LISTS ARGN)
        file(GLOB deb "${WORK_DIR}/${package}_*.deb")
        must_run("${DPKG_DEB}" -x "${deb}" "${root}")
    endforeach()
    set(root "${root}" PARENT_SCOPE)
endfunction()

# Dependencies beside those that every C++ program has; regular expressions, one for each.
function(must_depend package) # dependencies...
    file(GLOB deb "${WORK_DIR}/${package}_*.deb")
    must_run("${DPKG_DEB}" -f "${deb}" Depends)
    string(REGEX REPLACE " *\n$" "" output "${output}")
    string(REPLACE ", " ";" depends "${output}")
    list(FILTER depends EXCLUDE REGEX "^(libc6|libgcc-s1|libstdc\\+\\+6)( |$)")
    foreach(wanted IN LISTS ARGN)
        set(rest "${depends}")
        list(FILTER rest INCLUDE REGEX "^${wanted}")
        if(NOT rest)
            message(FATAL_ERROR "${package} does not depend on ${wanted}: ${depends}")
        endif()
        list(FILTER depends EXCLUDE REGEX "^${wanted}")
    endforeach()
    if(depends)
        message(FATAL_ERROR "${package} need not depend on ${depends}")
    endif()
endfunction()

function(must_hold package) # files, and folders that are not looked into; sets root, too
    unpack("${package}")
    file(GLOB_RECURSE found RELATIVE "${root}/usr" "${root}/usr/*")
    foreach(wanted IN LISTS ARGN)
        if(NOT EXISTS "${root}/usr/${wanted}" AND NOT IS_SYMLINK "${root}/usr/${wanted}")
            message(FATAL_ERROR "${package} has no /usr/${wanted}")
        endif()
        list(FILTER found EXCLUDE REGEX "^${wanted}($|/)")
    endforeach()
    if(found)
        message(FATAL_ERROR "${package} has these, too: ${found}")
    endif()
    set(root "${root}" PARENT_SCOPE)
endfunction()

# `parley VERB...` in $root ends so, and one of its lines is like that.
function(must_say status like) # words...
    execute_process(COMMAND "${root}/usr/bin/parley" ${ARGN} RESULT_VARIABLE ended OUTPUT_VARIABLE said ERROR_VARIABLE said)
    if(NOT ended STREQUAL status OR NOT said MATCHES "${like}")
        message(FATAL_ERROR "parley ${ARGN} in ${root} ended with ${ended}: ${said}")
    endif()
endfunction()

string(REPLACE "." "\\." same " \\(= ${VERSION}\\)$")
set(hwloc "")
if(HWLOC)
    set(hwloc libhwloc15)
    set(hwloc_dev libhwloc-dev)
endif()

if("libparley-dev" IN_LIST components)
    must_depend(libparley0 ${hwloc})
    string(REGEX MATCH "^[0-9]+\\.[0-9]+" soversion "${VERSION}")
    must_hold(libparley0 "${LIBDIR}/libparley.so.${soversion}" "${LIBDIR}/libparley.so.${VERSION}")
    must_depend(libparley-dev "libparley0${same}" ${hwloc_dev})
    must_hold(libparley-dev include/parley "${LIBDIR}/libparley.a" "${LIBDIR}/libparley_tasking.a" "${LIBDIR}/libparley_broker.a"
        "${LIBDIR}/pkgconfig" "${LIBDIR}/cmake/parley" share/parley/gdb "${LIBDIR}/libparley.so")

    # What a programmer installs, and what their program needs then.
    unpack(libparley0 libparley-dev)
    set(ENV{PKG_CONFIG_PATH} "${root}/usr/${LIBDIR}/pkgconfig")
    must_run(pkg-config --cflags --libs parley)
    separate_arguments(flags UNIX_COMMAND "${output}")
    must_run("${CXX}" -std=c++20 -O1 "${CONSUMER_DIR}/main.cpp" -o "${WORK_DIR}/consumer" ${flags})
    set(ENV{LD_LIBRARY_PATH} "${root}/usr/${LIBDIR}")
    must_run(ldd "${WORK_DIR}/consumer")
    if(NOT output MATCHES "libparley\\.so\\.${soversion} => ${root}")
        message(FATAL_ERROR "the program is linked with ${output}")
    endif()
    must_run("${WORK_DIR}/consumer")
    unset(ENV{LD_LIBRARY_PATH})
    if(NOT output MATCHES "^42 from parley ${VERSION}\n$")
        message(FATAL_ERROR "the program printed: ${output}")
    endif()
endif()

if("parley" IN_LIST components)
    must_depend(parley libfmt ${hwloc})
    must_hold(parley bin/parley)
    must_say(0 "parley ${VERSION}" --version)
    must_say(0 "machine " info)
    must_say(2 "package parley-lab" run fib)
    must_say(2 "package parley-broker" top --once)
    must_say(2 "package parley-cluster" cluster uts)
endif()

if("parley-broker" IN_LIST components)
    must_depend(parley-broker "parley${same}" libfmt libhwloc15)
    must_hold(parley-broker bin/parley-broker lib/systemd/user)
    file(READ "${root}/usr/lib/systemd/user/parley-broker.service" unit)
    if(NOT unit MATCHES "ExecStart=/usr/bin/parley broker\n" OR NOT EXISTS "${root}/usr/lib/systemd/user/parley-broker.socket")
        message(FATAL_ERROR "the packaged unit starts something else: ${unit}")
    endif()
    # It answers, at a socket whose path is short. No semicolons: they would part arguments.
    unpack(parley parley-broker)
    must_run(timeout 60 sh -c "folder=$(mktemp -d)
        '${root}/usr/bin/parley' broker --socket $folder/socket >/dev/null 2>&1 &
        for i in $(seq 100)
        do
            '${root}/usr/bin/parley' top --once --socket $folder/socket && answered=1 && break
            sleep 0.1
        done
        kill $!
        wait
        rm -r $folder
        [ \"$answered\" = 1 ]")
endif()

if("parley-cluster" IN_LIST components)
    must_depend(parley-cluster "parley${same}" libfmt ${hwloc} "(libopenmpi|libmpich)")
    must_hold(parley-cluster bin/parley-cluster include/parley/cluster
        include/parley/cluster.h include/parley/cluster.hpp "${LIBDIR}/libparley_cluster.a" "${LIBDIR}/cmake/parley")
    unpack(parley parley-cluster)
    must_say(0 ", right" cluster nqueens --n 6 --local 2 --repeat 1)
endif()

if("parley-lab" IN_LIST components)
    # The schedulers that the programs are compared on.
    set(peers "")
    if(TBB)
        list(APPEND peers libtbb12)
    endif()
    if(OPENMP)
        list(APPEND peers "(libgomp1|libomp5)")
    endif()
    must_depend(parley-lab "parley${same}" libfmt ${hwloc} ${peers})
    must_hold(parley-lab bin/parley-lab share/parley/costs)
    unpack(parley parley-lab)
    must_say(0 "verified  yes" run fib --n 20 --repeat 1)
endif()
