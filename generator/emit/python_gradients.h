#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "check/gradients.h"
#include "tensor_function.h"

namespace pallasgen {

// The view of a kernel's gradients for the template of <stem>.py: the launches that compute them, with the kernel's
// arrays by name. `names`: the Python names of the function's arguments; `given`: those that a caller passes, without
// the results.
nlohmann::ordered_json python_gradients_view(const Gradients& gradients, const TensorFunction& function,
                                             const std::vector<std::string>& names,
                                             const std::vector<std::string>& given);

}  // namespace pallasgen
