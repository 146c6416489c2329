# A toolchain for another processor: Debian's cross compiler builds, QEMU runs. Include this with PROCESSOR set.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${PROCESSOR})
set(CMAKE_C_COMPILER ${PROCESSOR}-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER ${PROCESSOR}-linux-gnu-g++)
set(CMAKE_CROSSCOMPILING_EMULATOR "${CMAKE_CURRENT_LIST_DIR}/run" ${PROCESSOR})

# Libraries are those of that processor alone. Headers that are the same for all lie in /usr/include, and come last.
set(CMAKE_FIND_ROOT_PATH /usr/${PROCESSOR}-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE BOTH)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE BOTH)
set(CMAKE_CXX_FLAGS_INIT "-idirafter /usr/include")
