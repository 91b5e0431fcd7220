#pragma once
#include <cstdint>
#include <string>

namespace pallasgen::emulator {

/// The name of the function at `address` without namespaces and parameters, from the symbol table of its file (kernels
/// are mostly local symbols, which dladdr does not find); "0x..." if the table lacks it.
std::string function_name(const void* address);

/// "ns::(anonymous namespace)::f<int>(float*)" becomes "f".
std::string function_base_name(const std::string& full);

/// The file that is loaded at `address`, and where it begins in memory; an empty file if there is none.
struct Module {
  uintptr_t address = 0, base = 0;
  std::string file;
};
Module module_of(const void* address);

}  // namespace pallasgen::emulator
