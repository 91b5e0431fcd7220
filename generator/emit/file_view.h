#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "emit/emit.h"
#include "emit/template.h"
#include "plan/plan.h"

namespace pallasgen {

// The data that the templates of templates/file render: values of the plan by name, statements and expressions as text.
// One object serves all sections of the .cu file (facts, constants, Smem, tile order, functions, roles, kernel,
// launcher) and the header. Null if the template of a statement cannot be rendered; `error` then has the reason.
nlohmann::ordered_json file_view(const Plan& plan, const EmitOptions& options, const Templates& templates,
                                 TemplateError& error);

// The type of a field of shared memory and its array bounds, as in `bf16 a[kStages][bm * bk]`.
std::string type_of(const SharedField& field);
std::string bounds_of(const SharedField& field);

// Parts of the file view, each an object or a list.
nlohmann::ordered_json facts_view(const Plan& plan);
nlohmann::ordered_json launch_view(const Plan& plan);
nlohmann::ordered_json header_view(const Plan& plan);

// The view for the template of <stem>.ffi.cpp: the launcher as functions over tensors.
nlohmann::ordered_json ffi_view(const Plan& plan);

// The view for the template of <stem>.py: the launcher as a Python function.
nlohmann::ordered_json python_view(const Plan& plan);

// The words joined by commas.
std::string listed(const std::vector<std::string>& words);

// `text` between quotation marks, escaped.
std::string string_literal(const std::string& text);

}  // namespace pallasgen
