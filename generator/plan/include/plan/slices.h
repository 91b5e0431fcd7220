#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "check/kernel.h"

namespace pallasgen {

// Of a block, along one dim of its array: elements [start, start + size) of `extent`, which may end before it.
struct SliceDim {
  int64_t start = 0, size = 0, extent = 0;
  bool squeezed = false;
};

// Where blocks lie for sizes that are given. A point of the grid has one coordinate per axis, those of sequential axes
// last, or the first few of them.
class GridPlaces {
 public:
  // `scalars` and `sms`, what num_sms says, may be left open. The kernel outlives this value.
  GridPlaces(const Kernel& kernel, std::map<std::string, int64_t> dims, std::map<std::string, Scalar> scalars = {},
             std::optional<int64_t> sms = {})
      : kernel_(&kernel), dims_(std::move(dims)), scalars_(std::move(scalars)), sms_(sms) {}

  // Of an index expression; nothing where it depends on what is not given, or on data.
  std::optional<int64_t> value(const TypedPtr& expr, const std::vector<int64_t>& point) const;
  // Of an axis, whose size depends on axes before it at most.
  std::optional<int64_t> size(int axis, const std::vector<int64_t>& point) const;
  // Of a ref's block at a point, a row per dim of the array; nothing where its place is not known.
  std::optional<std::vector<SliceDim>> slice(const Ref& ref, const std::vector<int64_t>& point) const;

 private:
  const Kernel* kernel_;
  std::map<std::string, int64_t> dims_;
  std::map<std::string, Scalar> scalars_;
  std::optional<int64_t> sms_;
};

}  // namespace pallasgen
