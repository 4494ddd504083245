# Debian packages: cmake --preset package && cmake --build --preset package && cpack --config build/package/CPackConfig.cmake -B DIR
#   linsep            the program, manual pages, completion for bash, zsh and fish
#   liblinsepX.Y      the shared library, one package for each SOVERSION
#   liblinsep-dev     headers, static libraries, files for CMake and pkg-config
#   linsep-cluster    the engines for workers on several machines
# Dependencies come from dpkg-shlibdeps. With SOURCE_DATE_EPOCH set, the same sources give the same bytes.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME linsep)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "The linsep developers <linsep@users.noreply.github.com>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")  # each package has its own
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/packaging/debian/stage.cmake)
set(CPACK_LINSEP_PACKAGING ${PROJECT_SOURCE_DIR}/packaging/debian)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_COMPONENTS_ALL program library development)
if(TARGET linsep_mpi OR TARGET linsep_gloo)
  list(APPEND CPACK_COMPONENTS_ALL modules)
endif()
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_HOMEPAGE https://github.com/linsep/linsep)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(version ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})
set(library liblinsep${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})

function(linsep_package component name section summary)
  string(TOUPPER ${component} upper)
  list(JOIN ARGN "\n" more)
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${name} PARENT_SCOPE)
  set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${section} PARENT_SCOPE)
  set(CPACK_COMPONENT_${upper}_DESCRIPTION "${summary}\n${more}" PARENT_SCOPE)
endfunction()
set(about "linsep trains linear classifiers to a proven gap, and proves with exact"
  "arithmetic whether any linear classifier separates the rows of a data set.")
linsep_package(program linsep science "Linear classification that proves its answer" ${about}
  "This package has the command line, its manual pages and completion.")
linsep_package(library ${library} libs "Linear classification that proves its answer: library" ${about}
  "This package has the shared library.")
linsep_package(development liblinsep-dev libdevel "Linear classification that proves its answer: headers" ${about}
  "This package has headers, static libraries and files for CMake and pkg-config.")
linsep_package(modules linsep-cluster science "Linear classification that proves its answer: engines for clusters" ${about}
  "This package lets the command line train on several machines, by MPI or Gloo.")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS "linsep-cluster (= ${version}), librsvg2-2")
set(CPACK_DEBIAN_MODULES_PACKAGE_DEPENDS "linsep (= ${version})")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/packaging/debian/triggers)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")  # a patch version only adds
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "${library} (= ${version}), libeigen3-dev, libfast-float-dev, libflint-dev, libfmt-dev, \
libgmp-dev, libhwy-dev, libzstd-dev, nlohmann-json3-dev, zlib1g-dev")
include(CPack)
