# The Debian package holds library, headers and command, depends on what they need, and works.

include("${CMAKE_CURRENT_LIST_DIR}/must_run.cmake")

file(REMOVE_RECURSE "${WORK_DIR}")
must_run("${CPACK}" -G DEB --config "${BUILD_DIR}/CPackConfig.cmake" -B "${WORK_DIR}")
file(GLOB packages "${WORK_DIR}/*.deb")
list(LENGTH packages count)
if(NOT count EQUAL 1)
    message(FATAL_ERROR "wanted one package, found: ${packages}")
endif()

must_run("${DPKG_DEB}" -f "${packages}" Depends)
foreach(wanted libhwloc-dev libc6 libfmt)
    if(NOT output MATCHES "${wanted}")
        message(FATAL_ERROR "the package does not depend on ${wanted}: ${output}")
    endif()
endforeach()

must_run("${DPKG_DEB}" -x "${packages}" "${WORK_DIR}/root")
foreach(wanted bin/parley include/parley/parley.hpp "${LIBDIR}/pkgconfig/parley.pc" "${LIBDIR}/pkgconfig/parley-tasking.pc"
        include/parley/tasking/tasking.h)
    if(NOT EXISTS "${WORK_DIR}/root/usr/${wanted}")
        message(FATAL_ERROR "the package has no /usr/${wanted}")
    endif()
endforeach()
file(READ "${WORK_DIR}/root/usr/lib/systemd/user/parley-broker.service" unit)
if(NOT unit MATCHES "ExecStart=/usr/bin/parley broker\n")
    message(FATAL_ERROR "the packaged unit starts something else: ${unit}")
endif()
must_run("${WORK_DIR}/root/usr/bin/parley" --version)
if(NOT output MATCHES "parley ${VERSION}")
    message(FATAL_ERROR "the packaged command says: ${output}")
endif()
