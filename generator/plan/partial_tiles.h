#pragma once

#include <map>
#include <vector>

#include "draft.h"

namespace pallasgen {

// The fields through which several warps combine their parts of rows or columns. A few stand in turn, so that one
// reduction may write while slower warps still read the last one's.
class PartialTiles {
 public:
  // The field for the next reduction to values of this dtype, which `rows` says who holds, in each of `groups` groups
  // of `threads` threads.
  int next(Draft& draft, DType dtype, const ValueLayout& rows, const Number& threads, const Number& groups);
  // The same for columns, so many of which each of the warps has.
  int next(Draft& draft, DType dtype, const Number& warps, const Number& columns);

 private:
  using Dims = std::vector<Number>;
  int next(Draft& draft, DType dtype, Dims dims);

  // By dtype and sizes.
  std::map<std::pair<DType, std::vector<int64_t>>, std::vector<int>> fields_;
  std::map<std::pair<DType, std::vector<int64_t>>, size_t> turn_;
};

}  // namespace pallasgen
