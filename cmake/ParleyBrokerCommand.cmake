# parley-broker, which `parley broker` and `parley top` call, and its units for systemd.

file(GLOB broker_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/broker/command/*.cpp")
list(REMOVE_ITEM broker_sources "${PROJECT_SOURCE_DIR}/broker/command/main.cpp")
add_library(parley_broker_command STATIC ${broker_sources})
target_link_libraries(parley_broker_command PUBLIC parley_command_shared parley_service)
parley_command_objects(parley_broker_command)
parley_program(parley_broker_cli parley-broker broker/command parley_broker_command)
if(NOT PARLEY_INSTALL)
    return()
endif()

# For users who want the broker to start when a program asks for it.
install(FILES "${PROJECT_SOURCE_DIR}/packaging/systemd/parley-broker.socket" DESTINATION lib/systemd/user
    COMPONENT parley-broker)
# Where the command is in the end is known when it is installed. In a package that is below the folder in which the
# package is made.
install(CODE "
    set(bin \"${CMAKE_INSTALL_BINDIR}\")
    if(NOT IS_ABSOLUTE \"\${bin}\")
        set(bin \"\${CMAKE_INSTALL_PREFIX}/\${bin}\")
    endif()
    string(REGEX REPLACE \"^.*/_CPack_Packages/[^/]+/[^/]+/[^/]+(/parley-broker)?\" \"\" bin \"\${bin}\")
    configure_file(\"${PROJECT_SOURCE_DIR}/packaging/systemd/parley-broker.service.in\"
        \"${PROJECT_BINARY_DIR}/generated/parley-broker.service\" @ONLY)
    file(INSTALL DESTINATION \"\${CMAKE_INSTALL_PREFIX}/lib/systemd/user\" TYPE FILE
        FILES \"${PROJECT_BINARY_DIR}/generated/parley-broker.service\")" COMPONENT parley-broker)
