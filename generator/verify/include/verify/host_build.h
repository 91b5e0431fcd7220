#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diagnostics/diagnostic.h"
#include "emit/emit.h"
#include "plan/plan.h"

namespace pallasgen {

// How generated source runs on the CPU; docs/emulator.md says which mode finds which errors.
enum class RunMode { plain, asan, tsan };
std::string_view name_of(RunMode mode);
std::optional<RunMode> run_mode_named(std::string_view name);

// One kernel of a host program.
struct HostKernel {
  const Kernel* kernel = nullptr;  // as checked and as the interpreter runs it, before the planner
  const Plan* plan = nullptr;
  EmittedFiles files;
  std::string stem;  // stem of the files: matmul_gelu
};

// True if each case of a job launches the kernel twice. A dependent launch must wait for the one before it, here the
// same launch with the same outputs. The second launch on a workspace finds there what the first, with other inputs,
// has left. False if the kernel changes an input in place.
bool is_launched_twice(const Plan& plan);

// The main() of a program that runs a job's cases (runtime/runner/runner.h): `program KERNEL JOB`, KERNEL being in
// `kernels`. Of several kernels, each .cu is included in its own namespace; a single one is compiled separately.
std::string driver_text(const std::vector<HostKernel>& kernels);

// Compiles the generated files of the kernels, whose names differ, with their driver for the CPU and links them with
// the emulator. Returns the program, which is cached in `work_dir` under the hash of all its inputs. Nullopt with a
// diagnostic (rules host-toolkit, host-compiler, host-compile) that includes the output of the compiler.
std::optional<std::string> build_for_host(const std::vector<HostKernel>& kernels, RunMode mode,
                                          const std::string& work_dir, Diagnostics& diagnostics);

// Compiles C++ that includes a user's header, as generated files do on the CPU, into a shared library and returns its
// path. `arguments`: the compiler's arguments for the header; `files`: the files that the header consists of. The
// library is cached in `work_dir` under the hash of all its inputs. Empty on failure, with the reason in `refusal` and
// the output of the compiler, if it ran, in `said`.
std::string build_library_for_host(const std::string& text, const std::vector<std::string>& arguments,
                                   const std::vector<std::string>& files, const std::string& work_dir,
                                   std::string& refusal, std::string& said);

}  // namespace pallasgen
