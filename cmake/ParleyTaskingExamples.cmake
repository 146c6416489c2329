# Each examples/tasking/NAME.c becomes a program tasking_NAME and a test that runs it.

include(ParleyTests)
file(GLOB tasking_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/examples/tasking/*.c")
foreach(source IN LISTS tasking_sources)
    cmake_path(GET source STEM name)
    add_executable(example_tasking_${name} "${source}")
    target_link_libraries(example_tasking_${name} PRIVATE parley::tasking)
    target_compile_options(example_tasking_${name} PRIVATE -Wall -Wextra ${PARLEY_ERROR_AT_WARNINGS})
    set_target_properties(example_tasking_${name} PROPERTIES
        C_STANDARD 11 C_STANDARD_REQUIRED ON C_EXTENSIONS ON
        OUTPUT_NAME tasking_${name} RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/examples")
    add_dependencies(example_tests example_tasking_${name})
    add_test(NAME example.tasking_${name} COMMAND example_tasking_${name})
    set_tests_properties(example.tasking_${name} PROPERTIES
        LABELS example TIMEOUT ${PARLEY_TEST_TIMEOUT_S} PROCESSORS 2)
endforeach()
