# Read by ctest as it starts: adds a test ROOM.SUITE for each suite of GoogleTest's program `program`. A process takes longer
# to start than most of their cases to run. What comes last runs the program, where this processor cannot.

function(parley_add_suites room program label processors timeout_s)
    if(NOT EXISTS "${program}")
        add_test("${room}_NOT_BUILT" "${program}")
        set_tests_properties("${room}_NOT_BUILT" PROPERTIES LABELS "${label}")
        return()
    endif()
    execute_process(COMMAND ${ARGN} "${program}" --gtest_list_tests TIMEOUT 60
        OUTPUT_VARIABLE lines ERROR_VARIABLE errors RESULT_VARIABLE status)
    if(NOT status EQUAL 0)
        message(FATAL_ERROR "${program} --gtest_list_tests ended with ${status}: ${lines}${errors}")
    endif()
    # A suite stands at the beginning of a line, with a point behind it; its cases are indented.
    string(REGEX MATCHALL "\n[A-Za-z0-9_/]+\\." suites "\n${lines}")
    foreach(suite IN LISTS suites)
        string(REGEX REPLACE "^\n(.*)\\.$" "\\1" suite "${suite}")
        if(suite MATCHES "^DISABLED_")
            continue()
        endif()
        add_test("${room}.${suite}" ${ARGN} "${program}" "--gtest_filter=${suite}.*")
        # The hang detector ends a case that takes too long; this is for all cases of a suite.
        set_tests_properties("${room}.${suite}" PROPERTIES
            LABELS "${label}" PROCESSORS "${processors}" TIMEOUT "${timeout_s}")
    endforeach()
endfunction()
