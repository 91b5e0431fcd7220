#include "row_orders.h"

#include "elements/uses.h"
#include "forms.h"
#include "reductions.h"
#include "rows.h"
#include "tile/walk.h"

namespace pallasgen {

namespace {

bool rounds(const Apply& reduction) {
  if (operation(reduction.op).group != OpGroup::reduce || !info(reduction.args[0]->dtype).is_float) return false;
  const std::optional<Op> op = combination(reduction.op);
  return (op == Op::sum || op == Op::prod) && reduces_rows(reduction);
}

}  // namespace

std::vector<RowOrder> row_orders(const tile::Program& program) {
  std::vector<RowOrder> orders;
  for (const tile::Role& role : program.roles) {
    const Forms forms(program, role);
    tile::for_each_statement(role.body, [&](const tile::Statement& statement) {
      const bool by_elements = goes_by_elements(program, statement);
      tile::for_each_expression(statement, [&](const TypedPtr& expr) {
        walk(expr, [&](const Typed& node) {
          const Apply* reduction = node.as<Apply>();
          if (!reduction || !rounds(*reduction)) return;
          RowOrder order{node.span};
          const std::optional<Form> form = by_elements ? std::nullopt : forms.operand_of(*reduction);
          if (form && forms.by_instructions(*form)) return;
          if (const FormMatrix* rows = form ? forms.matrix_of(*form) : nullptr) {
            order.lanes = rows->lanes;
            order.vector = rows->vector;
          }
          orders.push_back(order);
        });
      });
    });
  }
  return orders;
}

}  // namespace pallasgen
