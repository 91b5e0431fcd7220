#pragma once

#include <string>

#include "expression/typed.h"
#include "plan/targets.h"

namespace pallasgen {

inline constexpr int64_t kMostMatrices = 8;  // the most matrices of a batch that is written out (select/batches.h)

// The row of the target's table of matrix instructions that fits a dot, or why none does.
struct FamilyChoice {
  const MmaFamily* row = nullptr;
  std::string obstacle;   // empty: there is a row
  std::string precision;  // a precision that the dot does not ask for, at which a row has its dtypes
};
// Rows, columns and depth of a dot of two matrices; all 0 for a dot with more dims.
struct DotSides {
  int64_t m = 0, n = 0, k = 0;
};
DotSides sides_of(const Apply& product);
// True if the dot multiplies matrices, or batches of them.
inline bool is_of_matrices(const Apply& product) {
  return sides_of(product).m > 0 || (product.args[0]->shape.size() > 2 && product.args[1]->shape.size() > 2);
}

// The row of the target's table of products by threads that fits a dot, or why none does.
struct FmaChoice {
  const FmaFamily* row = nullptr;
  std::string obstacle = {};
};
FmaChoice choose_fma(const Target& target, const Apply& product, DType result);

// The number that an instruction's columns must be a multiple of, for so many columns.
int column_step(const Target& target, const MmaFamily& row, int64_t columns);

// `product` is a dot whose value has the dtype `result`; `approximate`: its sums need not be of that dtype's precision.
FamilyChoice choose_family(const Target& target, const Apply& product, DType result, bool approximate);
// True if there is a row for the dot's dtypes and precision, whatever its sides.
bool some_family_has_dtypes(const Target& target, const Apply& product, DType result);
// True if there would be a row for the dot if it had these sides.
bool some_family_takes(const Target& target, const Apply& product, DType result, bool approximate,
                       const DotSides& sides);

}  // namespace pallasgen
