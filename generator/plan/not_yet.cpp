#include <algorithm>

#include "copies_in_place.h"
#include "elements/uses.h"
#include "forms.h"
#include "plan/passes.h"
#include "reductions.h"
#include "rows.h"
#include "staged_stores.h"
#include "steps_fill.h"
#include "tile/walk.h"
#include "tile_body.h"
#include "unplanned.h"

namespace pallasgen {

namespace missing_kinds {

using tile::Block, tile::ForTiles, tile::Program, tile::Role, tile::Statement;

// A dot by loops: the warnings that tell why no instruction takes it are those of the planners for dots.
bool has_dot_by_loops(const Program& program, const Role& role) {
  bool found = false;
  tile::for_each_statement(role.body, [&](const Statement& statement) {
    const auto* dot = statement.as<tile::Dot>();
    found = found || (dot && (dot->family.empty() || goes_by_elements(program, statement)));
    tile::for_each_expression(statement, [&](const TypedPtr& expr) {
      walk(expr, [&](const Typed& node) { found = found || (node.applies(Op::dot) && !dot); });
    });
  });
  return found;
}

// What is loaded transposed is planned in registers by the older planners.
bool transposes_by_elements(const Program& program, const Role& role) {
  bool found = false;
  tile::for_each_statement(role.body, [&](const Statement& statement) {
    const auto* assign = statement.as<tile::Assign>();
    if (!assign || !assign->expr || !goes_by_elements(program, statement)) return;
    walk(assign->expr, [&](const Typed& node) { found = found || node.applies(Op::transpose); });
  });
  return found;
}

// Whether nothing but sums of rows that all threads need goes by elements: the older planners keep them in registers.
bool only_sums_of_rows(const Program& program, const Role& role) {
  bool sums = false, others = false;
  tile::for_each_statement(role.body, [&](const Statement& statement) {
    if (!goes_by_elements(program, statement) || statement.as<PrintStmt>() || statement.as<tile::Read>()) return;
    const auto* assign = statement.as<tile::Assign>();
    const auto* write = statement.as<tile::Write>();
    const auto value = write ? std::optional(write->value) : tile::defined_by(statement);
    others = others || (!assign && !write) || program.value(*value).home != tile::Home::scalar;
    if (!assign || !assign->expr) return;
    walk(assign->expr, [&](const Typed& node) {
      const Apply* apply = node.as<Apply>();
      const bool reduces = apply && operation(apply->op).group == OpGroup::reduce;
      sums = sums || (reduces && reduces_rows(*apply) && combination(apply->op));
      others = others || (reduces && !combination(apply->op));
    });
  });
  return sums && !others;
}

// Whether statements by elements read an entry that a branch takes for what follows it.
bool takes_entry_in_branch(const Program& program, const Role& role) {
  const ElementUses uses(program, role);
  bool found = false;
  tile::for_each_statement(role.body, [&](const Statement& statement) {
    if (!goes_by_elements(program, statement)) return;
    for (int value : tile::used_by(statement)) {
      const bool again =
          uses.carried.count(value) > 0 || (uses.definitions.count(value) > 0 && uses.definitions.at(value) > 1);
      found = found || (uses.got.count(value) > 0 && again);
    }
  });
  return found;
}

std::string missing_in(const Program& program, const Unplanned& unplanned, const Block& block) {
  for (const Statement& statement : block) {
    if (std::string found = unplanned.of(statement); !found.empty()) return found;
    if (steps_fill(program, statement) || staged_store(program, statement)) continue;
    const ForTiles* tiles = statement.as<ForTiles>();
    const std::vector<const Block*> below = tiles ? std::vector{&tile_body(program, *tiles)} : blocks_of(statement);
    for (const Block* inner : below) {
      if (std::string found = missing_in(program, unplanned, *inner); !found.empty()) return found;
    }
  }
  return {};
}

// What the spec asks for and no pass acts on.
std::string of_settings(const Program& program) {
  const Kernel& kernel = *program.declarations;
  if (!kernel.checks.empty()) return "checks";
  if (kernel.pipeline.compute_warpgroups.value && program.roles.size() == 1) return "pipeline.compute_warpgroups";
  if (kernel.pipeline.warp_specialized.value && program.roles.size() == 1) return "pipeline.warp_specialized";
  const bool stages = std::any_of(kernel.refs.begin(), kernel.refs.end(),
                                  [](const Ref& ref) { return ref.stages.value_or(0) > 0 || ref.automatic_stages; });
  const IntegerSetting& all = kernel.pipeline.stages;
  if ((stages || all.automatic || all.value.value_or(0) > 0) && program.channels.empty()) return "pipeline.stages";
  return {};
}

}  // namespace missing_kinds

std::string not_yet(const tile::Program& program) {
  using namespace missing_kinds;
  if (const std::string setting = of_settings(program); !setting.empty()) return setting;
  if (program.shortage) return "parts of blocks in turn";
  if (program.roles.size() > 2) return "more than two roles";
  if (program.roles.size() > 1 && !find_target(program.target)->tma) return "roles on a target without transactions";
  for (const Role& role : program.roles) {
    if (!copies_in_place(program, role)) return "a copy under a condition";
    if (has_dot_by_loops(program, role)) return "a dot";
    if (transposes_by_elements(program, role)) return "'transpose'";
    if (takes_entry_in_branch(program, role)) return "an entry that a branch takes";
    if (only_sums_of_rows(program, role)) return "a sum that all threads need";
    const std::vector<FormMatrix> matrices = Forms(program, role).matrices();
    if (std::count_if(matrices.begin(), matrices.end(), [](const auto& m) { return !m.of_instructions; }) > 1)
      return "rows of several layouts";
    const std::string found = missing_in(program, Unplanned(program, role), role.body);
    if (!found.empty()) return found;
  }
  return {};
}

}  // namespace pallasgen
