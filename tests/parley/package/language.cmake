# A compiler that cannot compile the headers says why in one line, whichever of them it is given.

file(GLOB headers RELATIVE "${SOURCE_DIR}" "${SOURCE_DIR}/parley/*.hpp")
file(MAKE_DIRECTORY "${WORK_DIR}")

function(compile header) # options...
    file(WRITE "${WORK_DIR}/alone.cpp" "#include <${header}>\n")
    execute_process(COMMAND "${CXX}" ${ARGN} "-I${SOURCE_DIR}" -fsyntax-only "${WORK_DIR}/alone.cpp"
        RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
    set(status "${status}" PARENT_SCOPE)
    set(output "${output}" PARENT_SCOPE)
endfunction()

# The line, and the one by which the compiler stops.
function(must_say header wanted) # options...
    compile("${header}" ${ARGN})
    string(REGEX MATCHALL "error: [^\n]*" errors "${output}")
    list(LENGTH errors count)
    if(status EQUAL 0 OR NOT count EQUAL 2 OR NOT errors MATCHES "${wanted}")
        message(FATAL_ERROR "${header} with ${ARGN}: wanted '${wanted}', got ${count} errors:\n${output}")
    endif()
endfunction()

foreach(header IN LISTS headers)
    must_say("${header}" "Parley needs C\\+\\+20" -std=c++17)
    must_say("${header}" "Parley needs exceptions" -std=c++20 -fno-exceptions)
endforeach()

# LLVM's library, where the compiler has it.
compile(version -std=c++20 -stdlib=libc++)
if(NOT status EQUAL 0)
    message(STATUS "without libc++: ${CXX} does not find it")
    return()
endif()
compile(parley/parley.hpp -std=c++20 -stdlib=libc++)
if(NOT status EQUAL 0)
    must_say(parley/parley.hpp "compile with -fexperimental-library" -std=c++20 -stdlib=libc++)
endif()
must_say(parley/std_execution.hpp "this is another one" -std=c++20 -stdlib=libc++ -fexperimental-library)
list(REMOVE_ITEM headers parley/std_execution.hpp)
foreach(header IN LISTS headers)
    compile("${header}" -std=c++20 -stdlib=libc++ -fexperimental-library)
    if(NOT status EQUAL 0)
        message(FATAL_ERROR "${header} with libc++:\n${output}")
    endif()
endforeach()
