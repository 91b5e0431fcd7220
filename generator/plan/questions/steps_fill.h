#pragma once

#include <optional>

#include "tile/program.h"

namespace pallasgen {

// The value of an accumulator if there is no step: its first step would overwrite it.
struct StepsFill {
  tile::ValueId value;
  int axis;
  TypedPtr constant;
};
// Null unless the statement is `if num_programs(k) <= 0: acc = 0.0`, or assigns full(.., 0.0).
inline std::optional<StepsFill> steps_fill(const tile::Program& program, const tile::Statement& statement) {
  const auto* branch = statement.as<tile::If>();
  const Apply* none = branch ? branch->condition->applies(Op::less_equal) : nullptr;
  const Symbol* steps = none ? none->args[0]->as<Symbol>() : nullptr;
  if (!steps || steps->kind != SymbolKind::axis_size || constant_value(none->args[1]) != 0 ||
      !branch->otherwise.empty() || branch->then.size() != 1)
    return std::nullopt;
  const auto* assign = branch->then.front().as<tile::Assign>();
  if (!assign || !assign->expr || program.value(assign->value).shape.empty()) return std::nullopt;
  const Apply* full = assign->expr->applies(Op::full);
  const TypedPtr constant = full ? full->args[0] : assign->expr;
  if (!constant->as<Constant>()) return std::nullopt;
  return StepsFill{assign->value, steps->id, constant};
}

}  // namespace pallasgen
