#include "verify/toolkit.h"

#include <cstdlib>
#include <filesystem>
#include <vector>

#include "verify/process.h"

namespace pallasgen {

namespace fs = std::filesystem;

namespace {

std::vector<fs::path> toolkit_roots() {
  if (const std::string given = environment_value("CUDAToolkit_ROOT"); !given.empty()) return {given};
  std::vector<fs::path> roots;
  for (const char* name : {"CUDA_HOME", "CUDA_PATH"})
    if (const std::string root = environment_value(name); !root.empty()) roots.emplace_back(root);
  if (const std::string nvcc = find_program("nvcc"); !nvcc.empty())
    roots.push_back(fs::canonical(nvcc).parent_path().parent_path());
  roots.emplace_back("/usr/local/cuda");
  return roots;
}

}  // namespace

std::string environment_value(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::string toolkit_include() {
  for (const fs::path& root : toolkit_roots())
    if (fs::exists(root / "include/cuda.h") && fs::exists(root / "include/cuda_runtime.h"))
      return (root / "include").string();
  return "";
}

std::string toolkit_program(const std::string& name) {
  if (environment_value("CUDAToolkit_ROOT").empty())
    if (const std::string found = find_program(name); !found.empty()) return found;
  for (const fs::path& root : toolkit_roots())
    if (fs::exists(root / "bin" / name)) return (root / "bin" / name).string();
  return "";
}

}  // namespace pallasgen
