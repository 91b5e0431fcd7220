#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "plan/plan.h"

namespace pallasgen {

// Returns the device that the target names; a device named "unknown" if the table has none.
const Device& device_of(const Target& target);

// The sizes that the cost model takes: each dim has one that its facts allow.
class Example {
 public:
  // Values of symbols that the example does not determine: axes and variables.
  using Values = std::function<std::optional<int64_t>(const Symbol&)>;

  Example(const Kernel& kernel, const Target& target);

  const std::vector<std::pair<std::string, int64_t>>& dims() const { return dims_; }
  // Evaluates an index expression; nothing if it depends on data. Without one of `values` a parallel axis is in its
  // middle and a sequential one at its start.
  std::optional<int64_t> value(const TypedPtr& expr, const Values& values = {}) const;
  // Returns the size of the axis; 1 if it depends on data.
  int64_t size(int axis, const Values& values = {}) const;

 private:
  const Kernel& kernel_;
  const Device& device_;
  std::vector<std::pair<std::string, int64_t>> dims_;
};

}  // namespace pallasgen
