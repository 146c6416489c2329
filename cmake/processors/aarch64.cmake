set(PROCESSOR aarch64)
include("${CMAKE_CURRENT_LIST_DIR}/linux.cmake")
