# Each examples/NAME.cpp becomes a program and a test that runs it.

include(ParleyTests)
file(GLOB example_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/examples/*.cpp")
foreach(source IN LISTS example_sources)
    cmake_path(GET source STEM name)
    add_executable(example_${name} "${source}")
    target_link_libraries(example_${name} PRIVATE parley::parley)
    set_target_properties(example_${name} PROPERTIES
        OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/examples")
    parley_warnings(example_${name})
    add_test(NAME example.${name} COMMAND example_${name})
    set_tests_properties(example.${name} PROPERTIES
        LABELS example TIMEOUT ${PARLEY_TEST_TIMEOUT_S} PROCESSORS 2)
endforeach()
