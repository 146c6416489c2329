# A toolchain for musl, which Debian has no C++ library for: Zig's compiler has one (docs/internals/dependencies.md). What it
# makes is linked statically, and runs here.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER "${CMAKE_CURRENT_LIST_DIR}/zig" cc -target x86_64-linux-musl)
set(CMAKE_CXX_COMPILER "${CMAKE_CURRENT_LIST_DIR}/zig" c++ -target x86_64-linux-musl)
set(CMAKE_CXX_FLAGS_INIT "-fexperimental-library") # std::stop_token
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH "${CMAKE_CURRENT_LIST_DIR}") # none of the system's
