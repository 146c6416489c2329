# Each examples/NAME.cpp becomes a program and a test that runs it; so does examples/uts, with what is counted there.

include(ParleyTests)

function(parley_example name) # sources
    add_executable(example_${name} ${ARGN})
    target_link_libraries(example_${name} PRIVATE parley::parley)
    set_target_properties(example_${name} PROPERTIES
        OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/examples")
    parley_warnings(example_${name})
    add_dependencies(example_tests example_${name})
    add_test(NAME example.${name} COMMAND example_${name})
    set_tests_properties(example.${name} PROPERTIES
        LABELS example TIMEOUT ${PARLEY_TEST_TIMEOUT_S} PROCESSORS 2)
endfunction()

file(GLOB example_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/examples/*.cpp")
include(ParleyStandardLibrary)
if(NOT PARLEY_LIBSTDCXX)
    list(FILTER example_sources EXCLUDE REGEX "/17_standard_algorithms\\.cpp$")
endif()
foreach(source IN LISTS example_sources)
    cmake_path(GET source STEM name)
    parley_example(${name} "${source}")
endforeach()
# docs/guide/standard-algorithms.md
if(TARGET example_17_standard_algorithms)
    target_compile_options(example_17_standard_algorithms PRIVATE "SHELL:-include parley/std_execution.hpp")
endif()

# `make run` builds this one alone.
set(uts_sources examples/uts/main.cpp lab/programs/sha1_extensions.cpp lab/programs/sha1_portable.cpp
    lab/programs/uts_tree.cpp)
list(TRANSFORM uts_sources PREPEND "${PROJECT_SOURCE_DIR}/")
parley_example(uts ${uts_sources})
set_tests_properties(example.uts PROPERTIES PASS_REGULAR_EXPRESSION "verified  yes")
