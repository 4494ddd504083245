# Libraries of the target machine, compiled from LINSEP_SOURCES, a folder of their unpacked sources (fmtlib, highway, zlib, libzstd, gloo),
# and headers of libraries that are headers alone, from this machine. tools/setup --portable fetches the sources. Unit tests
# also need the sources of googletest, which Debian's package has, and of rapidcheck.
enable_language(C)
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)

set(headers ${PROJECT_BINARY_DIR}/headers)
file(MAKE_DIRECTORY ${headers})
foreach(library nlohmann fast_float boost eigen3/Eigen CLI xxhash.h)
  find_path(folder_of_${library} ${library} PATHS /usr/include /usr/local/include NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH REQUIRED)
  get_filename_component(name ${library} NAME)
  file(CREATE_LINK ${folder_of_${library}}/${library} ${headers}/${name} SYMBOLIC)
endforeach()
function(linsep_headers name)
  add_library(${name} INTERFACE IMPORTED GLOBAL)
  target_include_directories(${name} SYSTEM INTERFACE ${headers})
endfunction()
foreach(name FastFloat::fast_float Eigen3::Eigen nlohmann_json::nlohmann_json CLI11::CLI11)
  linsep_headers(${name})
endforeach()
set(XXHASH_INCLUDE_DIR ${headers})
set(LINSEP_EXACT boost CACHE STRING "" FORCE)
set(BOOST_INCLUDE_DIR ${headers})
# Boost 1.74 uses what libc++ has put away.
add_compile_definitions(_LIBCPP_ENABLE_CXX17_REMOVED_UNARY_BINARY_FUNCTION)

function(linsep_source_library target alias folder)
  file(GLOB found ${ARGN})
  if(NOT found)
    message(FATAL_ERROR "${folder} isn't there: run tools/setup --portable, or name its folder by -DLINSEP_SOURCES")
  endif()
  add_library(${target} STATIC ${found})
  target_compile_options(${target} PRIVATE -O2 -w)
  target_include_directories(${target} SYSTEM PUBLIC ${folder})
  add_library(${alias} ALIAS ${target})
endfunction()
set(at ${LINSEP_SOURCES})
linsep_source_library(linsep_fmt fmt::fmt ${at}/fmtlib/include ${at}/fmtlib/src/format.cc)
target_include_directories(linsep_fmt SYSTEM INTERFACE ${headers})  # every room depends on it
linsep_source_library(linsep_hwy hwy::hwy ${at}/highway ${at}/highway/hwy/aligned_allocator.cc ${at}/highway/hwy/per_target.cc
  ${at}/highway/hwy/print.cc ${at}/highway/hwy/targets.cc)
linsep_source_library(linsep_zlib ZLIB::ZLIB ${at}/zlib ${at}/zlib/*.c)
target_compile_definitions(linsep_zlib PRIVATE HAVE_UNISTD_H HAVE_STDARG_H)
if(APPLE)
  target_compile_options(linsep_zlib PRIVATE -fno-define-target-os-macros)  # zlib takes them for an old Mac's
endif()
linsep_source_library(linsep_zstd zstd::libzstd_shared ${at}/libzstd/lib ${at}/libzstd/lib/common/*.c ${at}/libzstd/lib/compress/*.c
  ${at}/libzstd/lib/decompress/*.c)
target_compile_definitions(linsep_zstd PRIVATE ZSTD_DISABLE_ASM)
if(LINSEP_PYTHON AND CMAKE_SYSTEM_NAME STREQUAL Linux)  # wheels are installed where no module of Gloo is: workers of Spark, for instance
  set(GLOO_VERSION_MAJOR 0)
  set(GLOO_VERSION_MINOR 5)
  set(GLOO_VERSION_PATCH 0)
  configure_file(${at}/gloo/gloo/config.h.in ${headers}/gloo/config.h)
  set(at_gloo ${at}/gloo/gloo)
  # Its algorithms and the interfaces that they call: none of its connections.
  linsep_source_library(linsep_gloo_algorithms gloo ${at}/gloo ${at_gloo}/transport/*.cc ${at_gloo}/algorithm.cc
    ${at_gloo}/allgather.cc ${at_gloo}/allgatherv.cc ${at_gloo}/allreduce.cc ${at_gloo}/context.cc ${at_gloo}/types.cc
    ${at_gloo}/common/logging.cc)
  target_include_directories(linsep_gloo_algorithms SYSTEM PUBLIC ${headers})
  target_compile_options(linsep_gloo_algorithms PRIVATE -include cstdint)  # which its sources take for granted
endif()
if(LINSEP_TESTS)
  set(at_gtest /usr/src/googletest/googletest)
  linsep_source_library(linsep_gtest GTest::gtest ${at_gtest} ${at_gtest}/src/gtest-all.cc)
  target_include_directories(linsep_gtest SYSTEM PUBLIC ${at_gtest}/include)
  linsep_source_library(linsep_gtest_main GTest::gtest_main ${at_gtest} ${at_gtest}/src/gtest_main.cc)
  target_link_libraries(linsep_gtest_main PUBLIC linsep_gtest)
  linsep_source_library(linsep_rapidcheck rapidcheck ${at}/rapidcheck ${at}/rapidcheck/src/*.cpp ${at}/rapidcheck/src/*/*.cpp ${at}/rapidcheck/src/*/*/*.cpp)
  target_include_directories(linsep_rapidcheck SYSTEM PUBLIC ${at}/rapidcheck/include ${at}/rapidcheck/extras/gtest/include)
endif()
