# pallasgen_add_ffi_library(NAME KERNELS FILE.cu… INCLUDE DIR [DEVICES CPU|CUDA…] [TARGET SM] [EXTERN_ARGS ARG…])
#
# Defines a shared library NAME of generated kernels, with their <kernel>.ffi.cpp, for callers of Apache TVM-FFI
# functions (find_package(tvm_ffi) comes before).
#   INCLUDE       the output root, where the kernels' headers are included from
#   DEVICES       CUDA: nvcc compiles the kernels. CPU: they run in the emulator. Both: by the device of the arrays. By default CPU,
#                 and CUDA where the project has the language
#   TARGET        the architecture of the kernels, sm_90a by default
#   EXTERN_ARGS   include paths and defines for the headers that specs name under `extern`
#
# For CPU the kernels and the emulator become one object that exports only the launchers, with `_cpu` after their names:
# it shares no symbol with the CUDA runtime of the process, or the launchers of the same library.
function(pallasgen_add_ffi_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "INCLUDE;TARGET" "KERNELS;DEVICES;EXTERN_ARGS")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_KERNELS OR NOT arg_INCLUDE)
    message(FATAL_ERROR "pallasgen_add_ffi_library(${name}) needs KERNELS and INCLUDE, and takes DEVICES, TARGET and EXTERN_ARGS")
  endif()
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if(NOT arg_DEVICES)
    set(arg_DEVICES CPU)
    if(CUDA IN_LIST languages)
      list(APPEND arg_DEVICES CUDA)
    endif()
  endif()
  foreach(device IN LISTS arg_DEVICES)
    if(NOT device MATCHES "^(CPU|CUDA)$")
      message(FATAL_ERROR "pallasgen_add_ffi_library(${name}): DEVICES are CPU and CUDA, not '${device}'")
    endif()
  endforeach()

  set(exports ${PALLASGEN_FFI_SOURCES}/ffi.cpp)
  foreach(kernel IN LISTS arg_KERNELS)
    string(REGEX REPLACE "\\.cu$" ".ffi.cpp" source ${kernel})
    if(NOT EXISTS ${source})
      get_source_file_property(generated ${source} GENERATED)
      if(NOT generated)
        message(FATAL_ERROR "pallasgen_add_ffi_library(${name}): there is no ${source}: `pallasgen generate --bindings ffi` writes it")
      endif()
    endif()
    list(APPEND exports ${source})
  endforeach()
  add_library(${name} SHARED ${exports})
  target_compile_features(${name} PRIVATE cxx_std_20)
  target_include_directories(${name} PRIVATE ${arg_INCLUDE})
  target_link_libraries(${name} PRIVATE pallasgen::runtime pallasgen::cuda_headers tvm_ffi::shared)
  target_precompile_headers(${name} PRIVATE <pallasgen/ffi.h>)
  # Only the exports are visible.
  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${name}.map CONTENT "{ global: __tvm_ffi_*; local: *; };\n")
  target_link_options(${name} PRIVATE LINKER:--version-script=${CMAKE_CURRENT_BINARY_DIR}/${name}.map)
  set_target_properties(${name} PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
                                           POSITION_INDEPENDENT_CODE ON)
  if(CPU IN_LIST arg_DEVICES)
    pallasgen_add_emulated_kernels(${name} "${arg_KERNELS}" "${arg_INCLUDE}" "${arg_EXTERN_ARGS}")
  endif()
  if(CUDA IN_LIST arg_DEVICES)
    pallasgen_add_cuda_kernels(${name} "${arg_KERNELS}" "${arg_INCLUDE}" "${arg_TARGET}" "${arg_EXTERN_ARGS}")
  endif()
endfunction()

