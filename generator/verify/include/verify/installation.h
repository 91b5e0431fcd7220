#pragma once

#include <string>
#include <vector>

namespace pallasgen {

// Locations of the runtime's headers, the emulator and the runner: in the tree of an installed tool, wherever that tree
// was moved to, otherwise in the tree of the build.
struct Installation {
  std::string headers;                     // the folder that contains pallasgen/, for nvcc
  std::vector<std::string> host_includes;  // include folders for the emulator, in this order
  std::string emulator, runner;            // archives; empty if they were not built
  std::string library;                     // the folder of the library's specs
};
const Installation& installation();

// The path of pallasgen-clang, the program that reads CUDA, next to this program; empty if it was not built.
std::string clang_program();
// Advice for when it was not built.
inline constexpr const char* kBuildClangProgram =
    "install libclang-19-dev, llvm-19-dev and libclang-cpp19-dev, then configure and build again";
// Advice for when it cannot be loaded.
inline constexpr const char* kInstallClangLibraries =
    "install libclang-cpp19 and libllvm19, or pallasgen with its packages";

}  // namespace pallasgen
