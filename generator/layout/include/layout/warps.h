#pragma once

#include <cstdint>

namespace pallasgen {

inline constexpr int64_t kWarp = 32;         // threads of a warp
inline constexpr int64_t kWarpsOfGroup = 4;  // of a warpgroup (PTX ISA 8.6, wgmma)

}  // namespace pallasgen
