#pragma once

#include "expression/typed.h"

namespace pallasgen {

// Whether a sum or product may go on with the parts of another one, `a + b + c` for a + (b + c): no part is negative,
// so that no result on the way is larger than the last.
bool goes_on(Op op, const TypedPtr& with, const SymbolFacts& facts);

}  // namespace pallasgen
