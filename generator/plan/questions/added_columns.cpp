#include "questions/added_columns.h"

#include "questions/rows.h"
#include "tile/walk.h"

namespace pallasgen {

bool adds_neighbours(const tile::Program& program, const tile::Role& role, const Forms& forms,
                     const tile::Write& write) {
  const std::optional<Form> form = forms.of(write.value);
  if (!program.ref(write.box.ref).reduce || !form || form->kind != FormKind::columns || form->vector == 1) return false;
  if (forms.by_instructions(*form)) return false;
  int definitions = 0;
  bool reduces = false;
  tile::for_each_statement(role.body, [&](const tile::Statement& statement) {
    if (!tile::touched(program, statement).defines.contains(write.value.index)) return;
    if (!tile::blocks_of(statement).empty()) return;
    ++definitions;
    const auto* assign = statement.as<tile::Assign>();
    const Apply* apply = assign && assign->expr ? assign->expr->as<Apply>() : nullptr;
    reduces = apply && operation(apply->op).group == OpGroup::reduce && reduces_columns(*apply);
  });
  return definitions == 1 && reduces;
}

}  // namespace pallasgen
