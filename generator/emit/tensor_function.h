#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plan/interface.h"

namespace pallasgen {

// A launcher as a function over tensors, for frameworks. Its parameters: input arrays, then results, then the sizes
// that no array has, then scalars. All numbers are indices into `arguments`, which has the launcher's order.
struct TensorFunction {
  explicit TensorFunction(const Plan& plan);

  // The caller gives the results, or the framework allocates them.
  enum class Form { given, allocated };

  // The source of a size: an extent or stride of an array, minus `less`.
  struct Source {
    size_t array;
    size_t axis;
    bool is_stride;
    int64_t less;
  };
  std::optional<Source> source_of(size_t size, Form form) const;

  // The sizes that the caller passes as numbers in this form.
  std::vector<size_t> sizes_said(Form form) const;
  // True if an extent of a result depends on the size.
  bool is_in_results(size_t size) const;
  // True if the tensor's extent along the axis counts bytes of two elements.
  bool is_halved(size_t array, size_t axis) const;

  std::vector<Argument> arguments;
  std::vector<size_t> inputs;   // arrays that are read, including those written in place
  std::vector<size_t> results;  // arrays that are only written
  std::vector<size_t> sizes, scalars;
  bool has_workspace, has_checks;
  // True if a framework can allocate the results: there are some, and an input whose framework and device they share.
  bool allocates;
};

}  // namespace pallasgen
