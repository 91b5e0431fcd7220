#pragma once

#include <string>

#include "expression/typed.h"

namespace pallasgen {

// An index expression multiplied out: a sum of products of symbols and of other operations, in one order. Two that are
// equal by the laws of + and * have the same text; names of consts do not count.
std::string multiplied_out(const TypedPtr& expr);

}  // namespace pallasgen
