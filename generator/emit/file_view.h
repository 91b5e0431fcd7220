#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "emit/emit.h"
#include "emit/template.h"
#include "plan/plan.h"

namespace pallasgen {

// What the templates of templates/file see of a plan: its values by name, statements and expressions printed. One
// object for all sections of the .cu file (facts, constants, Smem, tile order, functions, roles, kernel, launcher) and
// for the header. Null when a statement's template cannot be rendered; `error` says why.
nlohmann::ordered_json file_view(const Plan& plan, const EmitOptions& options, const Templates& templates,
                                 TemplateError& error);

// The parts of it, each an object or a list.
nlohmann::ordered_json facts_view(const Plan& plan);
nlohmann::ordered_json launch_view(const Plan& plan);
nlohmann::ordered_json header_view(const Plan& plan);

// What the template of <stem>.ffi.cpp sees: the launcher as functions over tensors.
nlohmann::ordered_json ffi_view(const Plan& plan);

// What the template of <stem>.py sees: a function in Python.
nlohmann::ordered_json python_view(const Plan& plan);

// The words with commas between them.
std::string listed(const std::vector<std::string>& words);

// `text` between quotation marks, escaped.
std::string string_literal(const std::string& text);

}  // namespace pallasgen
