#include "questions/leaf_forms.h"

#include <set>

#include "infer/edges.h"
#include "infer/infer.h"
#include "layout/derive.h"
#include "questions/rows.h"

namespace pallasgen {

namespace {

Shape wide_sizes(const Shape& shape) {
  Shape sizes;
  for (int dim : wide_dims(shape)) sizes.push_back(shape[static_cast<size_t>(dim)]);
  return sizes;
}

class Leaves {
 public:
  Leaves(const tile::Program& program, const Forms& forms) : program_(program), forms_(forms) {}

  std::string run(tile::ValueId id, const TypedPtr& expr) {
    const tile::Value& value = program_.value(id);
    const std::optional<Form> form = forms_.of(id);
    if (!form) return value.name;
    const std::optional<ValueLayout> layout = operand_of_broadcast(full_layout(forms_.layout_of(id)), expr->shape);
    if (layout) {
      request_operand_layouts(
          expr, *layout, {[this](int id) { return std::optional(full_layout(forms_.layout_of({id}))); }},
          [this](int id, const ValueLayout& wanted, const TypedPtr& use) {
            const bool is_chunk = use->shape != program_.value({id}).shape;  // of the same registers
            if (is_chunk || full_layout(forms_.layout_of({id})) == wanted)
              placed_.insert(use.get());
            else
              misplaced_.insert(use.get());
          });
    }
    return below(expr, *form, value.shape);
  }

 private:
  std::string below(const TypedPtr& expr, const Form& loop, const Shape& shape) const {
    if (const auto* use = expr->as<LocalUse>()) {
      const std::optional<Form> form = forms_.of(tile::ValueId{use->id});
      if (form && (form->kind == FormKind::scalar || forms_.is_everywhere(*form))) return {};
      const bool placed = placed_.count(expr.get()) > 0 && misplaced_.count(expr.get()) == 0;
      return form && placed && takes(loop, shape, *form, expr->shape) ? std::string() : use->name;
    }
    const Apply* apply = expr->as<Apply>();
    if (apply && takes_lines(*apply)) {
      const std::optional<Form> form = forms_.operand_of(*apply);
      if (!form || !takes(loop, shape, forms_.result_of(*apply, expr->shape), expr->shape))
        return std::string(operation(apply->op).name);
      return below(apply->args[0], *form, apply->args[0]->shape);
    }
    const LocalUse* vector = column_vector(*expr);
    if (vector && program_.value({vector->id}).home == tile::Home::shared) return {};  // read at its coordinates
    const CallFunction* call = expr->as<CallFunction>();
    if (!apply && !call) return {};
    for (const TypedPtr& operand : apply ? apply->args : call->args) {
      if (std::string found = below(operand, loop, shape); !found.empty()) return found;
    }
    return {};
  }

  // True if element e of the leaf is held with element e of the loop, or with the elements of its row or column.
  bool takes(const Form& loop, const Shape& shape, const Form& leaf, const Shape& of_leaf) const {
    if (forms_.is_everywhere(leaf)) return true;
    if (forms_.by_instructions(loop) && forms_.by_instructions(leaf) && loop.kind == FormKind::matrix) {
      const FormMatrix &around = *forms_.matrix_of(loop), &own = *forms_.matrix_of(leaf);
      // If each warpgroup has its own columns, all of them hold the number of each row.
      const bool by_columns = around.across && leaf.kind != FormKind::rows;
      if (around.across != own.across || (by_columns && around.columns != own.columns)) return false;
      const bool is_same =
          leaf.kind != FormKind::matrix || Forms::in_type(leaf, of_leaf) == Forms::in_type(loop, shape);
      return around.rows == own.rows && is_same;
    }
    if (leaf.kind == FormKind::strided || loop.kind == FormKind::strided)
      return loop.same_type(leaf) && loop.vector == leaf.vector &&
             wide_sizes(Forms::in_type(loop, shape)) == wide_sizes(Forms::in_type(leaf, of_leaf));
    return forms_.stands_beside(loop, leaf);
  }

  const tile::Program& program_;
  const Forms& forms_;
  std::set<const Typed*> placed_, misplaced_;  // uses
};

}  // namespace

std::string misplaced_leaf(const tile::Program& program, const Forms& forms, const tile::Assign& assign) {
  return Leaves(program, forms).run(assign.value, assign.expr);
}

std::string misplaced_in_chunk(const tile::Program& program, const Forms& forms, tile::ValueId chunk,
                               const TypedPtr& expr) {
  return Leaves(program, forms).run(chunk, expr);
}

}  // namespace pallasgen
