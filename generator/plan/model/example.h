#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "plan/plan.h"

namespace pallasgen {

// The device that the target's figures are of; one without a name where the table has none.
const Device& device_of(const Target& target);

// The sizes that the cost model takes: each dim has one that its facts allow.
class Example {
 public:
  // Of symbols that the example does not settle: axes and variables.
  using Values = std::function<std::optional<int64_t>(const Symbol&)>;

  Example(const Kernel& kernel, const Target& target);

  const std::vector<std::pair<std::string, int64_t>>& dims() const { return dims_; }
  // What an index expression is: `values` of its axes and variables first; a parallel axis is in its middle, a
  // sequential one at its start. Nothing where it depends on data.
  std::optional<int64_t> value(const TypedPtr& expr, const Values& values = {}) const;
  // Of the axis; 1 where it depends on data.
  int64_t size(int axis, const Values& values = {}) const;

 private:
  const Kernel& kernel_;
  const Device& device_;
  std::vector<std::pair<std::string, int64_t>> dims_;
};

}  // namespace pallasgen
