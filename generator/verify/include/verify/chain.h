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
  // When the emulator's asynchronous work completes: late, early, random or random:SEED (docs/emulator.md).
  std::vector<std::string> policies = {"late", "early", "random"};
  int seeds = 1;
  std::string work_dir;  // folder for programs and arrays
  // Sizes to run instead of the spec's tests. They may break the facts of the dims: the launcher must then refuse them.
  std::vector<std::map<std::string, int64_t>> dims;
  // Run only tests of at most this many programs, if the kernel has such tests; 0: all tests. Programs run one after
  // another, so a few of them meet as many schedules as many do.
  int64_t programs = 0;
  // Kernels to build into one program; a kernel that is not in the list gets a program of its own. Compiling many
  // kernels at once is cheaper, as headers take most of a small kernel's compile time. Those with a user's header must
  // share one.
  std::vector<HostKernel> batch;
  bool keep = false;  // keep the arrays of every case, not only of failed ones
  int seconds = 300;  // time limit of one program for all its cases
  // Called with a description of each step that may take a while; may be empty.
  std::function<void(const std::string&)> stage;
};

// One comparison of an evaluation with the one before it in the chain.
struct ChainRow {
  std::string test;        // M=256 N=512 K=256, seed 0
  std::string evaluation;  // interpreter, emulator plain late
  bool passed = false;
  double max_error = 0, tolerance = 0;
  std::string failure;    // the first differing element with its values, or the emulator's report
  double of_allowed = 0;  // largest ratio of an error to what the tolerance allows; above 1 the row fails
};

struct ChainReport {
  std::vector<ChainRow> rows;
  bool passed = true;
};

// Runs every test of the kernel: reference = interpreter = emulator in each mode and policy. If something cannot run at
// all (no toolkit, no compiler), that is a diagnostic. `progress` is called after each row.
ChainReport run_chain(const HostKernel& host, const ChainOptions& options, Diagnostics& diagnostics,
                      const std::function<void(const ChainRow&)>& progress);

// "M=256 N=512", in the order of the spec.
std::string dims_text(const Kernel& kernel, const std::map<std::string, int64_t>& dims);

}  // namespace pallasgen
