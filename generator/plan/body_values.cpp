// Values of a body in fragments: element by element, and reduced along rows.
#include <fmt/format.h>

#include <algorithm>

#include "block_access.h"
#include "body_planner.h"
#include "diagnostics/assert.h"
#include "reductions.h"

namespace pallasgen {

using namespace program;

namespace {

bool is_reduction(const Typed& node) {
  const Apply* apply = node.as<Apply>();
  return apply && operation(apply->op).group == OpGroup::reduce;
}

}  // namespace

BoundLeaf BodyPlanner::slot(SlotKind kind, int fragment) const {
  Binding binding{};
  binding.kind = kind;
  binding.fragment = fragment;
  return {binding, draft_.plan.fragments[fragment].name};
}

int BodyPlanner::declare(const std::string& name, DType dtype, const Loop& loop, bool persistent) {
  const int fragment = reads_.add_fragment(name, dtype, loop);
  fragment_registers_[fragment] = reads_.registers(fragment);
  loops_[fragment] = loop;
  (persistent ? out_.before : *section_).declarations.push_back({"", false, DeclareFragment{fragment}});
  return fragment;
}

std::optional<Loop> BodyPlanner::loop_of_binding(const TypedPtr& value) const {
  const LoopKind kind = reads_.kind_of(value->shape);
  if (kind != LoopKind::strided) {
    // Scalars are written in place unless they come from the block.
    bool computed = !value->shape.empty();
    walk(value, [&](const Typed& node) {
      const LocalUse* use = node.as<LocalUse>();
      computed = computed || is_reduction(node) || (use && locals_.at(use->id).fragment >= 0);
    });
    return computed ? std::optional(reads_.loop_of_kind(kind)) : std::nullopt;
  }
  const auto stored = std::find_if(stores_.begin(), stores_.end(),
                                   [&](const auto& entry) { return draft_.ref(entry.first).shape == value->shape; });
  if (value->shape.empty() || stored == stores_.end()) return std::nullopt;
  return reads_.loop_of(stored->first);
}

bool BodyPlanner::compute(int target, const TypedPtr& value, const Shape& shape, const Loop& loop) {
  bool narrow = false;
  walk(value, [&](const Typed& node) { narrow |= info(node.dtype).is_float && info(node.dtype).bits < 16; });
  if (narrow) {
    draft_.refuse(kPlanBody, value->span, "floats of less than 16 bits are not planned yet").note("f16 and bf16 work");
    return false;
  }
  const TypedPtr here = at_place(value);
  const Apply* apply = here->as<Apply>();
  if (apply && is_reduction(*here) && loop.kind == LoopKind::rows && apply->op != Op::mean && combination(apply->op) &&
      reduces_rows(*apply) && accumulator(apply->op, here->dtype) == draft_.plan.fragments[target].dtype)
    return reduce_into(target, *apply);
  ElementContext context{draft_,
                         [&](const TypedPtr& leaf, const std::vector<int>& dims) { return bind(leaf, dims, loop); },
                         [&](int dim) {
                           Binding binding{};
                           binding.kind = SlotKind::coordinate;
                           binding.dim = dim;
                           binding.offset = dim == 0 ? reads_.row_offset() : nullptr;
                           return BoundLeaf{binding, "coordinate"};
                         },
                         [&](const TypedPtr& node) { return reduction(node); },
                         [&](int ref, const std::vector<TypedPtr>& at) { return inside(ref, at); }};
  const std::vector<int> along = loop.dims_of(shape);
  std::vector<int> dims = broadcast_dims(value->shape, shape);
  for (int& dim : dims) dim = dim < 0 ? dim : along[dim];
  std::optional<ElementValue> element = element_value(here, dims, context);
  if (!element) return false;
  ElementwiseStatement statement{target, element->value, element->bindings, heading()};
  Elementwise* last = section_->body.empty() ? nullptr : std::get_if<Elementwise>(&section_->body.back().node);
  // A statement of a body that reduces rows is a paragraph.
  const bool joins = !frame_.rows || statement.quoted.empty();
  if (last && joins && draft_.plan.fragments[last->layout_of].layout == draft_.plan.fragments[target].layout) {
    last->statements.push_back(std::move(statement));
  } else {
    section_->body.push_back({"", false, Elementwise{target, {std::move(statement)}}});
  }
  return true;
}

TypedPtr BodyPlanner::inside(int ref, const std::vector<TypedPtr>& at) const {
  SymbolFacts facts = draft_.facts;
  // Coordinates of a block lie inside the block.
  const auto extent = [this, ref, at](const Symbol& symbol) -> std::optional<int64_t> {
    for (size_t d = 0; d < at.size(); ++d) {
      const Symbol* coordinate = at[d]->as<Symbol>();
      if (coordinate && symbol.kind == SymbolKind::loop && symbol.name == coordinate->name)
        return draft_.ref(ref).shape[d];
    }
    return std::nullopt;
  };
  facts.minimum = [extent, known = facts.minimum](const Symbol& symbol) {
    return extent(symbol) ? std::optional<int64_t>(0) : known(symbol);
  };
  facts.maximum = [extent, known = facts.maximum](const Symbol& symbol) {
    const std::optional<int64_t> size = extent(symbol);
    return size ? std::optional<int64_t>(*size - 1) : known(symbol);
  };
  const TypedPtr condition = inside_condition(draft_, ref, array_place(draft_, ref, at, place_, facts), facts);
  return condition ? condition : make_typed({}, DType::boolean, {}, Constant{true, {}});
}

std::optional<Leaf> BodyPlanner::bind(const TypedPtr& leaf, const std::vector<int>& dims, const Loop& loop) {
  if (const LocalUse* use = leaf->as<LocalUse>()) {
    const Local& local = locals_.at(use->id);
    if (local.fragment >= 0) {
      if (const auto kind = slot_kind(loops_.at(local.fragment), leaf->shape, dims, loop))
        return slot(*kind, local.fragment);
    }
    bool changed = false;
    walk(local.value, [&](const Typed& node) {
      const RefRead* read = node.as<RefRead>();
      changed = changed || (local.left && read && draft_.ref(read->ref).role != RefRole::input);
    });
    if (local.value && !changed) return Leaf{local.value};
    draft_.refuse(kPlanBody, leaf->span,
                  changed
                      ? fmt::format("'{}' after the steps, which change what it read, is not planned yet", use->name)
                      : "a reduction that does not run along the rows of what it is used in is not planned yet");
    return std::nullopt;
  }
  const RefRead& read = *leaf->as<RefRead>();
  const Ref& ref = draft_.ref(read.ref);
  if (ref.role == RefRole::input) return bind_input(leaf, read, dims, loop);
  std::optional<SlotKind> kind;
  if (fragments_.count(read.ref) && written_.count(read.ref) && read_is_whole(kernel_, read))
    kind = slot_kind(loops_.at(fragments_[read.ref]), leaf->shape, dims, loop);
  if (kind) return slot(*kind, fragments_[read.ref]);
  draft_.refuse(kPlanBody, leaf->span,
                fmt::format("reading '{}' {} is not planned yet", ref.name,
                            written_.count(read.ref) ? "in part or transposed" : "before the body has written it"));
  return std::nullopt;
}

std::optional<Leaf> BodyPlanner::bind_input(const TypedPtr& leaf, const RefRead& read, const std::vector<int>& dims,
                                            const Loop& loop) {
  // What has a value per row or per column of the matrix is held so.
  Loop held = loop;
  SlotKind kind = SlotKind::element;
  if (loop.kind == LoopKind::matrix && slot_kind(loop, leaf->shape, dims, loop) != SlotKind::element) {
    for (LoopKind slice : {LoopKind::rows, LoopKind::columns}) {
      const Loop candidate = reads_.loop_of_kind(slice);
      const auto found = slot_kind(candidate, leaf->shape, dims, loop);
      if (found) held = candidate, kind = *found;
    }
  }
  std::vector<int> along = dims;
  if (kind != SlotKind::element) {
    for (size_t d = 0; d < along.size(); ++d) along[d] = leaf->shape[d] == 1 ? -1 : 0;
  }
  const std::optional<int> fragment = reads_.load(leaf, read, along, held, place_, *section_);
  if (!fragment) return std::nullopt;
  if (fragment_registers_.emplace(*fragment, reads_.registers(*fragment)).second) {
    loops_[*fragment] = held;
    out_.bytes += bytes_of(draft_.ref(read.ref).dtype, held.elements());
  }
  return slot(kind, *fragment);
}

std::optional<Leaf> BodyPlanner::reduction(const TypedPtr& node) {
  const Apply& apply = *node->as<Apply>();
  const std::string name(operation(apply.op).name);
  if (!frame_.rows || !combination(apply.op) || !reduces_rows(apply) ||
      reads_.kind_of(apply.args[0]->shape) != LoopKind::matrix) {
    draft_.refuse(kPlanBody, node->span, fmt::format("'{}' is not planned yet in registers", name));
    return std::nullopt;
  }
  auto known = reduced_.find(node);
  if (known == reduced_.end()) {
    const Loop rows = reads_.loop_of_kind(LoopKind::rows);
    const DType wide = accumulator(apply.op, node->dtype);
    int target = declare(apply.op == Op::mean ? "sum" : name, wide, rows);
    if (!reduce_into(target, apply)) return std::nullopt;
    if (apply.op == Op::mean) target = mean_of(target, rows);
    // Ids of the kernel's own names are not negative.
    const int id = -1 - unnamed_++;
    locals_[id] = {nullptr, {}, target};
    known = reduced_.emplace(node, id).first;
  }
  const FragmentPlan& result = draft_.plan.fragments[locals_.at(known->second).fragment];
  return Leaf{
      cast_to(make_typed(node->span, result.dtype, node->shape, LocalUse{known->second, result.name}), node->dtype)};
}

int BodyPlanner::mean_of(int sum, const Loop& rows) {
  const FragmentPlan total = draft_.plan.fragments[sum];
  const int mean = declare("mean", total.dtype, rows);
  const auto length = static_cast<double>(frame_.rows->columns.value);
  const TypedPtr divided = make_typed({}, total.dtype, {},
                                      Apply{Op::divide,
                                            {make_typed({}, total.dtype, {}, LocalUse{0, total.name}),
                                             make_typed({}, total.dtype, {}, Constant{length, {}})},
                                            {}});
  ElementwiseStatement statement{mean, divided, {slot(SlotKind::element, sum).binding}, heading()};
  section_->body.push_back({"", false, Elementwise{mean, {std::move(statement)}}});
  return mean;
}

bool BodyPlanner::reduce_into(int target, const Apply& apply) {
  const Loop matrix = reads_.loop_of_kind(LoopKind::matrix);
  const DType wide = draft_.plan.fragments[target].dtype;
  const TypedPtr& operand = apply.args[0];
  if (reads_.kind_of(operand->shape) != LoopKind::matrix) {
    draft_.refuse(
        kPlanBody, operand->span,
        fmt::format("'{}' of a block of another shape is not planned yet in registers", operation(apply.op).name));
    return false;
  }
  int source = -1;
  if (operand->dtype == wide && (operand->as<LocalUse>() || operand->as<RefRead>())) {
    const std::optional<Leaf> leaf = bind(operand, matrix.dims_of(operand->shape), matrix);
    if (!leaf) return false;
    const BoundLeaf* bound = std::get_if<BoundLeaf>(&*leaf);
    if (bound && bound->binding.kind == SlotKind::element) source = bound->binding.fragment;
  }
  if (source < 0) {
    const std::string name = draft_.names().derived(draft_.plan.fragments[target].name + "_terms");
    source = declare(name, wide, matrix);
    if (!compute(source, cast_to(operand, wide), operand->shape, matrix)) return false;
  }
  ReduceFragment reduce{target, source, *combination(apply.op), 1};
  if (frame_.rows->lanes > 32)
    reduce.field = partials_.next(draft_, wide, reads_.layout_of(reads_.loop_of_kind(LoopKind::rows)), frame_.threads,
                                  frame_.groups);
  reduce.quoted = heading();
  section_->body.push_back({"", false, std::move(reduce)});
  return true;
}

}  // namespace pallasgen
