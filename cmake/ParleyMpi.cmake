# PARLEY_MPI: whether there is an MPI for the cluster (docs/guide/cluster.md). Another one than the system's first:
# -DMPI_CXX_COMPILER=mpicxx.mpich -DMPIEXEC_EXECUTABLE=/usr/bin/mpiexec.mpich, in a build directory of its own.
#
# PARLEY_SMPI: whether there is SimGrid, whose MPI runs the same code in virtual time.

option(PARLEY_WITH_MPI "Build the cluster if there is an MPI" ${PROJECT_IS_TOP_LEVEL})
option(PARLEY_WITH_SMPI "Build it for SimGrid, too, if that is there" ON)
set(PARLEY_MPI OFF)
set(PARLEY_SMPI OFF)
if(PARLEY_WITH_MPI AND NOT PARLEY_COVERAGE)
    set(MPI_CXX_SKIP_MPICXX ON)
    find_package(MPI QUIET COMPONENTS CXX)
    set(PARLEY_MPI ${MPI_CXX_FOUND})
endif()
if(PARLEY_MPI AND PARLEY_WITH_SMPI AND NOT PARLEY_SANITIZE)
    find_program(PARLEY_SMPIRUN smpirun)
    find_path(PARLEY_SMPI_INCLUDE smpi/smpi.h)
    find_library(PARLEY_SIMGRID simgrid)
    mark_as_advanced(PARLEY_SMPIRUN PARLEY_SMPI_INCLUDE PARLEY_SIMGRID)
    if(PARLEY_SMPIRUN AND PARLEY_SMPI_INCLUDE AND PARLEY_SIMGRID)
        set(PARLEY_SMPI ON)
    endif()
endif()
