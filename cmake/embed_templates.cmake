# Embeds the files *.in below a folder into a library, as embedded_templates() of emit/template_syntax.h.
#
# If included, it defines pallasgen_embed_templates(target folder). Run as a script (-DFOLDER, -DOUTPUT), it writes the
# source, sorted by path, so that the same templates give the same bytes.

if(CMAKE_SCRIPT_MODE_FILE)
  file(GLOB_RECURSE paths RELATIVE ${FOLDER} ${FOLDER}/*.in)
  list(SORT paths)
  set(text "#include \"template_syntax.h\"\n\nnamespace pallasgen {\n\n")
  string(APPEND text "const std::vector<EmbeddedTemplate>& embedded_templates() {\n")
  string(APPEND text "  static const std::vector<EmbeddedTemplate> kTemplates = {\n")
  foreach(path IN LISTS paths)
    file(READ "${FOLDER}/${path}" content)
    string(APPEND text "      {\"${path}\", R\"__template__(${content})__template__\"},\n")
  endforeach()
  string(APPEND text "  };\n  return kTemplates;\n}\n\n}  // namespace pallasgen\n")
  file(WRITE "${OUTPUT}" "${text}")
  return()
endif()

function(pallasgen_embed_templates target folder)
  set(script ${CMAKE_CURRENT_FUNCTION_LIST_FILE})
  set(output ${CMAKE_CURRENT_BINARY_DIR}/embedded_templates.cpp)
  file(GLOB_RECURSE templates CONFIGURE_DEPENDS ${folder}/*.in)
  add_custom_command(OUTPUT ${output}
                     COMMAND ${CMAKE_COMMAND} -DFOLDER=${folder} -DOUTPUT=${output} -P ${script}
                     DEPENDS ${templates} ${script} VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()
