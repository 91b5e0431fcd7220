#include "verify/device_build.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <regex>

#include "verify/installation.h"
#include "verify/process.h"
#include "verify/rules.h"
#include "verify/toolkit.h"

namespace pallasgen {

namespace fs = std::filesystem;

namespace {

int64_t largest_match(const std::string& text, const char* pattern) {
  const std::regex number(pattern);
  int64_t found = 0;
  for (std::sregex_iterator match(text.begin(), text.end(), number), end; match != end; ++match)
    found = std::max<int64_t>(found, std::stoll((*match)[1]));
  return found;
}

std::string bytes_or_none(int64_t bytes, const char* none, const char* some) {
  return bytes == 0 ? none : fmt::format("{} bytes of {}", bytes, some);
}

bool runs(const std::vector<std::string>& command, const std::string& file, ProcessResult& done,
          Diagnostics& diagnostics) {
  done = run_process(command);
  if (done.exit_code == 0) return true;
  diagnostics.error(kDeviceCompile, {}, fmt::format("nvcc does not compile '{}'", file)).note(done.output);
  return false;
}

}  // namespace

DeviceResources resources_of(const std::string& ptxas_output) {
  DeviceResources resources;
  resources.registers = largest_match(ptxas_output, R"(Used (\d+) registers)");
  resources.barriers = largest_match(ptxas_output, R"(used (\d+) barriers)");
  resources.stack = largest_match(ptxas_output, R"((\d+) bytes stack frame)");
  resources.spilled_stores = largest_match(ptxas_output, R"((\d+) bytes spill stores)");
  resources.spilled_loads = largest_match(ptxas_output, R"((\d+) bytes spill loads)");
  static const std::regex message(R"(\((C\d+)\) *:? *([^\n]*))");
  for (std::sregex_iterator match(ptxas_output.begin(), ptxas_output.end(), message), end; match != end; ++match) {
    const std::string text = fmt::format("{}: {}", (*match)[1].str(), (*match)[2].str());
    if (std::find(resources.messages.begin(), resources.messages.end(), text) == resources.messages.end())
      resources.messages.push_back(text);
  }
  return resources;
}

std::vector<std::string> resource_lines(const DeviceResources& resources) {
  const std::string spills = resources.spilled_stores + resources.spilled_loads == 0
                                 ? "no spills"
                                 : fmt::format("{} bytes stored and {} loaded for want of registers",
                                               resources.spilled_stores, resources.spilled_loads);
  std::vector<std::string> lines{fmt::format("{} registers a thread, {}, {}, {} barriers", resources.registers, spills,
                                             bytes_or_none(resources.stack, "no stack frame", "stack frame"),
                                             resources.barriers)};
  for (const std::string& message : resources.messages) lines.push_back("ptxas says " + message);
  return lines;
}

std::optional<DeviceBuild> build_for_device(const std::string& file, const std::string& target,
                                            const std::vector<std::string>& arguments, Diagnostics& diagnostics) {
  const std::string nvcc = toolkit_program("nvcc");
  if (nvcc.empty()) {
    diagnostics.error(kDeviceCompiler, {}, "nvcc is neither in PATH nor in a CUDA Toolkit")
        .note("CUDAToolkit_ROOT names the folder of a toolkit");
    return std::nullopt;
  }
  const fs::path path(file);
  DeviceBuild build{fs::path(path).replace_extension(".ptx").string(),
                    fs::path(path).replace_extension(".cubin").string(), ""};
  const std::string number = target.substr(target.find('_') + 1);
  std::vector<std::string> common{nvcc, "-std=c++20", "-I", installation().headers};
  common.insert(common.end(), arguments.begin(), arguments.end());
  std::vector<std::string> to_ptx = common, to_cubin = common;
  const auto add = [](std::vector<std::string>& command, const std::vector<std::string>& more) {
    command.insert(command.end(), more.begin(), more.end());
  };
  add(to_ptx, {"-arch=compute_" + number, "--ptx", file, "-o", build.ptx});
  add(to_cubin, {"-arch=" + target, "--cubin", "-Xptxas", "-v", build.ptx, "-o", build.cubin});
  ProcessResult done;
  if (!runs(to_ptx, file, done, diagnostics) || !runs(to_cubin, file, done, diagnostics)) return std::nullopt;
  build.ptxas = done.output;
  return build;
}

std::optional<std::string> disassembled(const std::string& cubin, Diagnostics& diagnostics) {
  std::vector<std::string> command;
  if (const std::string found = toolkit_program("nvdisasm"); !found.empty()) command = {found, "-c", cubin};
  if (const std::string found = toolkit_program("cuobjdump"); command.empty() && !found.empty())
    command = {found, "-sass", cubin};
  if (command.empty()) {
    diagnostics
        .error(kDeviceDisassembler, {},
               "neither nvdisasm nor cuobjdump, which print machine code, is in PATH or in a CUDA Toolkit")
        .note("they are packages of their own beside nvcc: cuda-nvdisasm and cuda-cuobjdump");
    return std::nullopt;
  }
  const ProcessResult done = run_process(command);
  if (done.exit_code == 0) return done.output;
  diagnostics.error(kDeviceDisassembler, {}, fmt::format("'{}' does not read '{}'", command.front(), cubin))
      .note(done.output);
  return std::nullopt;
}

}  // namespace pallasgen
