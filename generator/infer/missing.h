#pragma once

#include "infer/infer.h"

namespace pallasgen {

// True if the statement may be a conversion: it assigns a value to another in registers.
inline bool is_move(const tile::Program& program, const tile::Statement& statement) {
  const auto* assign = statement.as<tile::Assign>();
  return assign && assign->expr && assign->expr->as<LocalUse>() &&
         program.value(assign->value).home != tile::Home::shared;
}

// The conversions that a role's statements need in addition to those in it, given the values' layouts.
std::vector<NeededConversion> missing_conversions(const tile::Program& program, const tile::Role& role);

}  // namespace pallasgen
