# `make package`: one Debian package with library, headers and command. dpkg-shlibdeps finds what the
# command links; a static library's users need hwloc's headers, too.

set(CPACK_PACKAGE_NAME "parley")
set(CPACK_PACKAGE_VENDOR "Parley")
set(CPACK_PACKAGE_CONTACT "the Parley project <parley@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGING_INSTALL_PREFIX "/usr")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR "DEB")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION "libdevel")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libhwloc-dev")
include(CPack)