# Makes one object of the library's kernels in the emulator.
function(pallasgen_add_emulated_kernels name kernels include extern_args)
  # GNU's: LLVM's lack --force-group-allocation, without which the linker would merge inline functions of this build
  # with those of the same name in nvcc's.
  find_program(PALLASGEN_LD NAMES ld.bfd x86_64-linux-gnu-ld.bfd REQUIRED)
  find_program(PALLASGEN_OBJCOPY NAMES x86_64-linux-gnu-objcopy objcopy REQUIRED)
  find_program(PALLASGEN_NM NAMES x86_64-linux-gnu-nm nm REQUIRED)
  # Each kernel has a file of its own that includes it: a source has one language for all targets of a folder.
  set(parts "")
  foreach(kernel IN LISTS kernels)
    string(MAKE_C_IDENTIFIER "${kernel}" label)
    set(part ${CMAKE_CURRENT_BINARY_DIR}/${name}_cpu/${label}.cpp)
    file(CONFIGURE OUTPUT ${part} CONTENT "#include \"${kernel}\"\n" @ONLY)
    list(APPEND parts ${part})
  endforeach()
  add_library(${name}_cpu OBJECT ${parts} ${PALLASGEN_FFI_SOURCES}/emulated.cpp)
  target_compile_features(${name}_cpu PRIVATE cxx_std_20)
  target_include_directories(${name}_cpu PRIVATE ${include})
  target_compile_options(${name}_cpu PRIVATE -w -Wno-psabi -O1 -g1 -ffp-contract=off -fstack-clash-protection -U_FORTIFY_SOURCE
                                             $<$<CXX_COMPILER_ID:GNU>:-fno-gnu-unique> ${extern_args})
  target_link_libraries(${name}_cpu PRIVATE pallasgen::emulator)
  set_target_properties(${name}_cpu PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
                                               POSITION_INDEPENDENT_CODE ON)
  set(whole ${CMAKE_CURRENT_BINARY_DIR}/${name}_cpu.o)
  add_custom_command(
    OUTPUT ${whole}
    COMMAND ${CMAKE_COMMAND} -DLD=${PALLASGEN_LD} -DOBJCOPY=${PALLASGEN_OBJCOPY} -DNM=${PALLASGEN_NM} -DOUTPUT=${whole}
            "-DOBJECTS=$<TARGET_OBJECTS:${name}_cpu>" -DARCHIVE=$<TARGET_FILE:pallasgen::emulator>
            -P ${PALLASGEN_CMAKE}/pallasgen_merge_emulated.cmake
    DEPENDS ${name}_cpu $<TARGET_OBJECTS:${name}_cpu> $<TARGET_FILE:pallasgen::emulator>
    COMMENT "Putting the emulator and its kernels into one object"
    VERBATIM)
  set_source_files_properties(${whole} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
  target_sources(${name} PRIVATE ${whole})
  target_compile_definitions(${name} PRIVATE PALLASGEN_FFI_CPU)
endfunction()

# Compiles the kernels of the library with nvcc.
function(pallasgen_add_cuda_kernels name kernels include target extern_args)
  string(REGEX REPLACE "^sm_" "" architecture "${target}")
  if(NOT architecture)
    set(architecture 90a)
  endif()
  add_library(${name}_cuda OBJECT ${kernels})
  target_include_directories(${name}_cuda PRIVATE ${include})
  target_link_libraries(${name}_cuda PRIVATE pallasgen::runtime)
  target_compile_options(${name}_cuda PRIVATE ${extern_args})
  set_target_properties(${name}_cuda PROPERTIES CUDA_ARCHITECTURES ${architecture} CUDA_VISIBILITY_PRESET hidden
                                                POSITION_INDEPENDENT_CODE ON)
  pallasgen_cuda_standard(${name}_cuda)
  target_sources(${name} PRIVATE $<TARGET_OBJECTS:${name}_cuda>)
  target_compile_definitions(${name} PRIVATE PALLASGEN_FFI_CUDA)
  set_target_properties(${name} PROPERTIES CUDA_RUNTIME_LIBRARY Static LINKER_LANGUAGE CUDA)
endfunction()

# pallasgen_add_python_package(NAME [GENERATED DIR] [DEVICES CPU|CUDA…] [TARGET SM] [EXTERN_ARGS ARG…])
#
# The Python package NAME of all kernels below DIR, written by `pallasgen generate --bindings python`: in the build
# folder, to be imported from there, and for `cmake --install`, which wheels use. Arguments that are left out are taken
# from the project file, pallasgen.yaml in this folder or the nearest above: its `out`, `target` and `extern_args`.
function(pallasgen_add_python_package name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "GENERATED;TARGET" "DEVICES;EXTERN_ARGS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "pallasgen_add_python_package(${name}): '${arg_UNPARSED_ARGUMENTS}' is no keyword: GENERATED, DEVICES, "
                        "TARGET and EXTERN_ARGS are")
  endif()
  set(project_args "")
  set(project_specs "")
  pallasgen_take_project(arg_GENERATED out arg_TARGET target project_specs specs project_args extern_args)
  list(PREPEND arg_EXTERN_ARGS ${project_args})
  if(NOT arg_GENERATED)
    message(FATAL_ERROR "pallasgen_add_python_package(${name}) needs GENERATED, the folder that holds the generated kernels, or a "
                        "project file, pallasgen.yaml, that says `out`")
  endif()
  get_filename_component(generated ${arg_GENERATED} ABSOLUTE BASE_DIR ${CMAKE_CURRENT_SOURCE_DIR})
  file(GLOB_RECURSE modules CONFIGURE_DEPENDS ${generated}/*.py)
  if(NOT modules)
    message(FATAL_ERROR "pallasgen_add_python_package(${name}): there is no module below ${generated}: "
                        "`pallasgen generate --bindings python` writes them")
  endif()
  set(package ${CMAKE_CURRENT_BINARY_DIR}/${name})
  set(support _frameworks _torch _jax)
  set(kernels "")
  set(imports "")
  set(names "")
  set(functions "")
  set(called_otherwise "")
  foreach(module IN LISTS modules)
    get_filename_component(stem ${module} NAME_WE)
    if(stem IN_LIST names)
      message(FATAL_ERROR "pallasgen_add_python_package(${name}): two files below ${generated} are called '${stem}'")
    endif()
    list(APPEND names ${stem})
    file(STRINGS ${module} function REGEX "^__all__ = ")
    string(REGEX REPLACE "^__all__ = \\[\"(.*)\"\\]$" "\\1" function "${function}")
    if(function IN_LIST functions)
      message(FATAL_ERROR "pallasgen_add_python_package(${name}): two kernels below ${generated} are called '${function}'")
    endif()
    list(APPEND functions ${function})
    if(NOT function STREQUAL stem)
      list(APPEND called_otherwise ${function})
    endif()
    # Headers of `extern` lie in the folders of their specs.
    file(RELATIVE_PATH below ${generated} ${module})
    get_filename_component(below ${below} DIRECTORY)
    foreach(folder IN LISTS project_specs)
      get_filename_component(beside "${folder}/${below}" ABSOLUTE BASE_DIR ${CMAKE_CURRENT_SOURCE_DIR})
      if(IS_DIRECTORY ${beside})
        list(APPEND arg_EXTERN_ARGS -I${beside})
      endif()
    endforeach()
    string(REGEX REPLACE "\\.py$" ".cu" kernel ${module})
    list(APPEND kernels ${kernel})
    string(APPEND imports "from .${stem} import *  # noqa: F403\n")
    configure_file(${module} ${package}/${stem}.py COPYONLY)
  endforeach()
  list(REMOVE_DUPLICATES arg_EXTERN_ARGS)
  foreach(function IN LISTS called_otherwise)
    if(function IN_LIST names)
      message(FATAL_ERROR "pallasgen_add_python_package(${name}): the kernel '${function}' is not in the file of that name, which "
                          "would hide it: call the file or the kernel otherwise")
    endif()
  endforeach()
  # Names that are derived from a kernel's.
  foreach(function IN LISTS functions)
    foreach(suffix IN ITEMS new into no_grad with status aliased workspace_bytes cpu)
      if(${function}_${suffix} IN_LIST functions)
        message(FATAL_ERROR "pallasgen_add_python_package(${name}): the kernel ${function}_${suffix} has a name that is made of that "
                            "of the kernel ${function}: call it otherwise")
      endif()
    endforeach()
  endforeach()
  # Removes modules of kernels that are gone.
  file(GLOB there RELATIVE ${package} ${package}/*.py)
  foreach(file IN LISTS there)
    string(REGEX REPLACE "\\.py$" "" stem ${file})
    if(NOT stem IN_LIST names AND NOT stem IN_LIST support)
      file(REMOVE ${package}/${file})
    endif()
  endforeach()
  set(doc "Kernels generated by pallasgen, for arrays of PyTorch, JAX, CuPy and NumPy.")
  file(CONFIGURE OUTPUT ${package}/__init__.py CONTENT "\"\"\"${doc}\"\"\"\n\n${imports}" @ONLY)
  file(CONFIGURE OUTPUT ${package}/py.typed CONTENT "" @ONLY)
  foreach(module IN LISTS support)
    configure_file(${PALLASGEN_PYTHON}/${module}.py ${package}/${module}.py COPYONLY)
  endforeach()
  set(rest "")
  foreach(keyword IN ITEMS DEVICES TARGET EXTERN_ARGS)
    if(arg_${keyword})
      list(APPEND rest ${keyword} ${arg_${keyword}})
    endif()
  endforeach()
  pallasgen_add_ffi_library(${name} KERNELS ${kernels} INCLUDE ${generated} ${rest})
  set_target_properties(${name} PROPERTIES PREFIX "" OUTPUT_NAME _kernels LIBRARY_OUTPUT_DIRECTORY ${package}
                                           INSTALL_RPATH "$ORIGIN/../tvm_ffi/lib")
  install(DIRECTORY ${package}/ DESTINATION ${name} FILES_MATCHING PATTERN "*.py" PATTERN py.typed)
  install(TARGETS ${name} LIBRARY DESTINATION ${name})
endfunction()
