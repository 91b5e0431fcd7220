#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "check/kernel.h"

namespace pallasgen {

// A block along one dim of its array: elements [start, start + size), which may reach past the `extent` of the array.
struct SliceDim {
  int64_t start = 0, size = 0, extent = 0;
  bool squeezed = false;
};

// Evaluates where blocks lie for given sizes. A point of the grid has one coordinate per axis, those of sequential axes
// last, or is a prefix of these.
class GridPlaces {
 public:
  // `scalars` and `sms` (the value of num_sms) may be left open. The kernel must outlive this object.
  GridPlaces(const Kernel& kernel, std::map<std::string, int64_t> dims, std::map<std::string, Scalar> scalars = {},
             std::optional<int64_t> sms = {})
      : kernel_(&kernel), dims_(std::move(dims)), scalars_(std::move(scalars)), sms_(sms) {}

  // Evaluates an index expression; nothing if it depends on data or on values that are not given.
  std::optional<int64_t> value(const TypedPtr& expr, const std::vector<int64_t>& point) const;
  // Returns the size of an axis, which depends on the axes before it at most.
  std::optional<int64_t> size(int axis, const std::vector<int64_t>& point) const;
  // Returns the slice of a ref's block at a point, an entry per dim of the array; nothing if its place is not known.
  std::optional<std::vector<SliceDim>> slice(const Ref& ref, const std::vector<int64_t>& point) const;

 private:
  const Kernel* kernel_;
  std::map<std::string, int64_t> dims_;
  std::map<std::string, Scalar> scalars_;
  std::optional<int64_t> sms_;
};

}  // namespace pallasgen
