#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "diagnostics/diagnostic.h"
#include "emit/emit.h"
#include "plan/plan.h"

namespace pallasgen {

// How generated source is run on the CPU: see docs/emulator.md for which mode finds what.
enum class RunMode { plain, asan, tsan };
std::string_view name_of(RunMode mode);
std::optional<RunMode> run_mode_named(std::string_view name);

// The main() that hands a job's cases (runtime/runner/runner.h) to the launcher of a plan.
std::string driver_text(const Plan& plan, const std::string& header_name);

// Compiles the generated files with their driver for the CPU and links them with the emulator. The program is kept in
// `work_dir` under the hash of everything that went into it, and found again. Nullopt with a diagnostic (rules
// host-toolkit, host-compiler, host-compile) that holds the compiler's output.
std::optional<std::string> build_for_host(const Plan& plan, const EmittedFiles& files, const std::string& stem,
                                          RunMode mode, const std::string& work_dir, Diagnostics& diagnostics);

}  // namespace pallasgen
