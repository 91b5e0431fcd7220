#pragma once

#include "diagnostics/diagnostic.h"

namespace pallasgen {

inline constexpr Rule kExternProgram{"extern-program", "The program that reads C++ headers is not to be found."};
inline constexpr Rule kExternHeader{
    "extern-header", "a header of `extern` that is not there, does not parse, or does not go with the generated file"};
inline constexpr Rule kCompileCommands{"compile-commands", "A compilation database that cannot be used."};

}  // namespace pallasgen
