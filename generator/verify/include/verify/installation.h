#pragma once

#include <string>
#include <vector>

namespace pallasgen {

// Where the runtime's headers, the emulator and the runner are: beside an installed tool, wherever its tree was moved
// to, else in the tree in which it was built.
struct Installation {
  std::string headers;                     // the folder that holds pallasgen/: for nvcc
  std::vector<std::string> host_includes;  // for the emulator, in this order
  std::string emulator, runner;            // archives; empty: not built
  std::string library;                     // the folder of the library's specs
};
const Installation& installation();

// The program that reads CUDA, pallasgen-clang, which lies beside this one; empty where it was not built.
std::string clang_program();
// What helps where it was not.
inline constexpr const char* kBuildClangProgram =
    "install libclang-19-dev, llvm-19-dev and libclang-cpp19-dev, then configure and build again";
// What helps where it cannot be loaded.
inline constexpr const char* kInstallClangLibraries =
    "install libclang-cpp19 and libllvm19, or pallasgen with its packages";

}  // namespace pallasgen
