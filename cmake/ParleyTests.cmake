# What all tests share: how long one may take.

include_guard(GLOBAL)
add_custom_target(example_tests)
set(PARLEY_TEST_TIMEOUT_S 240)
if("thread" IN_LIST PARLEY_SANITIZE OR PARLEY_COVERAGE)
    math(EXPR PARLEY_TEST_TIMEOUT_S "5 * ${PARLEY_TEST_TIMEOUT_S}") # they slow that much down
endif()
