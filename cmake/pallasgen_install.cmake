# The contents of `cmake --install` and the Debian package: the tool, the headers of generated code, what runs it on the
# CPU, and the CMake package. The tool finds all of it relative to itself, so that the tree may be moved.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS pallasgen RUNTIME DESTINATION bin)
if(TARGET pallasgen-clang)
  install(TARGETS pallasgen-clang RUNTIME DESTINATION bin)
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/runtime/pallasgen DESTINATION include)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/runtime/ffi ${PROJECT_SOURCE_DIR}/runtime/python DESTINATION lib/pallasgen)
if(TARGET pallasgen_emulator)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/runtime/emulator/include/ DESTINATION lib/pallasgen/emulator)
  install(FILES ${PROJECT_SOURCE_DIR}/runtime/runner/runner.h ${PROJECT_SOURCE_DIR}/runtime/runner/write_ahead.cuh
          DESTINATION lib/pallasgen/runner)
  install(TARGETS pallasgen_emulator pallasgen_runner ARCHIVE DESTINATION lib/pallasgen)
endif()
# The man page and the completions, from the tool's own table of commands.
set(manuals "")
foreach(form IN ITEMS man bash zsh)
  set(manual ${PROJECT_BINARY_DIR}/manual/${form})
  add_custom_command(OUTPUT ${manual} COMMAND pallasgen manual --as ${form} > ${manual} DEPENDS pallasgen VERBATIM)
  list(APPEND manuals ${manual})
endforeach()
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/manual)
add_custom_target(pallasgen_manual ALL DEPENDS ${manuals})
add_dependencies(tool pallasgen_manual)  # `make` builds all that is installed
install(FILES ${PROJECT_BINARY_DIR}/manual/man DESTINATION share/man/man1 RENAME pallasgen.1)
install(FILES ${PROJECT_BINARY_DIR}/manual/bash DESTINATION share/bash-completion/completions RENAME pallasgen)
install(FILES ${PROJECT_BINARY_DIR}/manual/zsh DESTINATION share/zsh/site-functions RENAME _pallasgen)
# For builds by make, and for git's hook.
install(FILES ${PROJECT_SOURCE_DIR}/share/pallasgen.mk DESTINATION share/pallasgen)
install(PROGRAMS ${PROJECT_SOURCE_DIR}/share/pre-commit DESTINATION share/pallasgen)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/specs DESTINATION share/pallasgen)  # for `init --from`
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/README.md DESTINATION share/doc/pallasgen)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/ DESTINATION share/doc/pallasgen/docs)

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/pallasgen-config.cmake.in
                              ${PROJECT_BINARY_DIR}/pallasgen-config.cmake INSTALL_DESTINATION lib/cmake/pallasgen)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/pallasgen-config-version.cmake COMPATIBILITY SameMinorVersion
                                 ARCH_INDEPENDENT)
install(FILES ${PROJECT_BINARY_DIR}/pallasgen-config.cmake ${PROJECT_BINARY_DIR}/pallasgen-config-version.cmake
              ${PROJECT_SOURCE_DIR}/cmake/pallasgen_add_kernels.cmake
              ${PROJECT_SOURCE_DIR}/cmake/pallasgen_add_python_package.cmake
              ${PROJECT_SOURCE_DIR}/cmake/pallasgen_merge_emulated.cmake
        DESTINATION lib/cmake/pallasgen)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME pallasgen)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Generates readable CUDA kernels from specs")
set(CPACK_PACKAGE_CONTACT "pallasgen")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS clang-19)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
include(CPack)
