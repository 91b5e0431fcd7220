#include "check/aliases.h"

#include <algorithm>

namespace pallasgen {

namespace {

bool equal_or_absent(const TypedPtr& a, const TypedPtr& b) { return a && b ? equal(a, b) : !a && !b; }

}  // namespace

bool starts_as_input(const Kernel& kernel, const Ref& output) {
  if (!output.alias_of) return false;
  const Ref& input = kernel.refs[*output.alias_of];
  return std::equal(output.block.begin(), output.block.end(), input.block.begin(), input.block.end(),
                    [](const BlockDim& a, const BlockDim& b) {
                      return a.kind == b.kind && a.size == b.size && a.low == b.low && a.high == b.high &&
                             equal_or_absent(a.index, b.index) && equal_or_absent(a.slice_size, b.slice_size);
                    });
}

bool same_buffer(const Kernel& kernel, int a, int b) {
  return kernel.refs[a].alias_of.value_or(a) == kernel.refs[b].alias_of.value_or(b);
}

}  // namespace pallasgen
