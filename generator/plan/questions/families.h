#pragma once

#include <string>

#include "expression/typed.h"
#include "plan/targets.h"

namespace pallasgen {

inline constexpr int64_t kMostMatrices = 8;  // of a batch that is written out (select/batches.h)

// The row of the target's table of matrix instructions that multiplies a dot, or why none does.
struct FamilyChoice {
  const MmaFamily* row = nullptr;
  std::string obstacle;   // empty: there is a row
  std::string precision;  // one that the dot does not ask for, at which a row would have its dtypes
};
// Rows, columns and depth of a dot of two matrices; all 0 where it has more dims.
struct DotSides {
  int64_t m = 0, n = 0, k = 0;
};
DotSides sides_of(const Apply& product);
// Whether it multiplies matrices, or batches of them.
inline bool is_of_matrices(const Apply& product) {
  return sides_of(product).m > 0 || (product.args[0]->shape.size() > 2 && product.args[1]->shape.size() > 2);
}

// The row of the target's table of what threads multiply that a dot goes by, or why none does.
struct FmaChoice {
  const FmaFamily* row = nullptr;
  std::string obstacle = {};
};
FmaChoice choose_fma(const Target& target, const Apply& product, DType result);

// Columns that the row's instructions take multiples of, where they take so many at once.
int column_step(const Target& target, const MmaFamily& row, int64_t columns);

// `product` is a dot whose value has the dtype `result`; `approximate`: its sums need not be of that dtype's precision.
FamilyChoice choose_family(const Target& target, const Apply& product, DType result, bool approximate);
// True if there would be a row if the dot had other sides.
bool some_family_has_dtypes(const Target& target, const Apply& product, DType result);
// Whether there would be a row if the dot had these sides.
bool some_family_takes(const Target& target, const Apply& product, DType result, bool approximate,
                       const DotSides& sides);

}  // namespace pallasgen
