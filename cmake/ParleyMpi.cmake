# PARLEY_MPI: whether there is an MPI for the cluster (docs/guide/cluster.md). Another one than the system's first:
# -DMPI_CXX_COMPILER=mpicxx.mpich -DMPIEXEC_EXECUTABLE=/usr/bin/mpiexec.mpich, in a build directory of its own.
#
# PARLEY_SMPI: whether there is a laboratory, and SimGrid, whose MPI runs the same code in virtual time.

set(PARLEY_MPI OFF)
set(PARLEY_SMPI OFF)
if(PARLEY_CLUSTER AND NOT PARLEY_COVERAGE)
    set(MPI_CXX_SKIP_MPICXX ON)
    find_package(MPI QUIET COMPONENTS CXX)
    set(PARLEY_MPI ${MPI_CXX_FOUND})
    if(NOT MPI_CXX_FOUND)
        message(STATUS "Without parley::cluster and parley-cluster: there is no MPI")
    endif()
endif()
if(PARLEY_MPI AND PARLEY_LAB AND NOT PARLEY_SANITIZE)
    find_program(PARLEY_SMPIRUN smpirun)
    find_path(PARLEY_SMPI_INCLUDE smpi/smpi.h)
    find_library(PARLEY_SIMGRID simgrid)
    mark_as_advanced(PARLEY_SMPIRUN PARLEY_SMPI_INCLUDE PARLEY_SIMGRID)
    if(PARLEY_SMPIRUN AND PARLEY_SMPI_INCLUDE AND PARLEY_SIMGRID)
        set(PARLEY_SMPI ON)
    endif()
endif()
