include("${CMAKE_CURRENT_LIST_DIR}/install.cmake")

must_run("${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}/cluster_consumer" -B "${WORK_DIR}/build" -G "${GENERATOR}"
    "-DCMAKE_CXX_COMPILER=${CXX}" "-DCMAKE_PREFIX_PATH=${prefix}" "-DWANTED_VERSION=${VERSION}"
    "-DMPI_CXX_COMPILER=${MPI_CXX}")
must_run("${CMAKE_COMMAND}" --build "${WORK_DIR}/build")
set(ENV{OMPI_ALLOW_RUN_AS_ROOT} 1)
set(ENV{OMPI_ALLOW_RUN_AS_ROOT_CONFIRM} 1)
must_run("${WORK_DIR}/build/consumer")
if(NOT output MATCHES "^42 from the cluster\n$")
    message(FATAL_ERROR "the consumer printed: ${output}")
endif()
