#pragma once

#include <functional>
#include <string>
#include <vector>

#include "check/kernel.h"
#include "emit/emit.h"
#include "interpret/interpret.h"
#include "plan/plan.h"
#include "verify/host_build.h"

namespace pallasgen {

struct ChainOptions {
  std::vector<RunMode> modes = {RunMode::plain};
  // When asynchronous work of the emulator completes: late, early, random or random:SEED (docs/emulator.md).
  std::vector<std::string> policies = {"late", "early", "random"};
  int seeds = 1;
  std::string work_dir;  // where programs and arrays are kept
  // Sizes to run in place of the spec's tests. Sizes that break the facts of the dims are legal here: the launcher must
  // refuse them.
  std::vector<std::map<std::string, int64_t>> dims;
  // Only tests of at most so many programs, where a kernel has such tests; 0: all. Programs run one after the other, so
  // that few of them meet as many schedules as many do.
  int64_t programs = 0;
  // Kernels to build into one program; one that is not among them has a program of its own. Compiling many kernels at
  // once is cheaper, as most of a small kernel's time goes into the headers. All that include a header of the user's
  // include one and the same.
  std::vector<HostKernel> batch;
  bool keep = false;  // keep the arrays of every case, not only of failed ones
  int seconds = 300;  // that one program may take for all cases
  // Told what comes next, where it may take a while; may be empty.
  std::function<void(const std::string&)> stage;
};

// One comparison: an evaluation against the one before it in the chain.
struct ChainRow {
  std::string test;        // M=256 N=512 K=256, seed 0
  std::string evaluation;  // interpreter, emulator plain late
  bool passed = false;
  double max_error = 0, tolerance = 0;
  std::string failure;    // the first differing element with its values, or the report of the emulator
  double of_allowed = 0;  // the largest share of what the tolerance allows an element
};

struct ChainReport {
  std::vector<ChainRow> rows;
  bool passed = true;
};

// Runs every test of the kernel: reference = interpreter = emulator in each mode and policy. What cannot run at all
// (no toolkit, no compiler) is a diagnostic. `progress` is called after each row.
ChainReport run_chain(const HostKernel& host, const ChainOptions& options, Diagnostics& diagnostics,
                      const std::function<void(const ChainRow&)>& progress);

// "M=256 N=512", in the order of the spec.
std::string dims_text(const Kernel& kernel, const std::map<std::string, int64_t>& dims);

}  // namespace pallasgen
