// Elements that take a loop of their own.
#include "elements/loops.h"

#include <algorithm>

#include "elements/expressions.h"
#include "expression/index_map.h"
#include "program/index_terms.h"
#include "proofs/reductions.h"

namespace pallasgen {

using namespace program;

namespace {

const char* result_name(Op op) {
  switch (op) {
    case Op::any:
      return "any";
    case Op::all:
      return "all";
    case Op::max:
    case Op::argmax:
    case Op::cummax:
      return "largest";
    case Op::min:
    case Op::argmin:
      return "smallest";
    case Op::prod:
      return "product";
    case Op::dot:
      return "dot";
    default:
      return "sum";
  }
}

}  // namespace

ElementLoops::Reduction ElementLoops::totals(const TypedPtr& node, const Apply& apply, int total) {
  Reduction reduction;
  const bool finds = is_position(apply.op);
  reduction.dtype = finds ? apply.args[0]->dtype : accumulator(apply.op, node->dtype);
  reduction.total = total >= 0 ? total : walk_.add_scalar(walk_.names_for(result_name(apply.op)), reduction.dtype);
  if (finds) reduction.position = walk_.add_scalar({"position"}, node->dtype);
  return reduction;
}

void ElementLoops::add_terms(Reduction& reduction, const TypedPtr& node, const Apply& apply, const Coordinates& at) {
  const TypedPtr& operand = apply.args[0];
  const std::vector<int> kept = reduction_map(*node)->result_dims();
  for (size_t d = 0; d < kept.size(); ++d) {
    if (kept[d] >= 0) {
      reduction.inner.push_back(at[static_cast<size_t>(kept[d])]);
      continue;
    }
    const std::string name = walk_.names.along(d, kept.size());
    reduction.inner.push_back(operand->shape[d] == 1 ? index_constant(0) : variable(name));
    walk_.extents[name] = operand->shape[d];
    reduction.length *= operand->shape[d];
    if (operand->shape[d] != 1) reduction.dims.push_back(d);
  }
  Statements& body = reduction.term;
  std::vector<Binding> bindings;
  ElementSite turn{body, bindings};
  const TypedPtr value = expressions_.element(operand, reduction.inner, turn);
  if (reduction.position >= 0) return add_candidate(reduction, node, apply, value, std::move(bindings));
  const TypedPtr total = bind_scalar(draft_.plan, reduction.total, node->span, turn);
  const TypedPtr sum =
      scalar_apply(node->span, combining(apply.op), reduction.dtype, {total, cast_to(value, reduction.dtype)});
  body.push_back(set_scalar(reduction.total, sum, bindings, false, false));
}

// For argmax and argmin: the first NaN wins over all others, then the first of the greatest (least) elements.
void ElementLoops::add_candidate(Reduction& reduction, const TypedPtr& node, const Apply& apply, const TypedPtr& value,
                                 std::vector<Binding> bindings) {
  const DType dtype = reduction.dtype;
  Statements& body = reduction.term;
  const int candidate = walk_.add_scalar({"candidate", "x"}, dtype);
  body.push_back(set_scalar(candidate, value, std::move(bindings), true, true));
  If wins{};
  ElementSite test{body, wins.bindings};
  const TypedPtr x = bind_scalar(draft_.plan, candidate, node->span, test),
                 known = bind_scalar(draft_.plan, reduction.total, node->span, test);
  wins.condition =
      scalar_apply(node->span, apply.op == Op::argmax ? Op::greater : Op::less, DType::boolean, {x, known});
  if (info(dtype).is_float) {
    const TypedPtr nan = scalar_apply(node->span, Op::isnan, DType::boolean, {x});
    const TypedPtr fresh = scalar_apply(node->span, Op::logical_not, DType::boolean,
                                        {scalar_apply(node->span, Op::isnan, DType::boolean, {known})});
    const TypedPtr first = scalar_apply(node->span, Op::logical_and, DType::boolean, {nan, fresh});
    wins.condition = scalar_apply(node->span, Op::logical_or, DType::boolean, {wins.condition, first});
  }
  std::vector<Binding> of_candidate;
  ElementSite taken{body, of_candidate};
  const TypedPtr winner = bind_scalar(draft_.plan, candidate, node->span, taken);
  wins.then.push_back(set_scalar(reduction.total, winner, of_candidate, false, false));
  const TypedPtr place = reduction.inner[static_cast<size_t>(apply.attributes.axes.at(0))];
  wins.then.push_back(
      set_scalar(reduction.position, scalar_apply(node->span, Op::cast, node->dtype, {place}), {}, false, false));
  body.push_back({"", false, std::move(wins)});
}

void ElementLoops::start(const Reduction& reduction, const TypedPtr& node, const Apply& apply, Statements& out) {
  out.push_back(set_scalar(reduction.total, neutral(apply.op, reduction.dtype), {}, true, false));
  if (reduction.position >= 0)
    out.push_back(set_scalar(reduction.position, typed_constant(node->dtype, int64_t{0}), {}, true, false));
}

TypedPtr ElementLoops::result_of(const Reduction& reduction, const TypedPtr& node, const Apply& apply,
                                 ElementSite& site) const {
  if (reduction.position >= 0) return bind_scalar(draft_.plan, reduction.position, node->span, site);
  return result_of_total(reduction, node, apply, bind_scalar(draft_.plan, reduction.total, node->span, site));
}

TypedPtr ElementLoops::result_of_total(const Reduction& reduction, const TypedPtr& node, const Apply& apply,
                                       TypedPtr result) {
  if (apply.op == Op::mean) {
    const TypedPtr length = typed_constant(reduction.dtype, static_cast<double>(reduction.length));
    result = scalar_apply(node->span, Op::divide, reduction.dtype, {result, length});
  }
  return cast_to(result, node->dtype);
}

TypedPtr ElementLoops::reduction(const TypedPtr& node, const Apply& apply, const Coordinates& at, ElementSite& site) {
  Reduction reduction = totals(node, apply);
  // A single term has no loop around it, and its names live as long as the total.
  std::optional<NameScope> scope;
  for (const int64_t dim : reduction_map(*node)->dropped()) {
    if (apply.args[0]->shape[static_cast<size_t>(dim)] != 1 && !scope) scope.emplace(walk_.names);
  }
  add_terms(reduction, node, apply, at);
  Statements body = std::move(reduction.term);
  for (size_t i = reduction.dims.size(); i-- > 0;) {
    const size_t dim = reduction.dims[i];
    Statements outer;
    outer.push_back(
        loop_along(reduction.inner[dim]->as<Symbol>()->name, sources_.size_of(apply.args[0], dim), std::move(body)));
    body = std::move(outer);
  }
  start(reduction, node, apply, site.before);
  for (Statement& statement : body) site.before.push_back(std::move(statement));
  return result_of(reduction, node, apply, site);
}

namespace {

// Returns x rounded to tf32, as instructions take it: a cast within f32.
TypedPtr as_tf32(const TypedPtr& x) {
  OpAttributes attributes;
  attributes.precision = "tf32";
  return make_typed(x->span, DType::f32, {}, Apply{Op::cast, {x}, std::move(attributes)});
}

}  // namespace

TypedPtr ElementLoops::dot(const TypedPtr& node, const Apply& apply, const Coordinates& at, const TypedPtr& start,
                           const Coordinates& start_at, ElementSite& site) {
  const DType wide = accumulator(Op::dot, node->dtype);
  TypedPtr first = neutral(Op::sum, wide);
  std::vector<Binding> first_bindings;
  ElementSite before_loop{site.before, first_bindings};
  if (start) {
    first = cast_to(expressions_.element(start, start_at, before_loop), wide);
  }
  const int total = walk_.add_scalar(walk_.names_for(result_name(Op::dot)), wide);
  const NameScope scope(walk_.names);
  const TypedPtr& a = apply.args[0];
  const TypedPtr& b = apply.args[1];
  const size_t rank = at.size();
  const size_t depth_of_a = a->shape.size() - (apply.attributes.trans_a ? 2 : 1);
  const int64_t depth = a->shape[depth_of_a];
  const std::string name = walk_.names.take({"k", "kk"});
  walk_.extents[name] = depth;
  const auto operand_at = [&](const TypedPtr& operand, bool transposed, const TypedPtr& row, const TypedPtr& column) {
    Coordinates inner;
    for (size_t i = 0; i + 2 < operand->shape.size(); ++i) {
      inner.push_back(operand->shape[i] == 1 ? index_constant(0) : at[i + rank - operand->shape.size()]);
    }
    inner.push_back(transposed ? column : row);
    inner.push_back(transposed ? row : column);
    return inner;
  };
  Statements body;
  std::vector<Binding> bindings;
  ElementSite turn{body, bindings};
  const auto operand_of = [&](const TypedPtr& operand, const Coordinates& inner) -> TypedPtr {
    return cast_to(expressions_.element(operand, inner, turn), wide);
  };
  const TypedPtr k = variable(name);
  TypedPtr x = operand_of(a, operand_at(a, apply.attributes.trans_a, at[rank - 2], k));
  TypedPtr y = operand_of(b, operand_at(b, apply.attributes.trans_b, k, at[rank - 1]));
  if (apply.attributes.precision == "tf32") x = as_tf32(x), y = as_tf32(y);
  const TypedPtr before = bind_scalar(draft_.plan, total, node->span, turn);
  const TypedPtr sum =
      info(wide).is_float
          ? scalar_apply(node->span, Op::fma, wide, {x, y, before})
          : scalar_apply(node->span, Op::add, wide, {before, scalar_apply(node->span, Op::multiply, wide, {x, y})});
  body.push_back(set_scalar(total, sum, bindings, false, false));
  site.before.push_back(set_scalar(total, first, first_bindings, true, false));
  site.before.push_back(loop_along(name, sources_.size_of(a, depth_of_a), std::move(body)));
  return cast_to(bind_scalar(draft_.plan, total, node->span, site), node->dtype);
}

void ElementLoops::scan(const TypedPtr& node, const Apply& apply, int field) {
  const TypedPtr& operand = apply.args[0];
  const size_t axis = static_cast<size_t>(apply.attributes.axes.at(0));
  const DType wide = accumulator(apply.op, node->dtype);
  const NameScope scope(walk_.names);
  ElementLoop lines;
  Coordinates at;
  std::string name;
  for (size_t d = 0; d < node->shape.size(); ++d) {
    const std::string along = walk_.names.along(d, node->shape.size());
    walk_.extents[along] = node->shape[d];
    at.push_back(variable(along));
    if (d == axis) {
      name = along;
      continue;
    }
    lines.coordinates.push_back(along);
    lines.shape.push_back(sources_.size_of(node, d));
  }
  Statements line, body;
  const int total = walk_.add_scalar(walk_.names_for(result_name(apply.op)), wide);
  std::vector<Binding> bindings, stored;
  ElementSite turn{body, bindings};
  const TypedPtr value = expressions_.element(operand, at, turn);
  const TypedPtr sum = scalar_apply(node->span, combining(apply.op), wide,
                                    {bind_scalar(draft_.plan, total, node->span, turn), cast_to(value, wide)});
  body.push_back(set_scalar(total, sum, bindings, false, false));
  StoreElement store{};
  store.field = field;
  store.index = at;
  ElementSite last{body, store.bindings};
  store.value = cast_to(bind_scalar(draft_.plan, total, node->span, last), node->dtype);
  body.push_back({"", false, std::move(store)});
  line.push_back(set_scalar(total, neutral(apply.op, wide), {}, true, false));
  line.push_back(loop_along(name, sources_.size_of(node, axis), std::move(body)));
  walk_.body->push_back(for_elements(lines, std::move(line)));
}

void ElementLoops::fill_tile(int field, const TypedPtr& value) {
  const std::vector<Number> sizes = sources_.sizes_of_tile(field);
  const NameScope scope(walk_.names);
  const ElementLoop elements = walk_.loop_over(sizes, value);
  Shape shape;
  for (const Number& size : sizes) shape.push_back(size.value);
  Statements body;
  StoreElement store{};
  store.field = field;
  store.index = elements.at;
  ElementSite site{body, store.bindings};
  store.value = expressions_.element_of(value, shape, elements.at, site);
  body.push_back({"", false, std::move(store)});
  walk_.add_stores(elements, std::move(body));
}

}  // namespace pallasgen
