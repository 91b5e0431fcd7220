// Elements that take a loop of their own: reductions, positions, products of matrices, running sums.
#include <algorithm>
#include <limits>
#include <numeric>

#include "diagnostics/assert.h"
#include "element_planner.h"

namespace pallasgen {

using namespace program;

namespace {

bool is_float(DType dtype) { return info(dtype).is_float; }

// The dtype in which elements are combined before the one rounding: f32 for floats of 16 bits and less.
DType accumulator(Op op, DType dtype) {
  const bool sums = op == Op::sum || op == Op::prod || op == Op::mean || op == Op::cumsum || op == Op::dot;
  return sums && is_float(dtype) && info(dtype).bits < 32 ? DType::f32 : dtype;
}

TypedPtr cast_to(const TypedPtr& value, DType dtype) {
  if (value->dtype == dtype) return value;
  return make_typed(value->span, dtype, value->shape, Apply{Op::cast, {value}, {}});
}

TypedPtr scalar_apply(Span span, Op op, DType dtype, std::vector<TypedPtr> args) {
  return make_typed(span, dtype, {}, Apply{op, std::move(args), {}});
}

int64_t lowest_integer(DType dtype) {
  const int bits = info(dtype).bits;
  return info(dtype).is_signed ? (bits == 64 ? INT64_MIN : -(int64_t{1} << (bits - 1))) : 0;
}

int64_t highest_integer(DType dtype) {
  const int bits = info(dtype).bits - (info(dtype).is_signed ? 1 : 0);
  return bits >= 64 ? -1 : static_cast<int64_t>((uint64_t{1} << bits) - 1);  // u64 by its bits
}

// What combining starts from: the value that changes nothing.
TypedPtr neutral(Op op, DType dtype) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  switch (op) {
    case Op::any:
      return typed_constant(DType::boolean, false);
    case Op::all:
      return typed_constant(DType::boolean, true);
    case Op::max:
    case Op::argmax:
    case Op::cummax:
      if (dtype == DType::f8e8m0) return typed_constant(dtype, 0x1p-127);  // it has no sign
      return typed_constant(dtype, is_float(dtype) ? Scalar(-kInfinity) : Scalar(lowest_integer(dtype)));
    case Op::min:
    case Op::argmin:
      return typed_constant(dtype, is_float(dtype) ? Scalar(kInfinity) : Scalar(highest_integer(dtype)));
    case Op::prod:
      return typed_constant(dtype, is_float(dtype) ? Scalar(1.0) : Scalar(int64_t{1}));
    default:
      return typed_constant(dtype, is_float(dtype) ? Scalar(0.0) : Scalar(int64_t{0}));
  }
}

Op combining(Op op) {
  switch (op) {
    case Op::any:
      return Op::logical_or;
    case Op::all:
      return Op::logical_and;
    case Op::max:
    case Op::cummax:
      return Op::maximum;
    case Op::min:
      return Op::minimum;
    case Op::prod:
      return Op::multiply;
    default:
      return Op::add;
  }
}

const char* name_of_result(Op op) {
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

std::vector<bool> reduced_dims(const Apply& apply) {
  const std::vector<int64_t>& axes = apply.attributes.axes;
  std::vector<bool> reduced(apply.args[0]->shape.size(), axes.empty());
  for (int64_t axis : axes) reduced[static_cast<size_t>(axis)] = true;
  return reduced;
}

}  // namespace

Statement ElementPlanner::loop_along(const std::string& name, const Number& size, Statements body) const {
  ForRange loop{};
  loop.variable = name;
  loop.start = index_constant(0);
  loop.stop = to_index(size);
  loop.step = index_constant(1);
  loop.body = std::move(body);
  return {"", false, std::move(loop)};
}

TypedPtr ElementPlanner::reduction(const TypedPtr& node, const Apply& apply, const Coordinates& at, ElementSite& site) {
  const TypedPtr& operand = apply.args[0];
  const std::vector<bool> reduced = reduced_dims(apply);
  const DType wide = accumulator(apply.op, node->dtype);
  const int total = add_scalar(names_.take({name_of_result(apply.op)}), wide);
  const NameScope scope(names_);
  Coordinates inner;
  std::vector<size_t> dims;
  size_t next = 0;
  int64_t length = 1;
  for (size_t d = 0; d < reduced.size(); ++d) {
    if (!reduced[d]) {
      inner.push_back(at[next++]);
      continue;
    }
    const std::string name = names_.along(d, reduced.size());
    inner.push_back(operand->shape[d] == 1 ? index_constant(0) : variable(name));
    extents_[name] = operand->shape[d];
    if (apply.attributes.keepdims) ++next;
    length *= operand->shape[d];
    if (operand->shape[d] != 1) dims.push_back(d);
  }
  Statements body;
  std::vector<Binding> bindings;
  ElementSite turn{body, bindings, site.turns * length};
  TypedPtr value = element(operand, inner, turn);
  if (!value) return nullptr;
  value = cast_to(value, wide);
  const TypedPtr sum =
      scalar_apply(node->span, combining(apply.op), wide, {bind_scalar(total, node->span, turn), value});
  body.push_back(set_scalar(total, sum, bindings, false, false));
  for (size_t i = dims.size(); i-- > 0;) {
    Statements outer;
    const Symbol* name = inner[dims[i]]->as<Symbol>();
    outer.push_back(loop_along(name->name, size_of(operand, dims[i]), std::move(body)));
    body = std::move(outer);
  }
  site.before.push_back(set_scalar(total, neutral(apply.op, wide), {}, true, false));
  for (Statement& statement : body) site.before.push_back(std::move(statement));
  TypedPtr result = bind_scalar(total, node->span, site);
  if (apply.op == Op::mean)
    result = scalar_apply(node->span, Op::divide, wide, {result, typed_constant(wide, static_cast<double>(length))});
  return cast_to(result, node->dtype);
}

// argmax, argmin: NaN wins over all, then the greater (the less), the first of equals.
TypedPtr ElementPlanner::position(const TypedPtr& node, const Apply& apply, const Coordinates& at, ElementSite& site) {
  const TypedPtr& operand = apply.args[0];
  const size_t axis = static_cast<size_t>(apply.attributes.axes.at(0));
  const DType dtype = operand->dtype;
  const int best = add_scalar(names_.take({name_of_result(apply.op)}), dtype);
  const int where = add_scalar(names_.take({"position"}), node->dtype);
  const NameScope scope(names_);
  const std::string name = names_.along(axis, operand->shape.size());
  extents_[name] = operand->shape[axis];
  Coordinates inner = at;
  if (apply.attributes.keepdims)
    inner[axis] = variable(name);
  else
    inner.insert(inner.begin() + static_cast<ptrdiff_t>(axis), variable(name));
  Statements body;
  std::vector<Binding> bindings;
  ElementSite turn{body, bindings, site.turns * operand->shape[axis]};
  const TypedPtr value = element(operand, inner, turn);
  if (!value) return nullptr;
  const int candidate = add_scalar(names_.take({"candidate", "x"}), dtype);
  body.push_back(set_scalar(candidate, value, bindings, true, true));
  If wins{};
  ElementSite test{body, wins.bindings, turn.turns};
  const TypedPtr x = bind_scalar(candidate, node->span, test), known = bind_scalar(best, node->span, test);
  wins.condition =
      scalar_apply(node->span, apply.op == Op::argmax ? Op::greater : Op::less, DType::boolean, {x, known});
  if (is_float(dtype)) {
    const TypedPtr nan = scalar_apply(node->span, Op::isnan, DType::boolean, {x});
    const TypedPtr fresh = scalar_apply(node->span, Op::logical_not, DType::boolean,
                                        {scalar_apply(node->span, Op::isnan, DType::boolean, {known})});
    const TypedPtr first = scalar_apply(node->span, Op::logical_and, DType::boolean, {nan, fresh});
    wins.condition = scalar_apply(node->span, Op::logical_or, DType::boolean, {wins.condition, first});
  }
  std::vector<Binding> of_candidate;
  ElementSite taken{body, of_candidate, 1};
  const TypedPtr winner = bind_scalar(candidate, node->span, taken);
  wins.then.push_back(set_scalar(best, winner, of_candidate, false, false));
  wins.then.push_back(
      set_scalar(where, scalar_apply(node->span, Op::cast, node->dtype, {variable(name)}), {}, false, false));
  body.push_back({"", false, std::move(wins)});
  site.before.push_back(set_scalar(best, neutral(apply.op, dtype), {}, true, false));
  site.before.push_back(set_scalar(where, typed_constant(node->dtype, int64_t{0}), {}, true, false));
  site.before.push_back(loop_along(name, size_of(operand, axis), std::move(body)));
  return bind_scalar(where, node->span, site);
}

namespace {

// x rounded to tf32, 10 bits of mantissa, ties away from zero (PTX ISA 8.6, cvt.rna.tf32.f32).
TypedPtr rounded_to_tf32(const TypedPtr& x) {
  const auto bits = [&](Op op, const TypedPtr& value, int64_t with) {
    return scalar_apply(x->span, op, DType::u32, {value, typed_constant(DType::u32, with)});
  };
  const TypedPtr as_bits = scalar_apply(x->span, Op::bitcast, DType::u32, {x});
  return scalar_apply(x->span, Op::bitcast, DType::f32,
                      {bits(Op::bit_and, bits(Op::add, as_bits, 0x1000), 0xffffe000)});
}

}  // namespace

TypedPtr ElementPlanner::dot(const TypedPtr& node, const Apply& apply, const Coordinates& at, const TypedPtr& start,
                             const Coordinates& start_at, ElementSite& site) {
  const DType wide = accumulator(Op::dot, node->dtype);
  TypedPtr first = neutral(Op::sum, wide);
  std::vector<Binding> first_bindings;
  ElementSite before_loop{site.before, first_bindings, site.turns};
  if (start) {
    first = element(start, start_at, before_loop);
    if (!first) return nullptr;
    first = cast_to(first, wide);
  }
  const int total = add_scalar(names_.take({name_of_result(Op::dot)}), wide);
  const NameScope scope(names_);
  const TypedPtr& a = apply.args[0];
  const TypedPtr& b = apply.args[1];
  const size_t rank = at.size();
  const size_t depth_of_a = a->shape.size() - (apply.attributes.trans_a ? 2 : 1);
  const int64_t depth = a->shape[depth_of_a];
  const std::string name = names_.take({"k", "kk"});
  extents_[name] = depth;
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
  ElementSite turn{body, bindings, site.turns * depth};
  const auto operand_of = [&](const TypedPtr& operand, const Coordinates& inner) -> TypedPtr {
    // An operand that takes arithmetic is computed once, not once for each element of the result.
    TypedPtr value;
    if (elements_of(operand->shape) < turn.turns && !is_trivial(operand)) {
      const std::optional<Source> whole = materialise(operand);
      if (whole) value = element_of_source(*whole, operand, inner, turn);
    } else {
      ElementSite free{body, bindings, elements_of(operand->shape)};
      value = element(operand, inner, free);
    }
    return value ? cast_to(value, wide) : nullptr;
  };
  const TypedPtr k = variable(name);
  TypedPtr x = operand_of(a, operand_at(a, apply.attributes.trans_a, at[rank - 2], k));
  TypedPtr y = operand_of(b, operand_at(b, apply.attributes.trans_b, k, at[rank - 1]));
  if (!x || !y) return nullptr;
  if (apply.attributes.precision == "tf32") x = rounded_to_tf32(x), y = rounded_to_tf32(y);
  const auto accumulated = [&](const TypedPtr& left, const TypedPtr& right, const TypedPtr& sum) {
    if (is_float(wide)) return scalar_apply(node->span, Op::fma, wide, {left, right, sum});
    return scalar_apply(node->span, Op::add, wide, {sum, scalar_apply(node->span, Op::multiply, wide, {left, right})});
  };
  TypedPtr sum = bind_scalar(total, node->span, turn);
  if (apply.attributes.precision == "bf16x3") {
    const auto high = [&](const TypedPtr& v) { return cast_to(cast_to(v, DType::bf16), DType::f32); };
    const auto low = [&](const TypedPtr& v) {
      return high(scalar_apply(v->span, Op::subtract, DType::f32, {v, high(v)}));
    };
    sum = accumulated(low(x), high(y), sum);
    sum = accumulated(high(x), low(y), sum);
    sum = accumulated(high(x), high(y), sum);
  } else {
    sum = accumulated(x, y, sum);
  }
  body.push_back(set_scalar(total, sum, bindings, false, false));
  site.before.push_back(set_scalar(total, first, first_bindings, true, false));
  site.before.push_back(loop_along(name, size_of(a, depth_of_a), std::move(body)));
  return cast_to(bind_scalar(total, node->span, site), node->dtype);
}

// A tile of running sums or maxima: one thread walks one line.
bool ElementPlanner::scan(const TypedPtr& node, const Apply& apply, int field) {
  const TypedPtr& operand = apply.args[0];
  const size_t axis = static_cast<size_t>(apply.attributes.axes.at(0));
  const DType wide = accumulator(apply.op, node->dtype);
  const NameScope scope(names_);
  ElementLoop lines;
  Coordinates at;
  std::string name;
  for (size_t d = 0; d < node->shape.size(); ++d) {
    const std::string along = names_.along(d, node->shape.size());
    extents_[along] = node->shape[d];
    at.push_back(variable(along));
    if (d == axis) {
      name = along;
      continue;
    }
    lines.coordinates.push_back(along);
    lines.shape.push_back(size_of(node, d));
  }
  Statements line, body;
  const int total = add_scalar(names_.take({name_of_result(apply.op)}), wide);
  std::vector<Binding> bindings, stored;
  ElementSite turn{body, bindings, elements_of(node->shape)};
  const TypedPtr value = element(operand, at, turn);
  if (!value) return false;
  const TypedPtr sum =
      scalar_apply(node->span, combining(apply.op), wide, {bind_scalar(total, node->span, turn), cast_to(value, wide)});
  body.push_back(set_scalar(total, sum, bindings, false, false));
  StoreElement store{};
  store.field = field;
  store.index = at;
  ElementSite last{body, store.bindings, 1};
  store.value = cast_to(bind_scalar(total, node->span, last), node->dtype);
  body.push_back({"", false, std::move(store)});
  line.push_back(set_scalar(total, neutral(apply.op, wide), {}, true, false));
  line.push_back(loop_along(name, size_of(node, axis), std::move(body)));
  body_->push_back(for_elements(lines, std::move(line)));
  return true;
}

}  // namespace pallasgen
