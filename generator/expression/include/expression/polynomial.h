#pragma once

#include <string>

#include "expression/typed.h"

namespace pallasgen {

// The text of an index expression multiplied out: a sum of products of symbols and of other operations, in a fixed
// order. Two expressions that are equal by the laws of + and * have the same text; names of consts are ignored.
std::string multiplied_out(const TypedPtr& expr);

}  // namespace pallasgen
