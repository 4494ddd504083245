file(REMOVE_RECURSE ${WORK})
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${ARGV} failed:\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix)
run(${CMAKE_COMMAND} -S ${SOURCE} -B ${WORK}/build -G Ninja -DCMAKE_PREFIX_PATH=${WORK}/prefix
    -DCMAKE_CXX_COMPILER=${COMPILER})
run(${CMAKE_COMMAND} --build ${WORK}/build)
run(${WORK}/build/consumer)
if(NOT output MATCHES "converged after 2 mistakes: theta = \\(-2, 0.5\\)")
  message(FATAL_ERROR "the consumer printed: ${output}")
endif()

# The engines are found where they were installed.
file(GLOB_RECURSE module ${WORK}/prefix/liblinsep_gloo.so)
if(module)
  run(${CMAKE_COMMAND} -E env LINSEP_GLOO_RANK=0 LINSEP_GLOO_SIZE=1 LINSEP_GLOO_DIR=${WORK} LINSEP_GLOO_RUN=install
      ${WORK}/prefix/bin/linsep --version)
endif()
