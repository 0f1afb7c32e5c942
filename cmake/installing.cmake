# cmake --install: headers under include/causeway, the libraries, and a package that find_package(causeway) reads.
include(CMakePackageConfigHelpers)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/causeway)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/causeway DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING
        PATTERN "*.h" PATTERN cli EXCLUDE)
install(EXPORT causeway NAMESPACE causeway:: DESTINATION ${package} FILE causeway-targets.cmake)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/causeway-config.cmake.in
                              ${CMAKE_BINARY_DIR}/generated/causeway-config.cmake INSTALL_DESTINATION ${package})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/generated/causeway-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/generated/causeway-config.cmake
              ${CMAKE_BINARY_DIR}/generated/causeway-config-version.cmake ${CMAKE_CURRENT_LIST_DIR}/dependencies.cmake
        DESTINATION ${package})
