#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "check/kernel.h"

namespace pallasgen {

// The linked kernels of `vjp`, with their inputs and outputs under the names of the forward kernel. All arrays share
// one name space: the forward kernel's inputs and outputs, the cotangents of its outputs, and the results of earlier
// gradient kernels, which a later one may replace by another array of that name.
struct GradientStep {
  std::shared_ptr<const Kernel> kernel;
  std::vector<std::pair<std::string, std::string>> inputs, outputs;  // name in `kernel`, name here
  std::vector<TypedPtr> dims;  // value of each of its dims, in dims of the forward kernel
  std::map<std::string, std::variant<std::string, Scalar>> scalars;  // a value, or a scalar of the forward kernel
};

struct Gradients {
  std::vector<GradientStep> steps;
  // Each output that has a cotangent, and that array. Other outputs have the cotangent zero.
  std::vector<std::pair<std::string, std::string>> cotangents;
  // Each input that has a gradient, and that array, which has as many elements in the same order.
  std::vector<std::pair<std::string, std::string>> gradients;
};

// Returns the spec of a kernel that is next to the forward kernel's, with the command line's values for the consts of
// these names; null with a diagnostic (rule kVjpKernel) at the kernel's name.
using FindSpec =
    std::function<std::shared_ptr<const Spec>(const Named& kernel, const std::vector<std::string>& consts)>;

// Checks the kernels that the `vjp` of a checked kernel names, and compares their arguments and results with the
// forward kernel by name, dtype and shape. Returns false with diagnostics, and true without `vjp`. See check() for
// `open_extern`.
bool link_gradients(Kernel& kernel, const FindSpec& find, Diagnostics& diagnostics, const OpenExtern& open_extern = {});

// One line per launch, as in "attention_cast(sums = dq, N = B * S * H * d, scale) -> dq: bf16[N]", after a line with
// the cotangents (given or zero) and before a line with the gradients. Empty without `vjp`.
std::vector<std::string> gradient_lines(const Kernel& kernel);

}  // namespace pallasgen
