# parley_warnings(TARGET): the warnings that all of Parley's own code must be free of.

function(parley_warnings target)
    set(flags -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor
        -Wold-style-cast -Wcast-align -Woverloaded-virtual)
    if(PARLEY_WARNINGS_AS_ERRORS)
        list(APPEND flags -Werror)
    endif()
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
        # libstdc++ 12's own std::stable_sort allocates by std::get_temporary_buffer, which clang 19 says is deprecated.
        list(APPEND flags -Wno-deprecated-declarations)
        list(APPEND flags -Wnull-dereference)
    endif()
    target_compile_options(${target} PRIVATE ${flags})
endfunction()
