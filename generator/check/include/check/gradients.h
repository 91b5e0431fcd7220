#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "check/kernel.h"

namespace pallasgen {

// The kernels of `vjp`, linked: what each of them takes and makes, in the names of the forward kernel. Arrays have
// names in one space: the forward kernel's inputs and outputs, the cotangents of its outputs, and what kernels before
// made, of which a later one may make another by the same name.
struct GradientStep {
  std::shared_ptr<const Kernel> kernel;
  std::vector<std::pair<std::string, std::string>> inputs, outputs;  // the name in `kernel`, and the one here
  std::vector<TypedPtr> dims;                                        // of each of its dims, by the forward kernel's
  std::map<std::string, std::variant<std::string, Scalar>> scalars;  // by value: a scalar of the forward kernel
};

struct Gradients {
  std::vector<GradientStep> steps;
  // An output of the forward kernel and the array that is its cotangent. Those of other outputs count as zero.
  std::vector<std::pair<std::string, std::string>> cotangents;
  // An input of the forward kernel and the array that is its gradient, with as many elements in the same order.
  std::vector<std::pair<std::string, std::string>> gradients;
};

// Gives the spec of that kernel from beside the forward kernel's, with the consts of these names as the command line
// says; null with a diagnostic (rule kVjpKernel) at the name.
using FindSpec =
    std::function<std::shared_ptr<const Spec>(const Named& kernel, const std::vector<std::string>& consts)>;

// Links the kernels that the `vjp` of a checked kernel names: they are checked, and what they take and make is held
// against the forward kernel by name, dtype and shape. False with diagnostics; true without `vjp`.
// `open_extern` as of check().
bool link_gradients(Kernel& kernel, const FindSpec& find, Diagnostics& diagnostics, const OpenExtern& open_extern = {});

// One line for each launch, as in "attention_cast(sums = dq, N = B * S * H * d, scale) -> dq: bf16[N]", and what is
// zero or a cotangent before, what is whose gradient behind. Empty without `vjp`.
std::vector<std::string> gradient_lines(const Kernel& kernel);

}  // namespace pallasgen
