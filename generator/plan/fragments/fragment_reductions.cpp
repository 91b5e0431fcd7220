// Reductions of fragments: along rows and columns, and of parts that threads hold.
#include <algorithm>

#include "diagnostics/assert.h"
#include "fragments/fragment_values.h"
#include "layout/warps.h"
#include "program/index_terms.h"
#include "program/numbers.h"
#include "proofs/box_access.h"
#include "proofs/element_site.h"
#include "proofs/reductions.h"
#include "questions/rows.h"
#include "tile/walk.h"

namespace pallasgen {

using program::Binding, program::DeclareFragment, program::Elementwise, program::ReduceFragment, program::SlotKind,
    program::Statements;

namespace {

// Returns how many elements of the operand become one, as the name of the size if it has one.
TypedPtr named_size(const Draft& draft, const Apply& reduction, DType dtype) {
  const Shape& shape = reduction.args[0]->shape;
  const std::vector<int64_t>& axes = reduction.attributes.axes;
  const std::vector<Number> sizes = sizes_of(draft, shape);
  int64_t elements = 1;
  std::string name;
  for (size_t d = 0; d < shape.size(); ++d) {
    const bool reduced = axes.empty() || std::find(axes.begin(), axes.end(), static_cast<int64_t>(d)) != axes.end();
    if (!reduced || shape[d] == 1) continue;
    name = elements == 1 ? sizes[d].text : "";
    elements *= shape[d];
  }
  const bool named = !name.empty() && name != std::to_string(elements);
  if (named) return cast_to(variable(name), dtype);
  return typed_constant(dtype, info(dtype).is_float ? Scalar(static_cast<double>(elements)) : Scalar(elements));
}

}  // namespace

program::Statement divided(const Draft& draft, int target, int sum, const Apply& mean, std::string quoted) {
  const FragmentPlan& total = draft.plan.fragments[static_cast<size_t>(sum)];
  const TypedPtr terms = named_size(draft, mean, total.dtype);
  const TypedPtr value = make_typed(
      {}, total.dtype, {}, Apply{Op::divide, {make_typed({}, total.dtype, {}, LocalUse{0, total.name}), terms}, {}});
  Binding binding{};
  binding.kind = SlotKind::element;
  binding.fragment = sum;
  return {"", false, Elementwise{target, {{target, value, {binding}, std::move(quoted)}}}};
}

Leaf FragmentValues::reduced(const TypedPtr& node, Statements& before) {
  const Apply& apply = *node->as<Apply>();
  const auto [known, added] = known_.try_emplace(node.get(), 0);
  if (added) {
    const Form form = forms_.result_of(apply, node->shape);
    int target = combined(apply, node->dtype, node->shape, terms_.count(node.get()) > 0, before);
    if (apply.op == Op::mean) {
      const int sum = target;
      target = add_fragment(names_.of_reduction(apply, "mean", target_),
                            draft_.plan.fragments[static_cast<size_t>(sum)].dtype, form, {});
      before.push_back({"", false, DeclareFragment{target}});
      before.push_back(divided(draft_, target, sum, apply, heading()));
    }
    known->second = add_made(target, form);
  }
  const int id = known->second;
  const FragmentPlan& result = draft_.plan.fragments[static_cast<size_t>(made_.at(id).first)];
  const TypedPtr use = make_typed(node->span, result.dtype, node->shape, LocalUse{id, result.name});
  return Leaf{cast_to(use, node->dtype)};
}

int FragmentValues::add_made(int fragment, const Form& form) {
  const int id = -1 - static_cast<int>(made_.size());
  made_[id] = {fragment, form};
  return id;
}

int FragmentValues::combined(const Apply& apply, DType dtype, const Shape& shape, bool own, Statements& before) {
  const std::string name(picked_column(apply) ? "picked" : operation(apply.op).name);
  const int target = add_fragment(names_.of_reduction(apply, apply.op == Op::mean ? "sum" : name, target_),
                                  accumulator(apply.op, dtype), forms_.result_of(apply, shape), shape);
  Statements made;
  made.push_back({"", false, DeclareFragment{target}});
  reduce_into(target, apply, made, own);
  // The declaration moves to directly before the reduction, after the statements that compute the operand.
  std::rotate(made.begin(), made.begin() + 1, made.end() - 1);
  std::move(made.begin(), made.end(), std::back_inserter(before));
  return target;
}

program::Statement FragmentValues::share_of(int target, tile::ValueId parts) {
  ReduceFragment share{target, target, program_.value(parts).parts.value(), 1};
  share.part = program::ReducePart::lanes;
  partials_.choose_combination(draft_, share, sharing(form(parts)));
  return {"", false, std::move(share)};
}

namespace {

// A band of rows belongs to a group of lanes; in accumulators, to a warp, which has one for each block of 64 rows.
PartialTiles::Sharing sharing_of(const Draft& draft, const FormMatrix& of, const Number& threads, int64_t warpgroups,
                                 GroupParts& groups) {
  const Number columns = groups.all_columns(of);
  const int64_t runs = registers_per_thread(of.layout) / of.vector;
  if (!of.of_instructions) {
    const Number bands = quotient(threads, named_lanes(draft, of.lanes));
    return {threads, of.lanes, bands, groups.all_rows(of), columns, 1, of.vector, runs, 1, 0};
  }
  const Number warps = of.across ? number(kWarpsOfGroup) : quotient(threads, number(kWarp));
  const int64_t parts = groups.rows(of).value / draft.target->mma_rows;  // blocks in which a thread has two rows each
  const Number bands = parts == 1 ? warps : product(warps, number(parts));
  return {threads,  of.lanes, bands, number(0), columns, kWarp / of.lanes, 1, runs, of.across ? warpgroups : 1,
          2 * parts};
}

}  // namespace

PartialTiles::Sharing FragmentValues::sharing(const Form& operand) {
  return sharing_of(draft_, *forms_.matrix_of(operand), threads_, count_, groups_);
}

program::Statement FragmentValues::share(tile::ValueId sum, tile::ValueId parts) {
  return share_of(fragment(sum), parts);
}

// Copies the threads' own parts to `target`, where those of the threads that share a row are combined.
Statements FragmentValues::combine_parts(int target, tile::ValueId parts) {
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

namespace {

// Returns the reduction, scan or choice of a column, without a field; `own`: of each thread's elements alone.
ReduceFragment without_tile(int target, int source, const Apply& apply, bool own, std::string quoted) {
  const std::optional<int64_t> column = picked_column(apply);
  ReduceFragment reduce{target, source, column ? apply.op : *combination(apply.op), reduces_rows(apply) ? 1 : 0};
  reduce.quoted = std::move(quoted);
  if (own) reduce.part = program::ReducePart::own;
  if (is_scan(apply.op)) reduce.part = program::ReducePart::running;
  if (column) {
    reduce.part = program::ReducePart::picked;
    reduce.column = number_of(std::get<IndexInteger>(apply.attributes.items.back()).value, *column);
  }
  return reduce;
}

}  // namespace

namespace {

// Returns the place of an element that equals the best one or is NaN, which equals nothing; else the size of the axis.
TypedPtr place_of_best(const Draft& draft, const Apply& position, DType dtype, const TypedPtr& x,
                       const TypedPtr& best) {
  const Shape& shape = position.args[0]->shape;
  const auto of_all = [&](Op op, DType of, std::vector<TypedPtr> args) {
    return make_typed({}, of, shape, Apply{op, std::move(args), {}});
  };
  TypedPtr is_best = of_all(Op::equal, DType::boolean, {x, best});
  if (info(x->dtype).is_float)
    is_best = of_all(Op::logical_or, DType::boolean, {is_best, of_all(Op::isnan, DType::boolean, {x})});
  OpAttributes along;
  along.axes = position.attributes.axes;
  const TypedPtr place = make_typed({}, dtype, shape, Apply{Op::iota, {}, along});
  return of_all(Op::where, dtype, {is_best, place, named_size(draft, position, dtype)});
}

constexpr int kWordBits = 32;  // of a register, in which unpack_again() takes elements

}  // namespace

// Finds the best element, and then the least place of the elements that equal it.
void FragmentValues::find_position_into(int target, const Apply& apply, Statements& out) {
  const bool finds_largest = apply.op == Op::argmax;
  const TypedPtr& operand = apply.args[0];
  const FragmentPlan position = draft_.plan.fragments[static_cast<size_t>(target)];
  const Form form = *forms_.operand_of(apply);
  const auto use = [&](int fragment, const Form& of, const Shape& shape) {
    const FragmentPlan& held = draft_.plan.fragments[static_cast<size_t>(fragment)];
    return make_typed({}, held.dtype, shape, LocalUse{add_made(fragment, of), held.name});
  };
  Apply best{finds_largest ? Op::max : Op::min, apply.args, apply.attributes};
  best.attributes.keepdims = true;
  Shape of_best = operand->shape;
  of_best[static_cast<size_t>(apply.attributes.axes.at(0))] = 1;
  const int source = operand_of(apply, operand->dtype, draft_.names().derived(position.name + "_of"), out);
  const Form lines = forms_.result_of(best, of_best);
  const int known =
      add_fragment(draft_.names().derived(finds_largest ? "largest" : "least"), operand->dtype, lines, of_best);
  out.push_back({"", false, DeclareFragment{known}});
  ReduceFragment reduce = without_tile(known, source, best, false, heading());
  const PartialTiles::Sharing shared = sharing(form);
  partials_.choose_combination(draft_, reduce, shared);
  out.push_back({"", false, std::move(reduce)});

  // Otherwise compilers keep the elements that the first reduction has unpacked, in registers of their own.
  if (info(operand->dtype).bits <= kWordBits) out.push_back({"", false, program::UnpackAgain{source}});

  const Shape& shape = operand->shape;
  const TypedPtr place =
      place_of_best(draft_, apply, position.dtype, use(source, form, shape), use(known, lines, of_best));
  const int places = add_fragment(draft_.names().derived(position.name + "_places"), position.dtype, form, shape);
  out.push_back({"", false, DeclareFragment{places}});
  std::optional<ElementValue> of = element(place, shape, {form, places}, out);
  PALLASGEN_ASSERT(of, operand->span);
  out.push_back({"", false, Elementwise{places, {{places, of->value, of->bindings, {}}}}});
  Apply first{Op::min, apply.args, apply.attributes};
  ReduceFragment find = without_tile(target, places, first, false, {});
  partials_.choose_combination(draft_, find, shared);
  out.push_back({"", false, std::move(find)});
}

void FragmentValues::reduce_into(int target, const Apply& apply, Statements& out, bool own) {
  if (is_position(apply.op)) return find_position_into(target, apply, out);
  const FragmentPlan result = draft_.plan.fragments[static_cast<size_t>(target)];
  const int source = operand_of(apply, result.dtype, draft_.names().derived(result.name + "_terms"), out);
  ReduceFragment reduce = without_tile(target, source, apply, own, heading());
  const PartialTiles::Sharing shared = sharing(*forms_.operand_of(apply));
  if (!own || shared.across > 1) partials_.choose_combination(draft_, reduce, shared);
  out.push_back({"", false, std::move(reduce)});
}

int FragmentValues::operand_of(const Apply& apply, DType dtype, const std::string& name, Statements& out) {
  const TypedPtr& operand = apply.args[0];
  const Form form = *forms_.operand_of(apply);
  if (const auto* use = operand->as<LocalUse>(); use && operand->dtype == dtype) return fragment({use->id});
  const int source = add_fragment(name, dtype, form, operand->shape);
  std::optional<ElementValue> of = element(cast_to(operand, dtype), operand->shape, {form, source}, out);
  out.push_back({"", false, DeclareFragment{source}});
  PALLASGEN_ASSERT(of, operand->span);
  out.push_back({"", false, Elementwise{source, {{source, of->value, of->bindings, heading()}}}});
  return source;
}

}  // namespace pallasgen
