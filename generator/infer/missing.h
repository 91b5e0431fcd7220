#pragma once

#include "infer/infer.h"

namespace pallasgen {

// Whether the statement may be a conversion: it gives a value to another in registers.
inline bool is_move(const tile::Program& program, const tile::Statement& statement) {
  const auto* assign = statement.as<tile::Assign>();
  return assign && assign->expr && assign->expr->as<LocalUse>() &&
         program.value(assign->value).home != tile::Home::shared;
}

// Of a role whose values have layouts: the conversions that its statements need beside those that there are.
std::vector<NeededConversion> missing_conversions(const tile::Program& program, const tile::Role& role);

}  // namespace pallasgen
