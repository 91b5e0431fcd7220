#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plan/interface.h"

namespace pallasgen {

// A launcher as a function over tensors, for frameworks: arrays first, those that are results behind the others, then
// the sizes that no array has, then scalars. All numbers are places in `arguments`, which has the launcher's order.
struct TensorFunction {
  explicit TensorFunction(const Plan& plan);

  // Whether the caller gives the results, or they are allocated.
  enum class Form { given, allocated };

  // Where the value of a size comes from: that extent or stride of an array, less a number.
  struct Source {
    size_t array;
    size_t axis;
    bool is_stride;
    int64_t less;
  };
  std::optional<Source> source_of(size_t size, Form form) const;

  // The sizes that the caller says in this form.
  std::vector<size_t> sizes_said(Form form) const;
  // Whether extents of results are made of the size.
  bool is_in_results(size_t size) const;
  // Whether the last extent of the tensor counts bytes, each of which has two elements.
  bool is_halved(size_t array, size_t axis) const;

  std::vector<Argument> arguments;
  std::vector<size_t> inputs;   // arrays that are read, those that are written in place among them
  std::vector<size_t> results;  // arrays that are only written
  std::vector<size_t> sizes, scalars;
  bool has_workspace, has_checks;
  // There is an array from which a framework and its device are known where it allocates the results.
  bool allocates;
};

}  // namespace pallasgen
