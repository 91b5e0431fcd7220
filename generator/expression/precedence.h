#pragma once

#include <cstdint>

namespace pallasgen {

// Python's levels of precedence from the loosest to the tightest, by which both trees are printed.
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
