#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plan/prepared.h"

namespace pallasgen {

struct Plan;

// A pass takes a tile program to one that means the same and in which more is decided.
struct Pass {
  std::string_view name;
  tile::Program (*run)(const tile::Program& program, const Target& target);
  // What is wrong with what it gives, beside what tile::verify() says; null: nothing more is to be said.
  std::vector<std::string> (*verify)(const tile::Program& program) = nullptr;
};

// The passes behind `canonicalise`, in their order.
const std::vector<Pass>& passes();
// The names of all of them, `canonicalise` first, as `pallasgen lower --to` takes them.
std::vector<std::string_view> pass_names();

// What the pass of that name, of passes(), makes of a program.
tile::Program run_pass(std::string_view pass, const tile::Program& program, const Target& target);

// What is wrong with a program that the pass of that name gave; empty: nothing.
std::vector<std::string> verify_pass(std::string_view pass, const tile::Program& program);

// A kernel as the tile programs that it is after `canonicalise` and after each pass, up to the last one or the first
// that finds a shortage or cannot honour a setting. Where a pass asks for other choices (tile/choices.h), all run again
// with them, and the programs are those of the last time. `choices`: those that hold from the start.
std::vector<tile::Program> lower_through(const PreparedKernel& prepared, const tile::Choices& choices = {});
// The same of a program that one of the passes gave, up to the pass `last`. Where a pass asks for other choices and the
// program is not that of `canonicalise`, its program is the last one, with what it asks for.
std::vector<tile::Program> lower_from(tile::Program program, const Target& target, std::string_view last = {});
// The one after the pass of that name, which must be one of pass_names(), or the last one if there is none.
tile::Program lower(const PreparedKernel& prepared, std::string_view pass, const tile::Choices& choices = {});

// Whether a pass could honour all settings: otherwise the diagnostics that say why not.
[[nodiscard]] bool report_refusals(const tile::Program& program, Diagnostics& diagnostics);

// The choices from the start that the plan of a kernel was made with; none if it has no plan.
tile::Choices choices_of_plan(const Kernel& kernel, const std::string& target_name);

// The plan of a kernel that a remedy would make of another: without warnings or remedies of its own; null where it has
// none.
std::optional<Plan> tried_plan(const Kernel& kernel, const std::string& target_name);
// The largest number of stages with which the kernel has a plan, of at most so many; 0: with none.
int64_t stages_that_plan(const Kernel& kernel, const std::string& target_name, int64_t most);
// "3 stages fit", or "3 stages of each input fit" where inputs have numbers of their own; empty: of none.
std::string stages_text(const Kernel& kernel, int64_t stages);

// What the last pass has counted that does not fit, if there is something, and what would. `stages`: with so many the
// kernel has a plan; 0: with no number, or nobody has tried.
void report_shortage(const tile::Program& program, int64_t stages, Diagnostics& diagnostics);

}  // namespace pallasgen
