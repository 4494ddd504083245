# linsep_gloo_sources: as much of Gloo as the engine needs, with TCP as its only transport, from LINSEP_GLOO_SOURCES (tools/setup
# --portable fetches them).
set(at ${LINSEP_GLOO_SOURCES}/gloo)
file(GLOB sources ${at}/transport/*.cc ${at}/transport/tcp/*.cc)  # TLS has a folder of its own
if(NOT sources)
  message(FATAL_ERROR "${LINSEP_GLOO_SOURCES} doesn't hold the sources of Gloo: run tools/setup --portable")
endif()
foreach(name algorithm allgather allgatherv allreduce context types common/linux common/logging)
  list(APPEND sources ${at}/${name}.cc)
endforeach()
set(GLOO_VERSION_MAJOR 0)
set(GLOO_VERSION_MINOR 5)
set(GLOO_VERSION_PATCH 0)
set(GLOO_HAVE_TRANSPORT_TCP 1)
configure_file(${at}/config.h.in ${PROJECT_BINARY_DIR}/gloo/gloo/config.h)
add_library(linsep_gloo_sources OBJECT ${sources})
target_compile_options(linsep_gloo_sources PRIVATE -O2 -w -include cstdint)
target_include_directories(linsep_gloo_sources SYSTEM PUBLIC ${LINSEP_GLOO_SOURCES} ${PROJECT_BINARY_DIR}/gloo)
set_target_properties(linsep_gloo_sources PROPERTIES POSITION_INDEPENDENT_CODE ON)
