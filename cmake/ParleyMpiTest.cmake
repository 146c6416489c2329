# parley_mpi_test(NAME RANKS TARGET [ARGUMENT...]): a test that runs a program on that many ranks.

include_guard(GLOBAL)
include(ParleyTests)

# Starts `target` under MPI's own launcher, on more ranks than there may be cores.
function(parley_mpi_test name ranks target)
    add_test(NAME ${name} COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${ranks} ${MPIEXEC_PREFLAGS}
        $<TARGET_FILE:${target}> ${ARGN})
    parley_mpi_test_properties(${name})
endfunction()

# What mpirun needs to run here.
function(parley_mpi_test_properties name)
    set_tests_properties(${name} PROPERTIES
        LABELS cluster TIMEOUT ${PARLEY_TEST_TIMEOUT_S} PROCESSORS 2
        ENVIRONMENT "OMPI_ALLOW_RUN_AS_ROOT=1;OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1;OMPI_MCA_rmaps_base_oversubscribe=1")
endfunction()
