#pragma once
#include <pallasgen/emulator/exit_codes.h>

#include <cstddef>
#include <cstdint>

// Functions for host programs that drive kernels under the emulator. Running a kernel needs none of them.
namespace pallasgen::emulator {

/// When asynchronous work (copies, matrix multiplications) completes.
enum class Completion {
  kLate,    // only when no thread can go on without it
  kEarly,   // as soon as it is issued
  kRandom,  // after a seeded random number of thread switches
};

struct Options {
  Completion copies = Completion::kLate;
  Completion mma = Completion::kLate;
  bool random_order = false;           // ready threads and clusters in seeded random order; try_wait may time out
  uint64_t seed = 1;                   // seed of all random choices
  int sms = 4;                         // multiprocessors of the emulated device: the size of persistent grids
  uint64_t poll_limit = 2'000'000;     // fruitless polls in a row, by all threads together, before the report
  double seconds_without_switch = 60;  // CPU time that one thread may run without a synchronisation
  size_t stack_bytes = 0;              // per thread; 0: 256 KiB
  bool per_thread = false;             // race clocks per thread instead of per warp
  bool statistics = false;             // a line on stderr after each launch
  bool counted_workspace = false;      // launchers take the parts that were counted last, with the same sizes
};

/// The current options: those of set_options, before it those of the environment variable PALLASGEN_EMULATOR
/// (`policy=random,seed=3,...`; docs/emulator.md lists the keys). Ends the process if the variable cannot be read.
const Options& options();

/// Replaces the options, for later launches.
void set_options(const Options& options);

struct Statistics {
  uint64_t launches = 0, ctas = 0, switches = 0, copies = 0, mmas = 0;
  double multiply_adds = 0;
};

/// Makes a kernel that goes wrong end its launch with an error, for programs that go on, instead of the process with an
/// exit code. cudaGetErrorString of that error, in the same host thread, then returns the report, until its next call.
void return_errors(bool returns);

/// The report of this host thread's last call, if errors are returned; empty if it has none.
const char* last_report();

/// Counts of what has been executed since the process started.
const Statistics& statistics();

}  // namespace pallasgen::emulator
