#pragma once

#include "diagnostics/diagnostic.h"

namespace pallasgen {

inline constexpr Rule kHostToolkit{"host-toolkit", "The headers of the CUDA Toolkit are not to be found."};
inline constexpr Rule kHostCompiler{"host-compiler", "No C++ compiler for this mode is to be found."};
inline constexpr Rule kHostCompile{"host-compile", "Generated source did not compile for the CPU."};

}  // namespace pallasgen
