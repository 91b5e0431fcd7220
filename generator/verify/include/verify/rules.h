#pragma once

#include "diagnostics/diagnostic.h"

namespace pallasgen {

inline constexpr Rule kHostToolkit{"host-toolkit", "The headers of the CUDA Toolkit are not to be found."};
inline constexpr Rule kHostCompiler{"host-compiler", "No C++ compiler for this mode is to be found."};
inline constexpr Rule kHostCompile{"host-compile", "Generated source did not compile for the CPU."};
inline constexpr Rule kDeviceCompiler{"device-compiler", "nvcc is not to be found."};
inline constexpr Rule kDeviceCompile{"device-compile", "nvcc does not compile a generated file."};
inline constexpr Rule kDeviceDisassembler{"device-disassembler", "No program that prints machine code is to be found."};

}  // namespace pallasgen
