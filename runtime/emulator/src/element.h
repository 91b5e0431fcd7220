#pragma once
#include <cuda.h>
#include <pallasgen/emulator/instructions.h>

#include <cstddef>

namespace pallasgen::emulator {

/// Fails if TMA has no such reduction for the type (PTX ISA, "cp.reduce.async.bulk": min and max not for f32 and f64).
void check_reduction(CUtensorMapDataType type, TensorReduction reduction);

/// Replaces the elements at `to` by their sum, minimum or maximum with those at `from`.
void reduce(CUtensorMapDataType type, TensorReduction reduction, void* to, const void* from, size_t bytes);

}  // namespace pallasgen::emulator
