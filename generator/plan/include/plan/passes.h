#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plan/prepared.h"

namespace pallasgen {

class PlacedProgram;
struct Plan;

// A pass turns a tile program into one with the same meaning in which more is decided.
struct Pass {
  std::string_view name;
  // `placed`: the program with homes and layouts, if the pass before has found them out; what the pass leaves there is
  // for the next one.
  tile::Program (*run)(const tile::Program& program, const Target& target, std::optional<PlacedProgram>& placed);
  // Returns the faults of the resulting program that tile::verify() does not check; null if there are no more checks.
  std::vector<std::string> (*verify)(const tile::Program& program) = nullptr;
};

// The passes after `canonicalise`, in their order.
const std::vector<Pass>& passes();
// The names of all passes, `canonicalise` first, as `pallasgen lower --to` takes them.
std::vector<std::string_view> pass_names();

// Runs the pass with that name, one of passes(), on a program.
tile::Program run_pass(std::string_view pass, const tile::Program& program, const Target& target);

// Returns the faults of a program that the pass with that name gave; empty if there are none.
std::vector<std::string> verify_pass(std::string_view pass, const tile::Program& program);

// Returns the kernel's program before all passes but `canonicalise`, with these choices.
tile::Program canonical_program(const PreparedKernel& prepared, const tile::Choices& choices);
// Returns the kernel's tile programs after `canonicalise` and after each pass, up to the last pass or the first that
// finds a shortage or cannot honour a setting. If a pass asks for other choices (tile/choices.h), all passes run again
// with them, and the result has the programs of the last attempt. `choices` hold from the start.
std::vector<tile::Program> lower_through(const PreparedKernel& prepared, const tile::Choices& choices = {});
// Starts from a program that one of the passes gave and runs up to the pass `last`. If a pass asks for other choices
// and the first program is not that of `canonicalise`, the result ends with that pass's program and its request.
std::vector<tile::Program> lower_from(tile::Program program, const Target& target, std::string_view last = {});
// Returns the program after the pass with that name, which must be one of pass_names(); the last program if the passes
// ended earlier.
tile::Program lower(const PreparedKernel& prepared, std::string_view pass, const tile::Choices& choices = {});

// True if the passes could honour all settings; otherwise reports why not.
[[nodiscard]] bool report_refusals(const tile::Program& program, Diagnostics& diagnostics);

// Returns the choices with which the lowering to the kernel's plan started; none if it has no plan.
tile::Choices choices_of_plan(const Kernel& kernel, const std::string& target_name);

// Plans a kernel that a remedy has changed, without warnings or remedies of its own; null if it has no plan.
std::optional<Plan> tried_plan(const Kernel& kernel, const std::string& target_name);
// Returns the largest number of stages, at most `most`, with which the kernel has a plan; 0 if there is none.
int64_t stages_that_plan(const Kernel& kernel, const std::string& target_name, int64_t most);
// Returns "3 stages fit", or "3 stages of each input fit" if inputs have stages of their own; empty for 0 stages.
std::string stages_text(const Kernel& kernel, int64_t stages);

// What is called with the unfinished plan after each step that completes or shortens a lowered plan.
using AfterStep = std::function<void(std::string_view step, const Plan& plan)>;
// The names of these steps, in their order.
std::vector<std::string_view> plan_step_names();
// Returns the plan of a program that the last pass gave without a shortage or refusals; null with diagnostics if it has
// none.
std::optional<Plan> plan_of(const PreparedKernel& prepared, const tile::Program& program, Diagnostics& diagnostics,
                            const AfterStep& after = {});

// Reports the shortage that the last pass found, if any, and remedies. The kernel has a plan with `stages` stages; 0 if
// it has one with no number of them, or if none was tried.
void report_shortage(const tile::Program& program, int64_t stages, Diagnostics& diagnostics);

}  // namespace pallasgen
