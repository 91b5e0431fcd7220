#pragma once

#include "expression/typed.h"

namespace pallasgen {

// True if a sum or product can be continued by the parts of `with`: `a + b + c` for a + (b + c). No part is negative,
// so no intermediate result is larger than the last.
bool goes_on(Op op, const TypedPtr& with, const SymbolFacts& facts);

}  // namespace pallasgen
