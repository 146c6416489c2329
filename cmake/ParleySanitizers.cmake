# PARLEY_SANITIZE (a list for -fsanitize=, as "address;undefined") and PARLEY_COVERAGE, for all targets.

set(PARLEY_SANITIZE "" CACHE STRING "Sanitizers to build everything with: address;undefined or thread")
option(PARLEY_COVERAGE "Count executed lines for gcov" OFF)

if(PARLEY_SANITIZE)
    list(JOIN PARLEY_SANITIZE "," sanitizers)
    set(flags -fsanitize=${sanitizers} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    add_compile_options(${flags})
    add_link_options(${flags})
endif()

if(PARLEY_COVERAGE)
    # Counters are shared between threads.
    add_compile_options(--coverage -fprofile-update=atomic)
    add_link_options(--coverage)
endif()
