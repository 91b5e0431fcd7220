#pragma once
#include <string>

namespace pallasgen::emulator {

/// The name of the function at `address` without namespaces and parameters, from the symbol table of the file that it
/// is in (kernels are mostly local symbols, which dladdr does not know); "0x..." when that has none.
std::string function_name(const void* address);

}  // namespace pallasgen::emulator
