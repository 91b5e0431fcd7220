#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "diagnostics/diagnostic.h"

namespace pallasgen {

// Resources that ptxas reports for a file's kernels; with several kernels, the maximum of each.
struct DeviceResources {
  int64_t registers = 0, barriers = 0;                       // per thread; per CTA, named ones and barrier 0
  int64_t stack = 0, spilled_stores = 0, spilled_loads = 0;  // bytes per thread
  std::vector<std::string> messages;                         // "C7510: Potential Performance Loss: …", each once
};
// Parses the output of `ptxas -v`.
DeviceResources resources_of(const std::string& ptxas_output);
// "168 registers a thread, no spills, no stack frame, 3 barriers", and one more line for each message.
std::vector<std::string> resource_lines(const DeviceResources& resources);

// The forms of a compiled kernel.
struct DeviceBuild {
  std::string ptx, cubin;  // paths
  std::string ptxas;       // output of ptxas -v
};
// Compiles a generated file for the target with the flags of a build and nvcc from PATH or the toolkit; the results lie
// next to the file. Nullopt with a diagnostic (rules device-compiler, device-compile).
std::optional<DeviceBuild> build_for_device(const std::string& file, const std::string& target,
                                            const std::vector<std::string>& arguments, Diagnostics& diagnostics);
// Disassembles a cubin with nvdisasm or cuobjdump. Nullopt with a diagnostic (rule device-disassembler).
std::optional<std::string> disassembled(const std::string& cubin, Diagnostics& diagnostics);

}  // namespace pallasgen
