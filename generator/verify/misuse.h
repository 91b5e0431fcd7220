#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "interpret/interpret.h"
#include "plan/plan.h"

namespace pallasgen {

inline constexpr int kInvalidValue = 1;          // cudaErrorInvalidValue
inline constexpr int kInvalidConfiguration = 9;  // cudaErrorInvalidConfiguration

// One wrong call of a launcher, which must refuse it; everything else in the call is right.
struct Misuse {
  std::string text;                     // "N=-4", "x is null"
  std::map<std::string, int64_t> dims;  // replaced values; empty if all dims are right
  std::string line;                     // added to the job (runtime/runner/runner.h); may be empty
  int error = kInvalidValue;
};

// Wrong calls derived from a call with these arguments, one change each: every fact of every dim broken, every pointer
// null or misaligned, extents whose product reaches 2^53, strides that make an output overlap, and more tiles than a
// launch can have. None if a dim is 0 or less; an empty array adds none for its pointer, as the launcher ignores it.
std::vector<Misuse> misuses_of(const Plan& plan, const Arguments& arguments);

}  // namespace pallasgen
