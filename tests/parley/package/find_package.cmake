include("${CMAKE_CURRENT_LIST_DIR}/install.cmake")

must_run("${CMAKE_COMMAND}" -S "${CONSUMER_DIR}" -B "${WORK_DIR}/build" -G "${GENERATOR}"
    "-DCMAKE_CXX_COMPILER=${CXX}" "-DCMAKE_PREFIX_PATH=${prefix}" "-DWANTED_VERSION=${VERSION}")
must_run("${CMAKE_COMMAND}" --build "${WORK_DIR}/build")
must_run("${WORK_DIR}/build/consumer")
if(NOT output MATCHES "^42 from parley ${VERSION}\n$")
    message(FATAL_ERROR "the consumer printed: ${output}")
endif()

# A version to come must not be found.
execute_process(COMMAND "${CMAKE_COMMAND}" -S "${CONSUMER_DIR}" -B "${WORK_DIR}/later" -G "${GENERATOR}"
    "-DCMAKE_CXX_COMPILER=${CXX}" "-DCMAKE_PREFIX_PATH=${prefix}" "-DWANTED_VERSION=999.0"
    RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
if(status EQUAL 0)
    message(FATAL_ERROR "version 999.0 was found, but this is ${VERSION}")
endif()
