#pragma once

#include <cstdint>

namespace pallasgen {

// Levels of precedence, Python's, weak to strong; both trees are printed with them.
enum Precedence : uint8_t {
  kConditional,
  kOr,
  kAnd,
  kNot,
  kCompare,
  kBitOr,
  kBitXor,
  kBitAnd,
  kShift,
  kSum,
  kProduct,
  kSign,
  kPower,
  kPostfix,
  kAtom
};

}  // namespace pallasgen
