# Included by the package tests: installs the build to WORK_DIR/moved, by way of another prefix, since
# what is installed must not remember where. Sets prefix.

include("${CMAKE_CURRENT_LIST_DIR}/must_run.cmake")

file(REMOVE_RECURSE "${WORK_DIR}")
# All but the laboratory, which is large, and not built for the others' tests.
string(REPLACE "," ";" components "${COMPONENTS}")
foreach(component IN LISTS components)
    must_run("${CMAKE_COMMAND}" --install "${BUILD_DIR}" --prefix "${WORK_DIR}/first" --component "${component}")
endforeach()
if(NOT SHARED)
    file(REMOVE "${WORK_DIR}/first/${LIBDIR}/libparley.so") # only the package has it
endif()
# A systemd unit has to name its command in full, wherever that is installed.
if("parley-broker" IN_LIST components)
    file(READ "${WORK_DIR}/first/lib/systemd/user/parley-broker.service" unit)
    string(FIND "${unit}" "ExecStart=${WORK_DIR}/first/bin/parley broker\n" at)
    if(at EQUAL -1)
        message(FATAL_ERROR "the installed unit starts something else: ${unit}")
    endif()
endif()
set(prefix "${WORK_DIR}/moved")
file(RENAME "${WORK_DIR}/first" "${prefix}")
