# The test docs.reference: Doxygen builds the site of `make docs` and warns of nothing. Where there is no Doxygen it is
# skipped.

find_program(PARLEY_DOXYGEN doxygen)
mark_as_advanced(PARLEY_DOXYGEN)
if(PARLEY_DOXYGEN)
    add_test(NAME docs.reference COMMAND "${PROJECT_SOURCE_DIR}/docs/reference/build" "${PROJECT_BINARY_DIR}/docs")
else()
    add_test(NAME docs.reference COMMAND "${CMAKE_COMMAND}" -E echo "there is no doxygen: ./setup --docs installs it")
    set_tests_properties(docs.reference PROPERTIES SKIP_REGULAR_EXPRESSION "no doxygen")
endif()
set_tests_properties(docs.reference PROPERTIES LABELS docs TIMEOUT 120)
