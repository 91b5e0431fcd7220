#pragma once

#include <map>
#include <string>
#include <vector>

#include "interpret/interpret.h"
#include "verify/chain.h"

namespace pallasgen {

// A test of the forward kernel that ran: its inputs, and the interpreter's outputs.
struct ForwardRun {
  std::string text;  // the test's name in its rows
  const Arguments* arguments = nullptr;
  const std::map<std::string, Array>* outputs = nullptr;
  uint64_t seed = 0;
};

// Compares the gradients that the kernels of `vjp` compute with central differences of the forward kernel: one row per
// gradient, or one row with the reason why there is none. It uses one run without empty arrays and with sizes that
// these kernels accept: the largest of at most 65,536 elements, otherwise the smallest. docs/testing.md has the
// tolerance. `all_tests`: the runs cover every test of the spec, so one of them must be usable.
std::vector<ChainRow> check_gradients(const Kernel& kernel, const std::vector<ForwardRun>& runs, bool all_tests);

}  // namespace pallasgen
