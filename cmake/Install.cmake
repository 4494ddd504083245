# `cmake --install` gives headers, libraries, the command, a find_package(linsep) config with the target linsep::linsep
# (and linsep::linsep_static), and the pkg-config packages linsep and linsep-static.
include(CMakePackageConfigHelpers)

set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME development)
get_property(rooms GLOBAL PROPERTY LINSEP_ROOMS)
install(TARGETS linsep linsep_static ${rooms} EXPORT linsepTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library NAMELINK_COMPONENT development)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/linsep DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(LINSEP_APP)
  install(TARGETS linsep_app RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
endif()
install(EXPORT linsepTargets NAMESPACE linsep:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/linsep)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/linsepConfig.cmake.in
  ${PROJECT_BINARY_DIR}/linsepConfig.cmake INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/linsep)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/linsepConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/linsepConfig.cmake ${PROJECT_BINARY_DIR}/linsepConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/linsep)

# pkg-config. The rooms need each other in no simple order, so the linker goes over them until nothing is missing.
list(TRANSFORM rooms PREPEND "-l" OUTPUT_VARIABLE archives)
list(JOIN archives " " archives)
set(exact_libraries "-lgmpxx -lflint -lgmp")
if(LINSEP_EXACT STREQUAL "boost")
  set(exact_libraries "")
endif()
set(static_libraries
  "-Wl,--start-group ${archives} -Wl,--end-group -lfmt -lhwy -lz -lzstd ${exact_libraries} -ldl -pthread")
set(pc_libraries "${static_libraries}")
if(BUILD_SHARED_LIBS)
  set(pc_libraries "-llinsep")
endif()
set(pc_name linsep)
configure_file(${PROJECT_SOURCE_DIR}/cmake/linsep.pc.in ${PROJECT_BINARY_DIR}/linsep.pc @ONLY)
set(pc_name linsep-static)
set(pc_libraries "${static_libraries}")
configure_file(${PROJECT_SOURCE_DIR}/cmake/linsep.pc.in ${PROJECT_BINARY_DIR}/linsep-static.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/linsep.pc ${PROJECT_BINARY_DIR}/linsep-static.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
