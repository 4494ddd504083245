# `cmake --install` gives headers, libraries, the command and a find_package(linsep) config with the target
# linsep::linsep.
include(CMakePackageConfigHelpers)

get_property(rooms GLOBAL PROPERTY LINSEP_ROOMS)
install(TARGETS linsep ${rooms} EXPORT linsepTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/linsep DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(LINSEP_APP)
  install(TARGETS linsep_app RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(EXPORT linsepTargets NAMESPACE linsep:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/linsep)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/linsepConfig.cmake.in
  ${PROJECT_BINARY_DIR}/linsepConfig.cmake INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/linsep)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/linsepConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/linsepConfig.cmake ${PROJECT_BINARY_DIR}/linsepConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/linsep)
