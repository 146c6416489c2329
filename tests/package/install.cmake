# Included by the package tests: installs the build to WORK_DIR/moved, by way of another prefix, since
# what is installed must not remember where. Sets prefix.

include("${CMAKE_CURRENT_LIST_DIR}/must_run.cmake")

file(REMOVE_RECURSE "${WORK_DIR}")
must_run("${CMAKE_COMMAND}" --install "${BUILD_DIR}" --prefix "${WORK_DIR}/first")
set(prefix "${WORK_DIR}/moved")
file(RENAME "${WORK_DIR}/first" "${prefix}")
