# examples/cluster/*: each becomes a program, and a test that runs it on three ranks. Not with sanitizers, as all tests
# that start ranks: the MPI library is built without, and leaves memory behind.

include(ParleyMpiTest)

function(parley_cluster_example language source)
    set(target example_cluster_${language})
    add_executable(${target} "${PROJECT_SOURCE_DIR}/examples/cluster/${source}")
    target_link_libraries(${target} PRIVATE ${ARGN})
    set_target_properties(${target} PROPERTIES
        OUTPUT_NAME cluster_balance_${language} RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/examples")
    add_dependencies(example_tests ${target})
    if(NOT PARLEY_SANITIZE)
        parley_mpi_test(example.cluster_balance_${language} 3 ${target})
    endif()
endfunction()

parley_cluster_example(cpp balance.cpp parley::cluster)
parley_warnings(example_cluster_cpp)

# The other languages where their compilers are. Libraries of C++ are linked by C++'s linker.
include(CheckLanguage)
check_language(Fortran)
if(CMAKE_C_COMPILER)
    find_package(MPI QUIET COMPONENTS C)
    if(MPI_C_FOUND)
        parley_cluster_example(c balance.c parley::cluster MPI::MPI_C)
        set_target_properties(example_cluster_c PROPERTIES C_STANDARD 99 LINKER_LANGUAGE CXX)
    endif()
endif()
if(CMAKE_Fortran_COMPILER AND NOT PARLEY_SANITIZE)
    enable_language(Fortran)
    find_package(MPI QUIET COMPONENTS Fortran)
    if(MPI_Fortran_FOUND)
        # The module depends on the compiler: users compile it with theirs.
        add_library(parley_cluster_fortran STATIC "${PROJECT_SOURCE_DIR}/cluster/parley/cluster/parley_cluster.f90")
        target_link_libraries(parley_cluster_fortran PUBLIC parley::cluster MPI::MPI_Fortran)
        set_target_properties(parley_cluster_fortran PROPERTIES
            Fortran_MODULE_DIRECTORY "${PROJECT_BINARY_DIR}/fortran")
        target_include_directories(parley_cluster_fortran PUBLIC "${PROJECT_BINARY_DIR}/fortran")
        parley_cluster_example(fortran balance.f90 parley_cluster_fortran)
        set_target_properties(example_cluster_fortran PROPERTIES LINKER_LANGUAGE Fortran)
        target_link_libraries(example_cluster_fortran PRIVATE stdc++)
    endif()
endif()
