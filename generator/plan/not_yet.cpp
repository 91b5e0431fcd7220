#include <algorithm>

#include "copies_in_place.h"
#include "plan/passes.h"
#include "staged_stores.h"
#include "steps_fill.h"
#include "tile/walk.h"
#include "tile_body.h"
#include "unplanned.h"

namespace pallasgen {

namespace missing_kinds {

using tile::Block, tile::ForTiles, tile::Program, tile::Role, tile::Statement;

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
    const std::string found = missing_in(program, Unplanned(program, role), role.body);
    if (!found.empty()) return found;
  }
  return {};
}

}  // namespace pallasgen
