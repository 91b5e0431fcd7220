#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "diagnostics/diagnostic.h"

namespace pallasgen {

// What ptxas says of a file's kernels; of several the most of each.
struct DeviceResources {
  int64_t registers = 0, barriers = 0;                       // of a thread; named ones and barrier 0, of a CTA
  int64_t stack = 0, spilled_stores = 0, spilled_loads = 0;  // bytes of a thread
  std::vector<std::string> messages;                         // "C7510: Potential Performance Loss: …", each once
};
// Reads what `ptxas -v` prints.
DeviceResources resources_of(const std::string& ptxas_output);
// "168 registers a thread, no spills, no stack frame, 3 barriers", a line more for each message.
std::vector<std::string> resource_lines(const DeviceResources& resources);

// The forms of a compiled kernel.
struct DeviceBuild {
  std::string ptx, cubin;  // files
  std::string ptxas;       // what ptxas says, -v
};
// Compiles a generated file for the target as a build does, nvcc of PATH or of the usual place, into files beside it.
// Nullopt with a diagnostic (rules device-compiler, device-compile).
std::optional<DeviceBuild> build_for_device(const std::string& file, const std::string& target,
                                            const std::vector<std::string>& arguments, Diagnostics& diagnostics);
// The machine code of a cubin as text, by nvdisasm or cuobjdump. Nullopt with a diagnostic (rule device-disassembler).
std::optional<std::string> disassembled(const std::string& cubin, Diagnostics& diagnostics);

}  // namespace pallasgen
