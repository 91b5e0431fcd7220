#pragma once

#include <map>
#include <memory>
#include <ostream>
#include <vector>

#include "check/kernel.h"
#include "fault.h"
#include "interpret/interpret.h"
#include "placing.h"
#include "statements.h"
#include "tile/program.h"

namespace pallasgen::interpreter {

// Runs the programs of a grid one after another over global arrays.
class Grid {
 public:
  // State that the programs of one grid share, also if each has an environment of its own.
  struct Shared {
    int64_t tickets = 0;                  // programs that have started; those that are skipped draw none
    std::vector<WriteHistory> histories;  // by ref; used for outputs
    struct Reported {
      Diagnostic* diagnostic;
      int64_t more = 0;
      std::optional<size_t> fault = {};  // index into InterpretOptions::faults
    };
    std::map<std::pair<std::string_view, uint32_t>, Reported> reported;
  };

  // `environment` has dims, scalars and blocks (one per ref, none open). `program` runs instead of the kernel's body,
  // unless it is null.
  Grid(const Kernel& kernel, const tile::Program* program, Environment environment, const InterpretOptions& options,
       Diagnostics& diagnostics, std::shared_ptr<Shared> shared = nullptr);
  Grid(const Grid&) = delete;

  // False if a rule was broken; each broken rule is reported once for each place, with the number of programs.
  bool run();

 private:
  std::optional<int64_t> parallel_programs();
  void attempt(int64_t program);
  void run_together(const std::vector<int64_t>& order);
  void run_program(int64_t program);
  void find_left_out();
  void run_steps(size_t axis);
  void run_step();
  void run_guards();
  void open_blocks();
  void open_output(size_t ref, Placement placement);
  void leave(size_t ref);
  int64_t axis_size(size_t axis);
  void move_axis(size_t axis, int64_t value);
  std::string grid_point(int64_t program) const;
  void report(const Fault& fault, bool warning = false);

  const Kernel& kernel_;
  const tile::Program* tile_program_;
  Environment env_;
  const InterpretOptions& options_;
  Diagnostics& diagnostics_;
  StatementRunner runner_;
  size_t parallel_axes_;
  std::shared_ptr<Shared> shared_;
  std::vector<Placement> loaded_;  // by ref: where an input's block was last loaded from; kNowhere: nothing
  std::vector<bool> moves_;        // by ref: the block depends on the step
  std::vector<bool> looked_at_;    // by ref: false for inputs that the body never names
  int64_t program_ = 0, steps_ = 0;
  bool checks_nan_ = false;
  bool stepless_ = false;  // the program has no step, and its guards run
};

}  // namespace pallasgen::interpreter
