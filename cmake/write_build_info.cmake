# Run by ParleyBuildInfo.cmake in every build.

set(COMMIT "unknown")
find_program(GIT git)
# A .git of its own: a copy inside another project's checkout must not report that project's commit.
if(GIT AND EXISTS "${SOURCE_DIR}/.git")
    execute_process(COMMAND "${GIT}" -C "${SOURCE_DIR}" describe --always --dirty --exclude "*"
        OUTPUT_VARIABLE described OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE status ERROR_QUIET)
    if(status EQUAL 0)
        set(COMMIT "${described}")
    endif()
endif()
foreach(name COMMIT COMPILER FLAGS BUILD_TYPE)
    string(REGEX REPLACE "([\"\\])" "\\\\\\1" ${name} "${${name}}")
endforeach()
configure_file("${TEMPLATE}" "${HEADER}" @ONLY)
