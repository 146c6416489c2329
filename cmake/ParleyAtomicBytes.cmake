# On some processors (riscv64 with g++ 12) what changes an atomic byte is in a library of the compiler's. PARLEY_ATOMIC_BYTES: it
# is not. PARLEY_LIBATOMIC is what parley.pc says then.
include(CheckCXXSourceCompiles)

check_cxx_source_compiles("#include <atomic>
std::atomic<unsigned char> byte;
int main() { return byte.exchange(1); }" PARLEY_ATOMIC_BYTES)
set(PARLEY_LIBATOMIC "")
if(NOT PARLEY_ATOMIC_BYTES)
    set(PARLEY_LIBATOMIC " -latomic")
endif()
