# parley_warnings(TARGET): the warnings that all of Parley's own code must be free of. PARLEY_ERROR_AT_WARNINGS: the option
# that makes the developers' compilers stop at them, if they should.

# Other compilers than these have false alarms that nobody has looked at.
set(PARLEY_ERROR_AT_WARNINGS "")
if(PARLEY_WARNINGS_AS_ERRORS AND
        "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}" MATCHES "^(GNU 12|Clang 16|Clang 19)\\.")
    set(PARLEY_ERROR_AT_WARNINGS -Werror)
endif()

function(parley_warnings target)
    set(flags -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor
        -Wold-style-cast -Wcast-align -Woverloaded-virtual)
    list(APPEND flags ${PARLEY_ERROR_AT_WARNINGS})
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        # g++ 12 sees overlapping copies in std::string's operator+ that cannot be (GCC bug 105651).
        list(APPEND flags -Wno-restrict)
        if(PARLEY_SANITIZE)
            # The checks that sanitizers insert hide from g++ that a variable was set.
            list(APPEND flags -Wno-maybe-uninitialized)
        elseif(target STREQUAL "parley")
            # Elsewhere it finds null pointers in g++ 12's own <streambuf>.
            list(APPEND flags -Wnull-dereference)
        endif()
    else()
        list(APPEND flags -Wnull-dereference)
        if(CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 19)
            # It finds std::get_temporary_buffer in libstdc++ 12's own std::stable_sort; the others look for ours.
            list(APPEND flags -Wno-deprecated-declarations)
        endif()
    endif()
    target_compile_options(${target} PRIVATE ${flags})
endfunction()
