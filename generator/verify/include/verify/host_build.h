#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diagnostics/diagnostic.h"
#include "emit/emit.h"
#include "plan/plan.h"

namespace pallasgen {

// How generated source is run on the CPU: see docs/emulator.md for which mode finds what.
enum class RunMode { plain, asan, tsan };
std::string_view name_of(RunMode mode);
std::optional<RunMode> run_mode_named(std::string_view name);

// One kernel of a host program.
struct HostKernel {
  const Kernel* kernel = nullptr;  // as checked: what the interpreter runs, whatever the planner made of it
  const Plan* plan = nullptr;
  EmittedFiles files;
  std::string stem;  // of the files: matmul_gelu
};

// Whether a job has the kernel launched twice in each case: a dependent launch must wait for the one before it, so
// there is one, the same, which writes the same outputs; and the second launch on a workspace finds there what the
// first has left, of other inputs. Not of a kernel that changes an input in place.
bool is_launched_twice(const Plan& plan);

// The main() of a program that runs a job's cases (runtime/runner/runner.h): `program KERNEL JOB`, KERNEL being the
// name of one of `kernels`. Of several, each .cu is included in a namespace of its own; one is compiled by itself.
std::string driver_text(const std::vector<HostKernel>& kernels);

// Compiles the generated files of the kernels, whose names differ, with their driver for the CPU and links them with
// the emulator. The program is kept in `work_dir` under the hash of everything that went into it, and found again.
// Nullopt with a diagnostic (rules host-toolkit, host-compiler, host-compile) that holds the compiler's output.
std::optional<std::string> build_for_host(const std::vector<HostKernel>& kernels, RunMode mode,
                                          const std::string& work_dir, Diagnostics& diagnostics);

// Compiles C++ that includes a user's header, as generated files do on the CPU, into a shared library: its path.
// `arguments` are the compiler's for the header, `files` what it is made of. The library is kept in `work_dir` under
// the hash of everything that went into it, and found again. Empty where that fails, with the reason in `refusal`,
// and what the compiler printed, if it ran, in `said`.
std::string build_library_for_host(const std::string& text, const std::vector<std::string>& arguments,
                                   const std::vector<std::string>& files, const std::string& work_dir,
                                   std::string& refusal, std::string& said);

}  // namespace pallasgen
