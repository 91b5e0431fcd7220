// Reductions of fragments: along rows and columns, and of parts that threads hold.
#include <algorithm>

#include "diagnostics/assert.h"
#include "element_site.h"
#include "fragment_values.h"
#include "layout/warps.h"
#include "reductions.h"
#include "rows.h"

namespace pallasgen {

using program::Binding, program::DeclareFragment, program::Elementwise, program::ReduceFragment, program::SlotKind,
    program::Statements;

Leaf FragmentValues::reduced(const TypedPtr& node, Statements& before) {
  const Apply& apply = *node->as<Apply>();
  const auto [known, added] = known_.try_emplace(node.get(), -1 - static_cast<int>(made_.size()));
  const int id = known->second;
  if (added) {
    const DType wide = accumulator(apply.op, node->dtype);
    const Form form = forms_.result_of(apply, node->shape);
    const std::string name(picked_column(apply) ? "picked" : operation(apply.op).name);
    int target = add_fragment(draft_.names().derived(apply.op == Op::mean ? "sum" : name), wide, form, node->shape);
    Statements own;
    own.push_back({"", false, DeclareFragment{target}});
    reduce_into(target, apply, own, terms_.count(node.get()) > 0);
    // The declaration stands before the reduction alone, behind what its operand is computed by.
    std::rotate(own.begin(), own.begin() + 1, own.end() - 1);
    std::move(own.begin(), own.end(), std::back_inserter(before));
    if (apply.op == Op::mean)
      target = mean_of(target, form, elements_of(apply.args[0]->shape) / elements_of(node->shape), before);
    made_[id] = {target, form};
  }
  const FragmentPlan& result = draft_.plan.fragments[static_cast<size_t>(made_.at(id).first)];
  const TypedPtr use = make_typed(node->span, result.dtype, node->shape, LocalUse{id, result.name});
  return Leaf{cast_to(use, node->dtype)};
}

int FragmentValues::mean_of(int sum, const Form& form, int64_t terms, Statements& out) {
  const FragmentPlan total = draft_.plan.fragments[static_cast<size_t>(sum)];
  const int mean = add_fragment(draft_.names().derived("mean"), total.dtype, form, {});
  const TypedPtr divided = make_typed({}, total.dtype, {},
                                      Apply{Op::divide,
                                            {make_typed({}, total.dtype, {}, LocalUse{0, total.name}),
                                             typed_constant(total.dtype, static_cast<double>(terms))},
                                            {}});
  Binding binding{};
  binding.kind = SlotKind::element;
  binding.fragment = sum;
  out.push_back({"", false, DeclareFragment{mean}});
  out.push_back({"", false, Elementwise{mean, {{mean, divided, {binding}, heading()}}}});
  return mean;
}

program::Statement FragmentValues::share_of(int target, tile::ValueId parts) {
  ReduceFragment share{target, target, *combination(Op::sum), 1};
  share.part = program::ReducePart::lanes;
  partials_.choose_way(draft_, share, sharing(form(parts)));
  return {"", false, std::move(share)};
}

PartialTiles::Sharing FragmentValues::sharing(const Form& operand) {
  const FormMatrix& of = *forms_.matrix_of(operand);
  const int64_t in_band = of.of_instructions ? kWarp / of.lanes : 1, vector = of.of_instructions ? 1 : of.vector;
  const int64_t runs = registers_per_thread(of.layout) / of.vector;
  return {threads_, of.lanes, bands(operand), groups_.all_columns(of), in_band, vector, runs};
}

program::Statement FragmentValues::share(tile::ValueId sum, tile::ValueId parts) {
  return share_of(fragment(sum), parts);
}

// The sum whose parts the threads hold that share a row.
Statements FragmentValues::put_together(int target, tile::ValueId parts) {
  Binding own{};
  own.kind = SlotKind::element;
  own.fragment = fragment(parts);
  const FragmentPlan held = draft_.plan.fragments[static_cast<size_t>(own.fragment)];
  const TypedPtr element = make_typed({}, held.dtype, {}, LocalUse{0, held.name});
  Statements out;
  out.push_back({"", false, Elementwise{target, {{target, element, {own}, heading()}}}});
  out.push_back(share_of(target, parts));
  return out;
}

// Whose columns are reduced by themselves: of each group of lanes, in accumulators of each warp and 64 rows.
Number FragmentValues::bands(const Form& form) {
  if (!forms_.by_instructions(form)) return quotient(threads_, named_lanes(draft_, forms_.matrix_of(form)->lanes));
  const Number warps = quotient(threads_, number(kWarp));
  const int64_t parts = groups_.rows(*forms_.matrix_of(form)).value / draft_.target->mma_rows;
  return parts == 1 ? warps : product(warps, number(parts));
}

namespace {

// The reduction, scan or choice of a column; `own`: of each thread's elements alone.
ReduceFragment without_tile(int target, int source, const Apply& apply, bool own, std::string quoted) {
  const std::optional<int64_t> column = picked_column(apply);
  ReduceFragment reduce{target, source, column ? apply.op : *combination(apply.op), reduces_rows(apply) ? 1 : 0};
  reduce.quoted = std::move(quoted);
  if (own) reduce.part = program::ReducePart::own;
  if (is_scan(apply.op)) reduce.part = program::ReducePart::running;
  if (column) reduce.part = program::ReducePart::picked, reduce.column = *column;
  return reduce;
}

}  // namespace

void FragmentValues::reduce_into(int target, const Apply& apply, Statements& out, bool own) {
  const FragmentPlan result = draft_.plan.fragments[static_cast<size_t>(target)];
  const int source = operand_of(apply, result.dtype, draft_.names().derived(result.name + "_terms"), out);
  ReduceFragment reduce = without_tile(target, source, apply, own, heading());
  if (!own) partials_.choose_way(draft_, reduce, sharing(*forms_.operand_of(apply)));
  out.push_back({"", false, std::move(reduce)});
}

int FragmentValues::operand_of(const Apply& apply, DType dtype, const std::string& name, Statements& out) {
  const TypedPtr& operand = apply.args[0];
  const Form form = *forms_.operand_of(apply);
  if (const auto* use = operand->as<LocalUse>(); use && operand->dtype == dtype) return fragment({use->id});
  const int source = add_fragment(name, dtype, form, operand->shape);
  out.push_back({"", false, DeclareFragment{source}});
  std::optional<ElementValue> of = element(cast_to(operand, dtype), operand->shape, {form, source}, out);
  PALLASGEN_ASSERT(of, operand->span);
  out.push_back({"", false, Elementwise{source, {{source, of->value, of->bindings, heading()}}}});
  return source;
}

}  // namespace pallasgen
