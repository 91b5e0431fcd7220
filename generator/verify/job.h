#pragma once

#include <map>
#include <string>
#include <vector>

#include "interpret/interpret.h"
#include "misuse.h"
#include "plan/plan.h"
#include "verify/host_build.h"

namespace pallasgen {

// The SMs of the device that kernels are tested on where nothing else is said; the interpreter's num_sms is the same.
inline constexpr int kEmulatedSms = 3;

// The sizes of the parallel axes; 0 where a scalar decides.
std::vector<int64_t> parallel_sizes(const Kernel& kernel, const std::map<std::string, int64_t>& dims,
                                    int64_t num_sms = kEmulatedSms);

// How many programs the grid has, one CTA each, counted without its steps; 0 where a scalar decides, INT64_MAX where
// there are more.
int64_t programs_of(const Kernel& kernel, const std::map<std::string, int64_t>& dims, int64_t num_sms = kEmulatedSms);

// What became of one case of a job: the outputs and the lines that the kernel printed, or why there are none.
struct JobOutcome {
  std::string failure;
  std::map<std::string, Array> outputs;
  std::vector<std::string> printed;
};

// What the runner fills outputs with where a job does not say, and what lies between the elements of inputs with
// strides: NaN, which shows who reads it.
inline constexpr unsigned char kUntouched = 0xcd, kBetween = 0xff;

// What a case of a job must come to, wherever its program runs.
struct ExpectedCase {
  std::map<std::string, Array> outputs;  // by the interpreter; none where the launcher refuses or a check stops the run
  std::map<std::string, double> tolerances;
  std::vector<std::string> printed;                         // lines, in any order
  std::vector<std::pair<std::string, std::string>> faults;  // a check of the kernel says one of them: kind, operand
};

// A job for a host program (runtime/runner/runner.h): its file and the arrays it reads and writes, in one folder.
class JobFolder {
 public:
  explicit JobFolder(std::string path);

  // Adds a case; `expected_error` is the cudaError_t that the launcher must return, 0 for success.
  void add(const Plan& plan, const std::string& name, const Arguments& arguments, int expected_error);
  // Adds a wrong call of the launcher: case number `base`, which was added before, with this changed.
  void add_misuse(const Plan& plan, size_t base, const std::string& name, const Misuse& misuse);
  // Runs all cases by `program`, with its first arguments, and the emulator's `policy`. A case after which the program
  // ended (a report of the emulator, a crash, a time-out) has that as its failure, and the cases behind it run in a new
  // process. False with a diagnostic when the job could not be written.
  bool run(const std::vector<std::string>& program, const std::string& policy, int seconds, Diagnostics& diagnostics,
           std::vector<JobOutcome>& outcomes);
  // Writes what the cases, in the order in which they were added, must come to: a file `expected` beside the job's and,
  // beside each file that the program writes, one of the same name and `.want` with the interpreter's bytes. A program
  // that knows nothing of kernels compares them. The file is lines of words:
  //   case NAME
  //   out DTYPE TOLERANCE FILE     FILE, in this folder, agrees with FILE.want
  //   printed LINE                 each line that the kernel prints
  //   fault KIND OPERAND           the case fails with this report
  //   refused                      the launcher returns the error that the job names
  //   end
  [[nodiscard]] bool expect(const std::vector<ExpectedCase>& cases, Diagnostics& diagnostics) const;
  void remove();

 private:
  struct Entry;
  // `has_first`: a launch before has other inputs.
  void add_ref(const Kernel& kernel, int ref, const Arguments& arguments, bool has_first, Entry& entry);

  struct Output {
    std::string name, path;
    DType dtype;
    Shape shape, strides;  // strides: none where it is contiguous
    bool new_memory;       // which the runner fills; else the buffer of an input
    bool is_far = false;   // its file has the elements alone
  };
  struct Entry {
    std::string name, text;
    std::vector<std::pair<std::string, std::string>> files;  // path, content
    std::vector<Output> outputs;
    bool refused = false;           // no outputs are to come
    int64_t most_ctas = INT64_MAX;  // that a launch has use for, in whole clusters
    std::string impossible;         // why it cannot be run
  };
  std::string path_, kernel_;
  std::vector<Entry> entries_;
};

}  // namespace pallasgen
