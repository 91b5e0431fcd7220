#include "tile_check.h"

#include <fmt/format.h>

#include <sstream>
#include <utility>

#include "plan/passes.h"
#include "plan/plan.h"
#include "tile/text.h"
#include "tile/walk.h"

namespace pallasgen {

std::string tile_program_difference(const Plan& plan, const Arguments& arguments,
                                    const std::map<std::string, Array>& wanted, const std::string& printed) {
  const Lowered& lowered_to = *plan.lowered;
  const Kernel& kernel = *lowered_to.kernel.kernel();
  const Target& target = lowered_to.kernel.target();
  Diagnostics diagnostics;
  // Each pass runs on the printed text of the pass before, and the last program is interpreted.
  Sources sources;
  std::optional<tile::Program> program;
  std::string text;
  const std::vector<tile::Program> through = lower_through(lowered_to.kernel, lowered_to.choices);
  const std::string last = tile::to_text(through.back()), of_plan = tile::to_text(lowered_to.program);
  if (last != of_plan) return fmt::format("the program is not the plan's\n{}\nbut\n{}", of_plan, last);
  for (const tile::Program& lowered : through) {
    const std::string& pass = lowered.pass;
    if (lowered.shortage || !lowered.refusals.empty()) break;  // interpret the program of the pass before
    const tile::Program made = program ? run_pass(pass, *program, target) : lowered;
    text = tile::to_text(made);
    const std::vector<std::string> wrong = verify_pass(pass, made);
    if (!wrong.empty()) return fmt::format("{}\n{}", wrong.front(), text);
    program =
        tile::read_text(sources.add(fmt::format("{}.{}.tile", kernel.name, pass), text), diagnostics, kernel.externs);
    if (!program) return fmt::format("{}{}", render(diagnostics, ErrorFormat::text, false), text);
    const std::string again = tile::to_text(*program);
    if (again != text) return fmt::format("the text is not read back as it was printed\n{}\nbut as\n{}", text, again);
  }
  // Orders in which roles proceed if several can.
  using Order = std::pair<ProgramOrder, uint64_t>;
  for (const auto& [roles, seed] :
       {Order(ProgramOrder::row_major, 0), Order(ProgramOrder::reversed, 0), Order(ProgramOrder::random, 0),
        Order(ProgramOrder::random, 1), Order(ProgramOrder::random, 2)}) {
    if (!has_several_roles(*program) && roles != ProgramOrder::row_major) break;
    std::ostringstream prints;
    const auto got = interpret(*program, arguments, {.seed = seed, .print = &prints, .roles = roles}, diagnostics);
    if (!got) return fmt::format("{}{}", render(diagnostics, ErrorFormat::text, false), text);
    for (const auto& [name, array] : wanted) {
      const Difference difference = compare(got->at(name), array, 0);
      if (difference.equal) continue;
      return fmt::format("element {} of '{}' is {} and not {}\n{}", difference.first, name, difference.got,
                         difference.want, text);
    }
    if (prints.str() != printed) return "what it prints differs\n" + text;
  }
  return "";
}

}  // namespace pallasgen
