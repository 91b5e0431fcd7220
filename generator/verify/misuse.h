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

// One wrong call of a launcher, which it must refuse: all but this is right.
struct Misuse {
  std::string text;                     // "N=-4", "x is null"
  std::map<std::string, int64_t> dims;  // these have other values; empty: all dims are right
  std::string line;                     // of the job (runtime/runner/runner.h); may be empty
  int error = kInvalidValue;
};

// Every fact of every dim broken, and every pointer null or misaligned, one at a time, for a call with these arguments;
// dims that make a product of extents larger than 64 bits hold,
// and every dim for which that makes more tiles than a launch has at its greatest value; none where an array is empty,
// as nothing is demanded of its pointer.
std::vector<Misuse> misuses_of(const Plan& plan, const Arguments& arguments);

}  // namespace pallasgen
