#include "plan/passes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "diagnostics/assert.h"
#include "homes/homes.h"
#include "homes/lowering_limits.h"
#include "infer/infer.h"
#include "plan/words.h"
#include "protocol/channel_statements.h"
#include "protocol/protocol.h"
#include "schedule/ahead.h"
#include "schedule/canonicalise.h"
#include "schedule/channels.h"
#include "schedule/one_thread.h"
#include "schedule/roles.h"
#include "select/select.h"
#include "size/size.h"
#include "tile/walk.h"

namespace pallasgen {

namespace {

std::vector<std::string> verify_laid_out(const tile::Program& program) {
  std::vector<std::string> wrong = verify_sizes(program);
  return wrong.empty() ? verify_layouts(program) : wrong;
}

std::vector<std::string> verify_ordered(const tile::Program& program) {
  std::vector<std::string> wrong = verify_laid_out(program);
  return wrong.empty() ? verify_channel_statements(program) : wrong;
}

using Placed = std::optional<PlacedProgram>;

template <tile::Program (*run)(const tile::Program&)>
tile::Program without_target(const tile::Program& program, const Target&, Placed&) {
  return run(program);
}

tile::Program homes_of(const tile::Program& program, const Target&, Placed& placed) {
  if (!placed) placed.emplace(program);
  return placed->homes();
}

tile::Program layouts_of(const tile::Program& program, const Target&, Placed& placed) {
  const tile::Program* known = placed ? placed->laid_out() : nullptr;
  return known ? *known : assign_layouts(program);
}

tile::Program ordered(const tile::Program& program) { return check_staged(insert_protocol(program)); }

}  // namespace

const std::vector<Pass>& passes() {
  static const std::vector<Pass> table = {
      {"select", [](const tile::Program& program, const Target& target,
                    Placed&) { return select_instructions(program, target); }},
      {"schedule", without_target<schedule::one_thread>},
      {"roles", without_target<schedule::split_into_roles>},
      {"channels", without_target<schedule::form_channels>},
      {"size", choose_sizes, verify_sizes},
      {"homes", homes_of, verify_sizes},
      {"layouts", layouts_of, verify_laid_out},
      {"ahead", without_target<schedule::copy_ahead>, verify_laid_out},
      {tile::kOrdered, without_target<ordered>, verify_ordered},
  };
  return table;
}

namespace {

tile::Program run(const Pass& pass, const tile::Program& program, const Target& target, Placed& placed) {
  tile::Program made = pass.run(program, target, placed);
  made.pass = pass.name;
  return made;
}

}  // namespace

std::vector<std::string_view> pass_names() {
  std::vector<std::string_view> names = {"canonicalise"};
  for (const Pass& pass : passes()) names.push_back(pass.name);
  return names;
}

tile::Program run_pass(std::string_view name, const tile::Program& program, const Target& target) {
  for (const Pass& pass : passes()) {
    Placed placed;
    if (pass.name == name) return run(pass, program, target, placed);
  }
  return program;
}

std::vector<std::string> verify_pass(std::string_view name, const tile::Program& program) {
  std::vector<std::string> wrong = tile::verify(program);
  for (const Pass& pass : passes()) {
    if (pass.name != name || !pass.verify) continue;
    for (std::string& more : pass.verify(program)) wrong.push_back(std::move(more));
  }
  return wrong;
}

tile::Program canonical_program(const PreparedKernel& prepared, const tile::Choices& choices) {
  tile::Program program = schedule::canonicalise(prepared.kernel(), std::string(prepared.target().name));
  program.choices = choices;
  return program;
}

std::vector<tile::Program> lower_through(const PreparedKernel& prepared, const tile::Choices& choices) {
  return lower_from(canonical_program(prepared, choices), prepared.target());
}

std::vector<tile::Program> lower_from(tile::Program program, const Target& target, std::string_view last) {
  const auto given =
      std::find_if(passes().begin(), passes().end(), [&](const Pass& pass) { return pass.name == program.pass; });
  const bool canonical = given == passes().end();
  const size_t done = canonical ? 0 : static_cast<size_t>(given - passes().begin()) + 1;
  std::vector<tile::Program> made = {std::move(program)};
  Placed placed;
  while (made.size() + done <= passes().size() && !made.back().shortage && made.back().refusals.empty()) {
    if (made.back().pass == last && (made.size() == 1 || !canonical)) break;
    made.push_back(run(passes()[made.size() + done - 1], made.back(), target, placed));
    if (made.back().retry.empty()) continue;
    if (!canonical) break;
    // Each restart has more choices (retry_with), of which a kernel has finitely many.
    placed.reset();
    const tile::Program asking = std::move(made.back());
    made.resize(1);
    made[0].choices = asking.choices;
    for (tile::Choice choice : asking.retry) {
      choice.pass = asking.pass;
      tile::give_up(made[0], std::move(choice));
    }
    PALLASGEN_ASSERT(made[0].choices.size() > asking.choices.size(), asking.declarations->span);
  }
  return made;
}

tile::Program lower(const PreparedKernel& prepared, std::string_view last, const tile::Choices& choices) {
  std::vector<tile::Program> made = lower_through(prepared, choices);
  const auto found = std::find_if(made.begin(), made.end(), [&](const tile::Program& one) { return one.pass == last; });
  return std::move(found == made.end() ? made.back() : *found);
}

bool report_refusals(const tile::Program& program, Diagnostics& diagnostics) {
  for (const tile::Refusal& refusal : program.refusals) {
    Diagnostic& diagnostic = diagnostics.error(*refusal.rule, refusal.span, refusal.message);
    for (const std::string& note : refusal.notes) diagnostic.note(note);
  }
  return program.refusals.empty();
}

std::string stages_text(const Kernel& kernel, int64_t stages) {
  if (stages == 0) return {};
  const bool own = std::any_of(kernel.refs.begin(), kernel.refs.end(),
                               [](const Ref& ref) { return ref.stages && !ref.automatic_stages; });
  return fmt::format("{}{} {}", counted(stages, "stage"), own ? " of each input" : "", stages == 1 ? "fits" : "fit");
}

void report_shortage(const tile::Program& program, int64_t stages, Diagnostics& diagnostics) {
  if (!program.shortage) return;
  const tile::Shortage& shortage = *program.shortage;
  Diagnostic& error =
      diagnostics.error(*shortage.rule, shortage.span.source ? shortage.span : program.declarations->span,
                        fmt::format("needs {} of {} {}: {}", grouped(shortage.needed), grouped(shortage.limit),
                                    shortage.resource, fmt::join(shortage.counted, ", ")));
  if (stages > 0)
    error.note(fmt::format("{}, and {}", stages_text(*program.declarations, stages), shortage.remedy));
  else
    error.note(shortage.remedy);
  for (const std::string& works : shortage.works) error.note(works + " works");
}

}  // namespace pallasgen
