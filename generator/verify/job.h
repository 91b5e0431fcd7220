#pragma once

#include <map>
#include <string>
#include <vector>

#include "interpret/interpret.h"
#include "misuse.h"
#include "plan/plan.h"
#include "verify/host_build.h"

namespace pallasgen {

// Default number of SMs of the emulated device; the interpreter's num_sms is the same.
inline constexpr int kEmulatedSms = 3;

// The sizes of the parallel axes; 0 for a size that depends on a scalar.
std::vector<int64_t> parallel_sizes(const Kernel& kernel, const std::map<std::string, int64_t>& dims,
                                    int64_t num_sms = kEmulatedSms);

// The number of programs of the grid (one CTA each, sequential axes not counted); 0 if it depends on a scalar,
// INT64_MAX if it does not fit.
int64_t programs_of(const Kernel& kernel, const std::map<std::string, int64_t>& dims, int64_t num_sms = kEmulatedSms);

// The result of one case of a job: its outputs and the lines that the kernel printed, or the failure.
struct JobOutcome {
  std::string failure;
  std::map<std::string, Array> outputs;
  std::vector<std::string> printed;
};

// Byte with which the runner fills outputs if a job names none, and byte between the elements of strided inputs: NaN,
// which exposes any code that reads it.
inline constexpr unsigned char kUntouched = 0xcd, kBetween = 0xff;

// The expected results of a case of a job, on any machine.
struct ExpectedCase {
  std::map<std::string, Array> outputs;  // the interpreter's; none if the launcher refuses or a check stops the run
  std::map<std::string, double> tolerances;
  std::vector<std::string> printed;                         // lines, in any order
  std::vector<std::pair<std::string, std::string>> faults;  // a check of the kernel reports one of them: kind, operand
};

// A job for a host program (runtime/runner/runner.h): one folder with its file and the arrays that it reads and writes.
class JobFolder {
 public:
  explicit JobFolder(std::string path);

  // Adds a case. `expected_error`: the cudaError_t that the launcher must return, 0 for success.
  void add(const Plan& plan, const std::string& name, const Arguments& arguments, int expected_error);
  // Adds a wrong call of the launcher: the earlier case number `base` with one change.
  void add_misuse(const Plan& plan, size_t base, const std::string& name, const Misuse& misuse);
  // Runs all cases with `program`, which includes its first arguments, and the emulator's `policy`. If the program ends
  // during a case (a report of the emulator, a crash, a time-out), that is the failure of the case, and the cases after
  // it run in a new process. Returns false with a diagnostic if the job could not be written.
  bool run(const std::vector<std::string>& program, const std::string& policy, int seconds, Diagnostics& diagnostics,
           std::vector<JobOutcome>& outcomes);
  // Writes the expected results of the cases, in the order in which they were added: a file `expected` next to the
  // job's and, for each file that the program writes, one with `.want` appended that has the interpreter's bytes. A
  // program without knowledge of kernels can compare them. `expected` has lines of words:
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
  // `has_first`: an earlier launch gets other inputs.
  void add_ref(const Kernel& kernel, int ref, const Arguments& arguments, bool has_first, Entry& entry);

  struct Output {
    std::string name, path;
    DType dtype;
    Shape shape, strides;  // strides: empty for contiguous memory
    bool new_memory;       // filled by the runner; otherwise the buffer of an input
    bool is_far = false;   // its file has the elements alone
  };
  struct Entry {
    std::string name, text;
    std::vector<std::pair<std::string, std::string>> files;  // path, content
    std::vector<Output> outputs;
    bool refused = false;           // no outputs are expected
    int64_t most_ctas = INT64_MAX;  // the most CTAs that a launch has work for, in whole clusters
    std::string impossible;         // reason why it cannot run
  };
  std::string path_, kernel_;
  std::vector<Entry> entries_;
};

}  // namespace pallasgen
