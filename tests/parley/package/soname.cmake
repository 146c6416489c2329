include("${CMAKE_CURRENT_LIST_DIR}/install.cmake")

must_run(readelf -d "${prefix}/${LIBDIR}/libparley.so")
string(REGEX MATCH "^[0-9]+\\.[0-9]+" soversion "${VERSION}")
string(FIND "${output}" "Library soname: [libparley.so.${soversion}]" at)
if(at EQUAL -1)
    message(FATAL_ERROR "no SONAME libparley.so.${soversion} in:\n${output}")
endif()
# The installed command finds the library beside it.
must_run("${prefix}/bin/parley" info)
