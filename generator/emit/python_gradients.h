#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "check/gradients.h"
#include "tensor_function.h"

namespace pallasgen {

// What the template of <stem>.py sees of a kernel's gradients: the launches that make them, in the names of the
// kernel's arrays. `names`: of the function's arguments in Python; `given`: those that a caller passes, without the
// results.
nlohmann::ordered_json python_gradients_view(const Gradients& gradients, const TensorFunction& function,
                                             const std::vector<std::string>& names,
                                             const std::vector<std::string>& given);

}  // namespace pallasgen
