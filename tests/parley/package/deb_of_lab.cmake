# The package parley-lab, whose command takes longer to build than all others.
include("${CMAKE_CURRENT_LIST_DIR}/deb.cmake")
