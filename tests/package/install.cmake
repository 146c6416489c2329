# Included by the package tests: installs the build to WORK_DIR/moved, by way of another prefix, since
# what is installed must not remember where. Sets prefix.

function(must_run)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(NOT status EQUAL 0)
        list(JOIN ARGN " " command)
        message(FATAL_ERROR "${command}\nended with ${status}:\n${output}")
    endif()
    set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE "${WORK_DIR}")
must_run("${CMAKE_COMMAND}" --install "${BUILD_DIR}" --prefix "${WORK_DIR}/first")
set(prefix "${WORK_DIR}/moved")
file(RENAME "${WORK_DIR}/first" "${prefix}")
