# What docs/guide/coming-from-*.md show: each examples/migration/NAME becomes a program that compares both ways, where the other
# way is there, and a test that runs it.

include(ParleyTests)

function(parley_migration_example name source)
    add_executable(example_migration_${name} "${PROJECT_SOURCE_DIR}/examples/migration/${source}")
    target_link_libraries(example_migration_${name} PRIVATE ${ARGN})
    set_target_properties(example_migration_${name} PROPERTIES
        C_STANDARD 11 C_STANDARD_REQUIRED ON C_EXTENSIONS ON
        OUTPUT_NAME migration_${name} RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/examples")
    add_dependencies(example_tests example_migration_${name})
    add_test(NAME example.migration_${name} COMMAND example_migration_${name})
    set_tests_properties(example.migration_${name} PROPERTIES
        LABELS example TIMEOUT ${PARLEY_TEST_TIMEOUT_S} PROCESSORS 2)
endfunction()

parley_migration_example(std_thread std_thread.cpp parley::parley)
parley_migration_example(cilk cilk.cpp parley::parley)
parley_warnings(example_migration_std_thread)
parley_warnings(example_migration_cilk)
if(CMAKE_C_COMPILER)
    parley_migration_example(cilk_in_c cilk_in_c.c parley::tasking)
endif()

# Under sanitizers these report themselves.
if(NOT PARLEY_SANITIZE)
    find_package(TBB QUIET)
    if(TBB_FOUND)
        parley_migration_example(onetbb onetbb.cpp parley::parley TBB::tbb)
        parley_warnings(example_migration_onetbb)
    endif()
    find_package(OpenMP QUIET COMPONENTS CXX)
    if(OpenMP_CXX_FOUND)
        parley_migration_example(openmp openmp.cpp parley::parley OpenMP::OpenMP_CXX)
        parley_warnings(example_migration_openmp)
    endif()
endif()
