#pragma once

#include <cstdint>
#include <optional>

#include "expression/dtype.h"
#include "expression/typed.h"

namespace pallasgen::interpreter {

// The most bytes that one array may take: a limit of the interpreter, which keeps arrays in memory.
inline constexpr int64_t kMostArrayBytes = int64_t{1} << 32;
// The most elements that a value of the body may have; making a larger one throws std::bad_alloc.
inline constexpr int64_t kMostElements = int64_t{1} << 32;

// Bytes of an array in memory format, or nothing if an extent is negative or the bytes are more than kMostArrayBytes.
std::optional<int64_t> array_bytes(DType dtype, const Shape& shape);

}  // namespace pallasgen::interpreter
