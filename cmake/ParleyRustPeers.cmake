# The schedulers rayon and chili: the crate lab/peers/rust, built by cargo while CMake configures, so that
# C++ is compiled knowing whether they are there. Without cargo, or where it fails, they are left out.
# Sets PARLEY_RUST_PEERS_LIBRARY if they are there.

include_guard(GLOBAL)
option(PARLEY_RUST_PEERS "Build the schedulers rayon and chili where cargo is found" ON)

set(crate "${PROJECT_SOURCE_DIR}/lab/peers/rust")
file(GLOB_RECURSE crate_sources CONFIGURE_DEPENDS "${crate}/src/*.rs")
list(APPEND crate_sources "${crate}/Cargo.toml" "${crate}/Cargo.lock")

function(parley_build_rust_peers)
    if(NOT PARLEY_RUST_PEERS OR PARLEY_SANITIZE OR PARLEY_COVERAGE OR CMAKE_CROSSCOMPILING)
        return()
    endif()
    find_program(PARLEY_CARGO cargo)
    mark_as_advanced(PARLEY_CARGO)
    if(NOT PARLEY_CARGO)
        message(STATUS "Without the schedulers rayon and chili: there is no cargo")
        return()
    endif()
    set_property(DIRECTORY "${PROJECT_SOURCE_DIR}" APPEND PROPERTY
        CMAKE_CONFIGURE_DEPENDS ${crate_sources})

    # What failed fails again, and without a network slowly: it is tried again only when the crate or
    # cargo has changed, or after cmake --fresh.
    set(all "${PARLEY_CARGO}")
    foreach(source IN LISTS crate_sources)
        file(SHA256 "${source}" digest)
        string(APPEND all "${digest}")
    endforeach()
    string(SHA256 attempt "${all}")
    if(PARLEY_RUST_PEERS_FAILED STREQUAL attempt)
        message(STATUS "Without the schedulers rayon and chili: cargo failed before (cmake --fresh tries again)")
        return()
    endif()

    # RUSTFLAGS could let Rust use instructions that the C++ may not.
    set(target_folder "${PROJECT_BINARY_DIR}/rust")
    set(library "${target_folder}/release/libparley_peers.a")
    execute_process(
        COMMAND "${CMAKE_COMMAND}" -E env --unset=RUSTFLAGS --unset=CARGO_ENCODED_RUSTFLAGS
            --unset=CARGO_BUILD_TARGET CARGO_NET_RETRY=0 CARGO_HTTP_TIMEOUT=15
            "${PARLEY_CARGO}" build --quiet --release --locked --target-dir "${target_folder}"
        WORKING_DIRECTORY "${crate}"
        TIMEOUT 300
        RESULT_VARIABLE status
        OUTPUT_VARIABLE said
        ERROR_VARIABLE said)
    if(NOT status EQUAL 0 OR NOT EXISTS "${library}")
        file(WRITE "${PROJECT_BINARY_DIR}/rust.log" "${status}\n${said}")
        set(PARLEY_RUST_PEERS_FAILED "${attempt}" CACHE INTERNAL "The crate that cargo could not build")
        message(STATUS "Without the schedulers rayon and chili: cargo failed, see rust.log in the build folder")
        return()
    endif()
    set(PARLEY_RUST_PEERS_LIBRARY "${library}" PARENT_SCOPE)
endfunction()

parley_build_rust_peers()
