# The installed library goes into shared objects that a program loads, two of them, beside a copy of its own.

include("${CMAKE_CURRENT_LIST_DIR}/install.cmake")

set(ENV{PKG_CONFIG_PATH} "${prefix}/${LIBDIR}/pkgconfig")
must_run(pkg-config --cflags --libs parley)
separate_arguments(flags UNIX_COMMAND "${output}")
set(folder "${CMAKE_CURRENT_LIST_DIR}/plugin")
must_run("${CXX}" -std=c++20 -O1 -fPIC -shared "${folder}/plugin.cpp" -o "${WORK_DIR}/one.so" ${flags})
# It hides all, so that no symbol that is one for the whole process keeps it loaded.
must_run("${CXX}" -std=c++20 -O1 -fPIC -fvisibility=hidden -fvisibility-inlines-hidden -shared "${folder}/plugin.cpp"
    -o "${WORK_DIR}/other.so" ${flags} -Wl,--exclude-libs,ALL)
must_run("${CXX}" -std=c++20 -O1 "${folder}/main.cpp" -o "${WORK_DIR}/program" ${flags})
foreach(workers 1 2 4)
    set(ENV{PARLEY_WORKERS} ${workers})
    must_run("${WORK_DIR}/program" "${WORK_DIR}/one.so" "${WORK_DIR}/other.so")
    if(NOT output STREQUAL "all compute\n")
        message(FATAL_ERROR "the program printed: ${output}")
    endif()
endforeach()
