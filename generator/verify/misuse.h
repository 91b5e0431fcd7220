#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "interpret/interpret.h"
#include "plan/plan.h"

namespace pallasgen {

// One wrong call of a launcher, which must return cudaErrorInvalidValue: all but this is right.
struct Misuse {
  std::string text;  // "N=-4", "x is null"
  std::string dim;   // has this value; empty: all dims are right
  int64_t value = 0;
  std::string line;  // of the job (runtime/runner/runner.h); may be empty
};

// Every fact of every dim broken, and every pointer null or misaligned, one at a time, for a call with these arguments;
// none where an array is empty, as nothing is demanded of its pointer.
std::vector<Misuse> misuses_of(const Plan& plan, const Arguments& arguments);

}  // namespace pallasgen
