#pragma once

#include <map>
#include <vector>

#include "draft.h"

namespace pallasgen {

// The fields through which several warps combine their parts of a row. A few stand in turn, so that one reduction may
// write while slower warps still read the last one's.
class PartialTiles {
 public:
  // The field for the next reduction to values of this dtype, which `rows` says who holds, in each of `groups` groups
  // of `threads` threads.
  int next(Draft& draft, DType dtype, const ValueLayout& rows, const Number& threads, const Number& groups);

 private:
  std::map<DType, std::vector<int>> fields_;
  std::map<DType, size_t> turn_;
};

}  // namespace pallasgen
