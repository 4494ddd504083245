# linsep_room(NAME [DEPENDS targets...] [TEST_DEPENDS targets...] [WITHOUT folders or files...] [SLOW tests...]) makes the static library
# linsep_NAME of the .cc files in this folder and the folders below it, a test program NAME_test of its *_test.cc files
# and, with LINSEP_BENCH, a program NAME_bench of its *_bench.cc files. A folder without a README is refused. DEPENDS are
# the rooms and libraries it may use; tools/check_layers.py checks the includes themselves. WITHOUT names folders below
# that are built by themselves, and files that this build does without. Tests that SLOW names have the label slow: tools/check leaves them out.
#
# linsep_flags(TARGET) gives warnings and what makes a fault in memory end the program rather than lead it elsewhere
# (SECURITY.md, tests/install/test_hardening.py). Kernels do without checks of indices: their callers promise them.
function(linsep_flags target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wshadow -Wnon-virtual-dtor $<$<BOOL:${PROJECT_IS_TOP_LEVEL}>:-Werror> -ffp-contract=off)
  if(LINSEP_UNITS AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    # In a unit gcc takes sources for headers, whose types must not be of a namespace without a name.
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
  endif()
  if(LINSEP_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${LINSEP_SANITIZE} -fno-omit-frame-pointer)
    if(LINSEP_SANITIZE MATCHES "address" AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
      # These two double the time of compiling; the first is what the address sanitizer finds too.
      target_compile_options(${target} PRIVATE -fno-sanitize=null,alignment)
      # In instrumented code gcc takes the inside of std::string for a fault.
      target_compile_options(${target} PRIVATE -Wno-array-bounds -Wno-restrict)
    endif()
    target_link_options(${target} PUBLIC -fsanitize=${LINSEP_SANITIZE})
    if(LINSEP_FUZZ)
      # clang takes a deprecation within the library's own std::stable_sort for ours. The sanitizers left out would check
      # every access to a member once more; what is null ends the program anyway.
      target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link -fno-sanitize-recover=all
        -fno-sanitize=null,vptr,function -Wno-deprecated-declarations)
      if(target IN_LIST LINSEP_HOT)
        # The input isn't found in what is compared here, and telling libFuzzer of each comparison takes time.
        target_compile_options(${target} PRIVATE -fno-sanitize-coverage=trace-cmp)
      endif()
    endif()
  else()
    target_compile_options(${target} PRIVATE -fstack-protector-strong)
    if(CMAKE_SYSTEM_NAME STREQUAL Linux)
      target_compile_options(${target} PRIVATE -fstack-clash-protection
        $<$<CONFIG:Release,RelWithDebInfo>:-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3>)
    endif()
  endif()
  if(NOT target MATCHES "^linsep_kernel$|_test$|_bench$")
    target_compile_definitions(${target} PRIVATE _GLIBCXX_ASSERTIONS)
  endif()
  get_target_property(type ${target} TYPE)
  if(NOT type STREQUAL STATIC_LIBRARY AND CMAKE_SYSTEM_NAME STREQUAL Linux)
    target_link_options(${target} PRIVATE LINKER:-z,relro,-z,now,-z,noexecstack)
  endif()
endfunction()

# linsep_precompile(TARGET KIND) lets a target begin with headers that were compiled once: those of a `library` or of a `test`,
# which differ in their flags. clang-tidy does without (tools/check_tidy): there every file must include what it uses. Rooms
# that compute all the time have flags of their own.
set(LINSEP_HOT linsep_kernel linsep_numeric linsep_exact)
function(linsep_precompile target kind)
  if(NOT LINSEP_PCH OR target IN_LIST LINSEP_HOT)
    return()
  endif()
  set(owner headers_of_${kind})
  if(NOT TARGET ${owner})
    set(headers <algorithm> <array> <atomic> <bit> <charconv> <cmath> <cstddef> <cstdint> <cstring> <filesystem> <functional> <limits>
      <map> <memory> <mutex> <numeric> <optional> <set> <span> <string> <string_view> <thread> <unordered_map> <utility> <vector>
      <fmt/format.h>)
    file(WRITE ${PROJECT_BINARY_DIR}/${owner}.cc "")
    add_library(${owner} OBJECT ${PROJECT_BINARY_DIR}/${owner}.cc)
    linsep_flags(${owner})
    target_link_libraries(${owner} PRIVATE fmt::fmt)
    if(kind STREQUAL test)
      list(APPEND headers <gtest/gtest.h> <rapidcheck.h> <rapidcheck/gtest.h>)
      target_link_libraries(${owner} PRIVATE GTest::gtest rapidcheck)
      set_target_properties(${owner} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
      target_compile_options(${owner} PRIVATE -fPIE $<$<CONFIG:Release>:-O1>)  # as the files of a test program are compiled
    endif()
    target_precompile_headers(${owner} PRIVATE ${headers})
  endif()
  target_precompile_headers(${target} REUSE_FROM ${owner})
endfunction()

# linsep_units(OUT ROOT SOURCES...) sets OUT to the sources, several at a time as one unit (tools/units.py): with LINSEP_UNITS, at most so
# many. ROOT is the folder that an include of theirs begins at.
function(linsep_units out root)
  set(sources ${ARGN})
  if(LINSEP_UNITS AND sources)
    find_program(LINSEP_UNITS_PYTHON python3 REQUIRED)
    execute_process(COMMAND ${LINSEP_UNITS_PYTHON} -B ${PROJECT_SOURCE_DIR}/tools/units.py ${CMAKE_CURRENT_BINARY_DIR}/units ${root} ${LINSEP_UNITS}
      ${sources} OUTPUT_VARIABLE sources OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    string(REPLACE "\n" ";" sources "${sources}")
  endif()
  set(${out} ${sources} PARENT_SCOPE)
endfunction()

function(linsep_room name)
  cmake_parse_arguments(ROOM "" "" "DEPENDS;TEST_DEPENDS;WITHOUT;SLOW" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS *.cc)
  foreach(name_without ${ROOM_WITHOUT})
    list(FILTER sources EXCLUDE REGEX "^${CMAKE_CURRENT_SOURCE_DIR}/${name_without}(/|$)")
  endforeach()
  foreach(source ${sources})
    get_filename_component(folder ${source} DIRECTORY)
    if(NOT EXISTS ${folder}/README.md)
      message(FATAL_ERROR "${folder} has no README.md that maps its files")
    endif()
  endforeach()
  set(tests ${sources})
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  set(benches ${sources})
  list(FILTER benches INCLUDE REGEX "_bench\\.cc$")
  list(REMOVE_ITEM sources ${tests} ${benches} "")
  if(NOT linsep_${name} IN_LIST LINSEP_HOT)
    linsep_units(sources ${PROJECT_SOURCE_DIR}/src ${sources})
  endif()
  add_library(linsep_${name} STATIC ${sources})
  linsep_flags(linsep_${name})
  if(LINSEP_SANITIZE AND NOT LINSEP_FUZZ AND linsep_${name} IN_LIST LINSEP_HOT)
    target_compile_options(linsep_${name} PRIVATE -O1)  # the rest is compiled in half the time without
  endif()
  if(CMAKE_BUILD_TYPE STREQUAL "Debug")  # gcc knows no constants in intrinsics without optimisation
    set(intrinsics ${sources})
    list(FILTER intrinsics INCLUDE REGEX "/(avx2|avx512|sha256)\\.cc$")
    set_source_files_properties(${intrinsics} PROPERTIES COMPILE_OPTIONS -O1 SKIP_PRECOMPILE_HEADERS ON)
  endif()
  linsep_precompile(linsep_${name} library)
  target_include_directories(linsep_${name}
    PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
    PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_compile_features(linsep_${name} PUBLIC cxx_std_20)
  target_link_libraries(linsep_${name} PUBLIC ${ROOM_DEPENDS})
  set_property(GLOBAL APPEND PROPERTY LINSEP_ROOMS linsep_${name})
  if(LINSEP_TESTS AND tests)
    linsep_units(tests ${PROJECT_SOURCE_DIR}/src ${tests})
    add_executable(${name}_test ${tests})
    linsep_flags(${name}_test)
    linsep_precompile(${name}_test test)
    target_compile_options(${name}_test PRIVATE $<$<CONFIG:Release>:-O1>)  # what is tested is optimised, tests need not be
    target_include_directories(${name}_test PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests)
    target_link_libraries(${name}_test PRIVATE linsep_${name} ${ROOM_TEST_DEPENDS} GTest::gtest_main rapidcheck)
    # Properties are tried with one seed here, so that a change and nothing else decides; tools/nightly takes new ones.
    set(discover ${name}_test TEST_PREFIX ${name}/ DISCOVERY_MODE PRE_TEST PROPERTIES TIMEOUT 600 ENVIRONMENT RC_PARAMS=seed=1)
    if(ROOM_SLOW)
      list(JOIN ROOM_SLOW ":" slow)
      gtest_discover_tests(${discover} LABELS slow TEST_FILTER ${slow} TEST_LIST ${name}_slow)
      gtest_discover_tests(${discover} TEST_FILTER -${slow})
    else()
      gtest_discover_tests(${discover})
    endif()
  endif()
  if(LINSEP_BENCH AND benches)
    add_executable(${name}_bench ${benches})
    linsep_flags(${name}_bench)
    target_include_directories(${name}_bench PRIVATE ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(${name}_bench PRIVATE linsep_${name} ${ROOM_TEST_DEPENDS} benchmark::benchmark_main)
  endif()
endfunction()
