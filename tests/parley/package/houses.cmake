# Each house can be left out, alone and with all others: what is built and installed then is there, and nothing else. Only
# the library is compiled, as quickly as can be, and without hwloc; of the others the build's plan is looked at. That they
# compile there, too, follows from that and from whose headers they include.

include("${CMAKE_CURRENT_LIST_DIR}/must_run.cmake")

file(REMOVE_RECURSE "${WORK_DIR}")
set(build "${WORK_DIR}/build")

function(configure) # options...
    must_run("${CMAKE_COMMAND}" -S "${SOURCE_DIR}" -B "${build}" -G "${GENERATOR}" "-DCMAKE_CXX_COMPILER=${CXX}"
        -DCMAKE_BUILD_TYPE=Debug "-DCMAKE_CXX_FLAGS_DEBUG=-O0" -DPARLEY_UNITY=ON -DPARLEY_RUST_PEERS=OFF
        -DPARLEY_BUILD_EXAMPLES=OFF "-DBUILD_SHARED_LIBS=${SHARED}" ${ARGN})
    must_run("${CMAKE_COMMAND}" --build "${build}" --target help)
    set(targets "${output}" PARENT_SCOPE)
    # A target that is not there would be taken for a library of the system's.
    file(GLOB_RECURSE plans "${build}/build.ninja" "${build}/link.txt")
    foreach(plan IN LISTS plans)
        file(STRINGS "${plan}" lost REGEX "-lparley")
        if(lost)
            message(FATAL_ERROR "${ARGN}: something that is not built would be linked:\n${lost}")
        endif()
    endforeach()
endfunction()

function(must_have) # targets...
    foreach(target IN LISTS ARGN)
        if(NOT targets MATCHES "[ \n]${target}[: \n]")
            message(FATAL_ERROR "${houses}: there is no target ${target}")
        endif()
    endforeach()
endfunction()

function(must_lack) # targets...
    foreach(target IN LISTS ARGN)
        if(targets MATCHES "[ \n]${target}[: \n]")
            message(FATAL_ERROR "${houses}: there is a target ${target}")
        endif()
    endforeach()
endfunction()

# Files of these folders, but those of that name, that include such headers.
function(must_not_include folders but headers)
    foreach(folder IN LISTS folders)
        file(GLOB_RECURSE files "${SOURCE_DIR}/${folder}/*.[ch]pp" "${SOURCE_DIR}/${folder}/*.[ch]")
        foreach(file IN LISTS files)
            file(STRINGS "${file}" lines REGEX "^#include [<\"](${headers})/")
            if(lines AND NOT file MATCHES "${but}")
                message(FATAL_ERROR "${file} has what may not be built: ${lines}")
            endif()
        endforeach()
    endforeach()
endfunction()

must_not_include("parley;tests/parley" "_consumer/" "broker|cluster|command|lab|parley/cluster")
must_not_include("broker;tests/broker;command;tests/command" "^$" "cluster|lab|parley/cluster")
must_not_include("cluster;tests/cluster" "^$" "broker")
must_not_include("tests/cluster;cluster/parley" "^$" "lab")
must_not_include("lab;tests/lab" "/lab/bench/broker_" "broker/(client|daemon|command)")

set(broker parley_broker parley_broker_cli test_broker test_policies test_broker_command)
set(cluster test_cluster)
if(MPI)
    list(APPEND cluster parley_cluster parley_cluster_cli test_cluster_command test_cluster_mpi)
endif()
set(lab parley_lab_cli explore core_costs test_sim test_programs test_cli)
set(library test_api test_runtime)

foreach(houses IN ITEMS BROKER CLUSTER LAB)
    set(options "")
    foreach(house IN ITEMS BROKER CLUSTER LAB)
        if(house STREQUAL houses)
            list(APPEND options -DPARLEY_${house}=OFF)
        else()
            list(APPEND options -DPARLEY_${house}=ON)
        endif()
    endforeach()
    configure(${options})
    must_have(${library} parley_cli test_command)
    foreach(house IN ITEMS BROKER CLUSTER LAB)
        string(TOLOWER "${house}" name)
        if(house STREQUAL houses)
            must_lack(${${name}})
        else()
            must_have(${${name}})
        endif()
    endforeach()
    must_run("${CMAKE_COMMAND}" --build "${build}" -- -n)
endforeach()

# The library alone.
set(houses "all off")
configure(-DPARLEY_BROKER=OFF -DPARLEY_CLUSTER=OFF -DPARLEY_LAB=OFF -DPARLEY_HWLOC=OFF)
must_have(${library})
must_lack(${broker} ${cluster} ${lab} parley_cli test_command parley_sim)
must_run("${CMAKE_COMMAND}" --build "${build}" --parallel 2 --target parley parley_tasking parley_shared)
must_run("${CMAKE_COMMAND}" --install "${build}" --prefix "${WORK_DIR}/installed")
file(GLOB_RECURSE installed RELATIVE "${WORK_DIR}/installed" "${WORK_DIR}/installed/*")
if(NOT installed MATCHES "include/parley/parley\\.hpp" OR installed MATCHES "bin/|systemd|broker|cluster|costs")
    message(FATAL_ERROR "the library alone installs: ${installed}")
endif()
file(GLOB_RECURSE texts "${WORK_DIR}/installed/*.pc" "${WORK_DIR}/installed/*.cmake")
foreach(text IN LISTS texts)
    file(STRINGS "${text}" lines REGEX "hwloc")
    if(lines MATCHES "^(Requires|Libs)|LINK_ONLY|TRUE")
        message(FATAL_ERROR "${text} wants hwloc: ${lines}")
    endif()
endforeach()

# Threads find places without hwloc, too.
must_run("${CXX}" -std=c++20 -O0 "-I${SOURCE_DIR}" "${SOURCE_DIR}/tests/parley/runtime/topology_test.cpp"
    "${SOURCE_DIR}/tests/parley/runtime/nearest_test.cpp" -o "${WORK_DIR}/topology"
    "-L${build}/parley" "-Wl,-rpath,${build}/parley" -lparley -lgtest -lgtest_main -pthread)
must_run("${WORK_DIR}/topology")
