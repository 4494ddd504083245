# Installs linsep into a folder of its own, builds the examples with find_package and one of them with pkg-config, runs
# them all.
file(REMOVE_RECURSE ${WORK})
function(run)
  execute_process(COMMAND ${ARGV} WORKING_DIRECTORY ${WORK} RESULT_VARIABLE code OUTPUT_VARIABLE output
                  ERROR_VARIABLE output)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${ARGV} failed:\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()
function(expect wanted)
  run(${ARGN})
  if(NOT output MATCHES "${wanted}")
    message(FATAL_ERROR "${ARGN} printed:\n${output}\ninstead of: ${wanted}")
  endif()
endfunction()

file(MAKE_DIRECTORY ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix)

# Nothing lies beside the usual folders. The Python module is there for the wheel, which asks for it.
file(GLOB folders RELATIVE ${WORK}/prefix ${WORK}/prefix/*)
list(REMOVE_ITEM folders bin include lib lib64 share)
if(folders)
  message(FATAL_ERROR "cmake --install put ${folders} beside bin, include, lib and share")
endif()
file(GLOB built ${BUILD}/python/linsep/_core*.so)
if(built)
  run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/wheel --component python)
  file(GLOB installed ${WORK}/wheel/linsep/_core*.so)
  if(NOT installed)
    message(FATAL_ERROR "the component python has no module")
  endif()
endif()

run(${CMAKE_COMMAND} -S ${SOURCE} -B ${WORK}/build -G Ninja -DCMAKE_PREFIX_PATH=${WORK}/prefix
    -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_BUILD_TYPE=Debug)
run(${CMAKE_COMMAND} --build ${WORK}/build)

run(${WORK}/prefix/bin/linsep generate noisy --rows 1000 -o rows.svm)
expect("^no\nno\nno\nyes\n$" ${WORK}/build/train_arrays)
expect("^1000 rows, [0-9]+ mistakes" ${WORK}/build/stream_file rows.svm model.json)
expect("1,000 rows: [0-9]+ mistakes" ${WORK}/prefix/bin/linsep evaluate rows.svm -m model.json)
file(WRITE ${WORK}/patients.csv "sex,age,seen,disease\nmale,40,2024-01-02,no\nfemale,51,2024-02-03,yes\nmale,,2024-03-04,no\nfemale,47,2024-04-05,yes\n")
expect("sex +category.*\nno -[0-9.e-]+\nyes [0-9.e-]+\n$" ${WORK}/build/raw_table patients.csv patients.csv disease)
expect("^overlapping\nrow 1: 1\n.*valid: " ${WORK}/build/certify_verify)
expect("^objective 0\\.[0-9]+, gap at most [0-9.e-]+\n$" ${WORK}/build/several_workers rows.svm)
expect("^spam\n$" ${WORK}/build/own_learner)

# Both pkg-config packages, relative to wherever the prefix lies.
file(GLOB_RECURSE package ${WORK}/prefix/linsep.pc)
cmake_path(GET package PARENT_PATH packages)
cmake_path(GET packages PARENT_PATH libraries)
foreach(name linsep linsep-static)
  run(${CMAKE_COMMAND} -E env PKG_CONFIG_PATH=${packages} pkg-config --cflags --libs ${name})
  string(STRIP "${output}" flags)
  separate_arguments(flags UNIX_COMMAND "${flags}")
  run(${COMPILER} -std=c++20 ${SOURCE}/train_arrays.cc -o ${name} ${flags})
  expect("^no\nno\nno\nyes\n$" ${CMAKE_COMMAND} -E env LD_LIBRARY_PATH=${libraries} ${WORK}/${name})
endforeach()

# The engines are found where they were installed.
file(GLOB_RECURSE module ${WORK}/prefix/liblinsep_gloo.so)
if(module)
  run(${CMAKE_COMMAND} -E env LINSEP_GLOO_RANK=0 LINSEP_GLOO_SIZE=1 LINSEP_GLOO_DIR=${WORK} LINSEP_GLOO_RUN=install
      ${WORK}/prefix/bin/linsep --version)
endif()
