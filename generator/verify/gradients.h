#pragma once

#include <map>
#include <string>
#include <vector>

#include "interpret/interpret.h"
#include "verify/chain.h"

namespace pallasgen {

// A test of the forward kernel that ran: its inputs, and what the interpreter made of them.
struct ForwardRun {
  std::string text;  // of its rows
  const Arguments* arguments = nullptr;
  const std::map<std::string, Array>* outputs = nullptr;
  uint64_t seed = 0;
};

// Holds what the kernels of `vjp` make against central differences of the forward kernel: a row for each gradient, or
// one that says why there is none. Of the runs without an empty array whose sizes these kernels take it is done on one,
// the largest of at most 65,536 elements, else the smallest. docs/testing.md has the tolerance. `all_tests`: the runs
// are those of all tests of the spec, one of which must do.
std::vector<ChainRow> check_gradients(const Kernel& kernel, const std::vector<ForwardRun>& runs, bool all_tests);

}  // namespace pallasgen
