# What all tests share: how long one may take.

include_guard(GLOBAL)
set(PARLEY_TEST_TIMEOUT_S 120)
if("thread" IN_LIST PARLEY_SANITIZE)
    math(EXPR PARLEY_TEST_TIMEOUT_S "5 * ${PARLEY_TEST_TIMEOUT_S}") # TSan slows that much down
endif()
