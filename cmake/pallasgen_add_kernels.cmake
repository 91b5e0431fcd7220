# pallasgen_add_kernels(NAME [SPECS SPEC…] [OUTPUT_DIR DIR] [ROOT DIR] [DEFINES NAME=VALUE…] [TARGET SM] [TEMPLATE_DIR DIR]
#                       [EXTERN_ARGS ARG…])
#
# Defines a static library NAME of the kernels of some specs, which are files or folders. The build writes the generated
# sources to OUTPUT_DIR, which may lie in the source tree, whenever a spec changes, and compiles those that changed.
# Targets that link NAME get their headers, as `#include "matmul/matmul.h"`, and the runtime's.
#
# Arguments that are left out are taken from the project file, pallasgen.yaml in this folder or the nearest above, which
# an installed pallasgen reads; without it SPECS and OUTPUT_DIR are required. DEFINES and EXTERN_ARGS extend it.
#
#   OUTPUT_DIR    a folder that no other target writes to
#   ROOT          the spec root, which decides where outputs go below OUTPUT_DIR: else the nearest folder above a spec that
#                 is named `specs`, else a folder given as SPEC, else the spec's own folder
#   DEFINES       consts and settings, as -D
#   TARGET        the architecture, sm_90a in place of the specs'
#   EXTERN_ARGS   include paths and defines for the headers that specs name under `extern`
# Two more targets: NAME.update writes all outputs and removes those whose spec is gone; NAME.check fails if an output
# is not what the spec makes, or was edited.
function(pallasgen_add_kernels name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "OUTPUT_DIR;ROOT;TARGET;TEMPLATE_DIR" "SPECS;DEFINES;EXTERN_ARGS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "pallasgen_add_kernels(${name}): '${arg_UNPARSED_ARGUMENTS}' is no keyword: SPECS, OUTPUT_DIR, ROOT, "
                        "DEFINES, TARGET, TEMPLATE_DIR and EXTERN_ARGS are")
  endif()
  set(project_args "")
  pallasgen_take_project(arg_SPECS specs arg_OUTPUT_DIR out arg_TARGET target arg_TEMPLATE_DIR template_dir
                         project_args extern_args)
  if(NOT arg_SPECS OR NOT arg_OUTPUT_DIR)
    message(FATAL_ERROR "pallasgen_add_kernels(${name}) needs SPECS and OUTPUT_DIR, or a project file, pallasgen.yaml, that "
                        "says `specs` and `out`")
  endif()
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if(NOT CUDA IN_LIST languages)
    message(FATAL_ERROR "pallasgen_add_kernels(${name}) needs the language CUDA: project(… LANGUAGES CXX CUDA)")
  endif()

  get_filename_component(out ${arg_OUTPUT_DIR} ABSOLUTE BASE_DIR ${CMAKE_CURRENT_SOURCE_DIR})
  # NAME.update of one target would remove outputs of another in the same folder.
  get_property(other GLOBAL PROPERTY "pallasgen_output:${out}")
  if(other)
    message(FATAL_ERROR "pallasgen_add_kernels(${name}): '${other}' writes to '${out}' too: give each target an OUTPUT_DIR of its own")
  endif()
  set_property(GLOBAL PROPERTY "pallasgen_output:${out}" ${name})
  set(common "")
  set(depends pallasgen::pallasgen)
  if(project)
    list(APPEND common --project ${project})
    list(APPEND depends ${project})
  else()
    list(APPEND common --no-project)
  endif()
  foreach(define IN LISTS arg_DEFINES)
    list(APPEND common -D ${define})
  endforeach()
  foreach(argument IN LISTS arg_EXTERN_ARGS)
    list(APPEND common --extern-arg=${argument})
  endforeach()
  if(arg_TARGET)
    list(APPEND common --target ${arg_TARGET})
  endif()
  if(arg_TEMPLATE_DIR)
    get_filename_component(templates ${arg_TEMPLATE_DIR} ABSOLUTE BASE_DIR ${CMAKE_CURRENT_SOURCE_DIR})
    list(APPEND common --template-dir ${templates})
  endif()

  set(sources "")
  set(given "")
  foreach(spec IN LISTS arg_SPECS)
    get_filename_component(path ${spec} ABSOLUTE BASE_DIR ${CMAKE_CURRENT_SOURCE_DIR})
    if(NOT EXISTS ${path})
      message(FATAL_ERROR "pallasgen_add_kernels(${name}): there is no spec '${path}'")
    endif()
    list(APPEND given ${path})
    set(folder "")
    set(files ${path})
    if(IS_DIRECTORY ${path})
      set(folder ${path})
      file(GLOB_RECURSE files CONFIGURE_DEPENDS ${path}/*.yaml ${path}/*.yml ${path}/*.json)
    endif()
    foreach(file IN LISTS files)
      pallasgen_spec_root(root ${file} "${arg_ROOT}" "${folder}")
      file(RELATIVE_PATH stem ${root} ${file})
      string(REGEX REPLACE "\\.[^./]*$" "" stem ${stem})
      string(MAKE_C_IDENTIFIER "${name}_${stem}" label)
      set(depfile ${CMAKE_CURRENT_BINARY_DIR}/${label}.d)
      add_custom_command(
        OUTPUT ${out}/${stem}.cu ${out}/${stem}.h
        COMMAND pallasgen::pallasgen generate ${file} --out ${out} --root ${root} --depfile ${depfile} ${common}
        DEPENDS ${file} ${depends}
        DEPFILE ${depfile}
        COMMENT "Generating ${stem}.cu"
        VERBATIM)
      list(APPEND sources ${out}/${stem}.cu ${out}/${stem}.h)
      # A header of `extern` lies in the folder of its spec.
      get_filename_component(beside ${file} DIRECTORY)
      set_source_files_properties(${out}/${stem}.cu PROPERTIES INCLUDE_DIRECTORIES "${beside}")
    endforeach()
  endforeach()

  set(root "")
  if(arg_ROOT)
    get_filename_component(root ${arg_ROOT} ABSOLUTE BASE_DIR ${CMAKE_CURRENT_SOURCE_DIR})
    set(root --root ${root})
  endif()
  add_custom_target(${name}.update COMMAND pallasgen::pallasgen generate ${given} --out ${out} --prune ${root} ${common}
                    VERBATIM)
  add_custom_target(${name}.check COMMAND pallasgen::pallasgen check ${given} --out ${out} ${root} ${common} VERBATIM)

  add_library(${name} STATIC ${sources})
  target_include_directories(${name} PUBLIC ${out})
  target_link_libraries(${name} PUBLIC pallasgen::runtime)
  target_compile_options(${name} PRIVATE ${project_args} ${arg_EXTERN_ARGS})
  string(REGEX REPLACE "^sm_" "" architecture "${arg_TARGET}")
  if(NOT architecture)
    set(architecture 90a)
  endif()
  set_target_properties(${name} PROPERTIES CUDA_ARCHITECTURES ${architecture})
  pallasgen_cuda_standard(${name})
endfunction()

# Finds the project file of the folder that is being configured, or of the nearest above it, and sets `variable`, to an
# empty string if there is none, or if the tool is built with the project and cannot be asked yet.
function(pallasgen_find_project variable)
  set(${variable} "" PARENT_SCOPE)
  get_target_property(tool pallasgen::pallasgen IMPORTED_LOCATION)
  set(folder ${CMAKE_CURRENT_SOURCE_DIR})
  while(tool AND (NOT EXISTS ${folder}/pallasgen.yaml OR IS_DIRECTORY ${folder}/pallasgen.yaml))
    get_filename_component(above ${folder} DIRECTORY)
    if(above STREQUAL folder)
      return()
    endif()
    set(folder ${above})
  endwhile()
  if(tool)
    set(${variable} ${folder}/pallasgen.yaml PARENT_SCOPE)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${folder}/pallasgen.yaml)
  endif()
endfunction()

# pallasgen_take_project(VARIABLE KEY…): sets `project` to the project file, and each variable that is empty to the
# file's value for its key.
function(pallasgen_take_project)
  pallasgen_find_project(project)
  set(project "${project}" PARENT_SCOPE)
  get_target_property(tool pallasgen::pallasgen IMPORTED_LOCATION)
  set(pairs ${ARGN})
  while(project AND pairs)
    list(POP_FRONT pairs variable key)
    if(NOT ${variable})
      execute_process(COMMAND ${tool} project ${key} --project ${project} OUTPUT_VARIABLE values ERROR_VARIABLE said
                      RESULT_VARIABLE code OUTPUT_STRIP_TRAILING_WHITESPACE)
      if(code)
        message(FATAL_ERROR "${said}")
      endif()
      if(values MATCHES ";")
        message(FATAL_ERROR "${project}: '${key}' has a ';', which separates the elements of CMake's lists: rename what it names")
      endif()
      string(REPLACE "\n" ";" values "${values}")
      set(${variable} ${values} PARENT_SCOPE)
    endif()
  endwhile()
endfunction()

# C++20 for nvcc, which CMake supports from 3.26 on.
function(pallasgen_cuda_standard target)
  if(CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
    set_target_properties(${target} PROPERTIES CUDA_STANDARD 20 CUDA_STANDARD_REQUIRED ON)
  else()
    set_property(TARGET ${target} PROPERTY CUDA_STANDARD)
    target_compile_options(${target} PRIVATE -std=c++20)
  endif()
endfunction()

# The spec root of a file, by the rule of the tool (docs/command-line.md): sets `variable`.
function(pallasgen_spec_root variable file given folder)
  if(given)
    get_filename_component(root ${given} ABSOLUTE BASE_DIR ${CMAKE_CURRENT_SOURCE_DIR})
    set(${variable} ${root} PARENT_SCOPE)
    return()
  endif()
  get_filename_component(own ${file} DIRECTORY)
  set(above ${own})
  while(NOT above STREQUAL "/")
    get_filename_component(base ${above} NAME)
    if(base STREQUAL "specs")
      set(${variable} ${above} PARENT_SCOPE)
      return()
    endif()
    get_filename_component(above ${above} DIRECTORY)
  endwhile()
  if(folder)
    set(${variable} ${folder} PARENT_SCOPE)
  else()
    set(${variable} ${own} PARENT_SCOPE)
  endif()
endfunction()
