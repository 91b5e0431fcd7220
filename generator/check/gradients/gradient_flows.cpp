#include "gradients/gradient_flows.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "expression/polynomial.h"

namespace pallasgen {

std::string type_text(DType dtype, const std::vector<TypedPtr>& shape) {
  std::vector<std::string> extents;
  for (const TypedPtr& extent : shape) extents.push_back(to_string(extent));
  return fmt::format("{}[{}]", name_of(dtype), fmt::join(extents, ", "));
}

bool same_extents(const std::vector<TypedPtr>& a, const std::vector<TypedPtr>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const TypedPtr& left, const TypedPtr& right) {
    return multiplied_out(left) == multiplied_out(right);
  });
}

bool same_elements(const std::vector<TypedPtr>& a, const std::vector<TypedPtr>& b) {
  if (a.size() > b.size()) return same_elements(b, a);
  if (a.size() == b.size()) return same_extents(a, b);
  size_t next = 0;
  for (const TypedPtr& extent : a) {
    TypedPtr product = index_constant(1);
    const std::string wanted = multiplied_out(extent);
    do {
      if (next == b.size()) return false;
      product = index_apply(Op::multiply, product, b[next++]);
    } while (multiplied_out(product) != wanted);
  }
  return std::all_of(b.begin() + static_cast<std::ptrdiff_t>(next), b.end(),
                     [](const TypedPtr& extent) { return constant_value(extent) == 1; });
}

}  // namespace pallasgen
