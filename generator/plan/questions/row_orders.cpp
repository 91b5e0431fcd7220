#include "questions/row_orders.h"

#include <algorithm>
#include <iterator>

#include "proofs/reductions.h"
#include "questions/forms.h"
#include "questions/rows.h"
#include "questions/uses.h"
#include "tile/walk.h"

namespace pallasgen {

namespace {

bool rounds(const Apply& reduction) {
  if (operation(reduction.op).group != OpGroup::reduce || !info(reduction.args[0]->dtype).is_float) return false;
  const std::optional<Op> op = combination(reduction.op);
  return (op == Op::sum || op == Op::prod) && reduces_rows(reduction);
}

// True if both orders give the same bits, or a warning reports their difference.
bool is_kept(const RowOrder& wanted, const RowOrder& other) {
  return wanted.lanes == 0 || wanted.lanes == other.lanes || (other.lanes > 0 && wanted.vector != other.vector);
}

std::vector<RowOrder> at_place(const Span& place, const std::vector<RowOrder>& orders) {
  std::vector<RowOrder> found;
  std::copy_if(orders.begin(), orders.end(), std::back_inserter(found),
               [&](const RowOrder& order) { return order.reduction == place; });
  return found;
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

std::optional<OtherOrder> other_order(const std::vector<RowOrder>& wanted, const std::vector<RowOrder>& others) {
  for (const RowOrder& first : others) {
    const std::vector<RowOrder> before = at_place(first.reduction, wanted), now = at_place(first.reduction, others);
    for (size_t i = 0; i < now.size() && !before.empty(); ++i) {
      const bool one_by_one = before.size() == now.size();
      const auto kept = [&](const RowOrder& order) { return is_kept(order, now[i]); };
      if (one_by_one ? !kept(before[i]) : std::none_of(before.begin(), before.end(), kept))
        return OtherOrder{before[one_by_one ? i : 0], now[i]};
    }
  }
  return std::nullopt;
}

}  // namespace pallasgen
