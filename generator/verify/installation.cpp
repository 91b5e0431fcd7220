#include "verify/installation.h"

#include <unistd.h>

#include <filesystem>

namespace pallasgen {

namespace fs = std::filesystem;

namespace {

Installation found() {
  std::error_code unknown;
  const fs::path prefix = fs::read_symlink("/proc/self/exe", unknown).parent_path().parent_path();
  const fs::path headers = prefix / "include", host = prefix / "lib/pallasgen";
  if (!unknown && fs::exists(headers / "pallasgen/version.h") && fs::exists(host / "runner/runner.h"))
    return {headers.string(),
            {(host / "emulator").string(), headers.string(), host.string()},
            (host / "libpallasgen_emulator.a").string(),
            (host / "libpallasgen_runner.a").string(),
            (prefix / "share/pallasgen/specs").string()};
  const std::string runtime = PALLASGEN_RUNTIME_DIR;
  return {runtime,
          {runtime + "/emulator/include", runtime},
          PALLASGEN_EMULATOR_LIBRARY,
          PALLASGEN_RUNNER_LIBRARY,
          (fs::path(runtime).parent_path() / "specs").string()};
}

}  // namespace

const Installation& installation() {
  static const Installation here = found();
  return here;
}

std::string clang_program() {
  std::error_code unknown;
  const std::string program = (fs::read_symlink("/proc/self/exe", unknown).parent_path() / "pallasgen-clang").string();
  return !unknown && access(program.c_str(), X_OK) == 0 ? program : "";
}

}  // namespace pallasgen
