# C for the tests and examples of what is for C, if there is a compiler. The library is C++.

if(PARLEY_BUILD_TESTS OR PARLEY_BUILD_EXAMPLES)
    include(CheckLanguage)
    check_language(C)
    if(CMAKE_C_COMPILER)
        enable_language(C)
    endif()
endif()
