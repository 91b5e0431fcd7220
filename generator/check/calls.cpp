#include <fmt/format.h>

#include <algorithm>

#include "typer.h"

namespace pallasgen {

std::optional<Bound> Typer::bind(const CallExpr& node, Span span, std::string_view name,
                                 const std::vector<std::string_view>& parameters, size_t required) {
  Bound out(parameters.size());
  if (node.args.size() > parameters.size()) {
    error(kArguments, span,
          fmt::format("{} takes {} argument{}, not {}", name, parameters.size(), parameters.size() == 1 ? "" : "s",
                      node.args.size()))
        .note(fmt::format("{}({})", name, fmt::join(parameters, ", ")));
    return std::nullopt;
  }
  std::copy(node.args.begin(), node.args.end(), out.begin());
  bool good = true;
  for (const KeywordArgument& keyword : node.keywords) {
    const auto found = std::find(parameters.begin(), parameters.end(), keyword.name);
    if (found == parameters.end()) {
      Diagnostic& diagnostic =
          error(kArguments, keyword.name_span, fmt::format("{} has no argument '{}'", name, keyword.name));
      const std::string near = nearest(keyword.name, {parameters.begin(), parameters.end()});
      diagnostic.note(near.empty() ? fmt::format("{}({})", name, fmt::join(parameters, ", "))
                                   : fmt::format("did you mean '{}'?", near));
      good = false;
      continue;
    }
    ExprPtr& slot = out[found - parameters.begin()];
    if (slot) {
      error(kArguments, keyword.name_span, fmt::format("{} is given '{}' twice", name, keyword.name));
      good = false;
    }
    slot = keyword.value;
  }
  for (size_t i = 0; i < required; ++i) {
    if (out[i]) continue;
    error(kArguments, span, fmt::format("{} needs '{}'", name, parameters[i]))
        .note(fmt::format("{}({})", name, fmt::join(parameters, ", ")));
    return std::nullopt;
  }
  return good ? std::optional<Bound>(std::move(out)) : std::nullopt;
}

Value Typer::call(const CallExpr& node, Span span) {
  if (const AttributeExpr* attribute = node.callee->as<AttributeExpr>()) {
    if (attribute->name != "astype") {
      const Value callee = this->attribute(*attribute, span);
      if (callee.poisoned()) return {Poison{}, span};
      return make(span, fail(kNameKind, span, fmt::format("'.{}' is no function", attribute->name)));
    }
    const TypedPtr base = value(attribute->base);
    const std::optional<Bound> args = bind(node, span, ".astype", {"dtype"}, 1);
    const std::optional<DType> target = args ? dtype((*args)[0]) : std::nullopt;
    return make(span, base && target ? cast(base, *target, span) : nullptr);
  }
  const NameExpr* callee = node.callee->as<NameExpr>();
  if (callee) {
    const bool shadowed = (scope_ && scope_->find(callee->name)) || context_.find(callee->name);
    if (!shadowed && is_later_operation(callee->name)) {
      const std::string operand = node.args.empty() ? "" : fmt::format(" of {}", to_string(*node.args[0]));
      return make(span,
                  fail(kNotYet, node.callee->span, fmt::format("{}{} has no meaning yet", callee->name, operand)));
    }
    if (!shadowed && callee->name == "grad") return grad_call(node, span);
    const bool operation =
        is_language_name(callee->name) && !library_function(callee->name) && !dtype_named(callee->name);
    if (!shadowed && operation) return make(span, operation_call(node, span, callee->name));
  }
  const Value function = evaluate(node.callee);
  if (function.poisoned()) {
    for (const ExprPtr& arg : node.args) evaluate(arg);
    return {Poison{}, span};
  }
  if (const DType* target = function.as<DType>()) {
    const std::optional<Bound> args = bind(node, span, name_of(*target), {"x"}, 1);
    const TypedPtr value = args ? this->value((*args)[0]) : nullptr;
    return make(span, value ? cast(value, *target, span) : nullptr);
  }
  const FunctionName* target = function.as<FunctionName>();
  if (!target) {
    return make(span, fail(kNameKind, node.callee->span,
                           fmt::format("{} is {}, not a function", to_string(*node.callee), describe(function))));
  }
  for (const KeywordArgument& keyword : node.keywords) {
    error(kArguments, keyword.name_span, fmt::format("{} takes its arguments by position", target->name));
  }
  std::vector<Value> args;
  for (const ExprPtr& arg : node.args) {
    args.push_back(evaluate(arg));
    if (args.back().as<RefName>()) args.back() = {read(args.back()), arg->span};
  }
  const bool good =
      node.keywords.empty() && std::none_of(args.begin(), args.end(), [](const Value& arg) { return arg.poisoned(); });
  return good ? call_function(*target, args, span) : Value{Poison{}, span};
}

TypedPtr Typer::cast(const TypedPtr& value, DType dtype, Span span) {
  if (value->dtype == dtype) return value;
  const Constant* constant = value->as<Constant>();
  if (value->dtype == DType::literal && !info(dtype).is_float) {
    if (constant && dtype != DType::boolean) {  // truncates and saturates as a cast of an f64 does
      return make_typed(span, dtype, {}, Apply{Op::cast, {coerce(value, DType::f64)}, {}});
    }
    return coerce(value, DType::f64)
               ? make_typed(span, dtype, value->shape, Apply{Op::cast, {coerce(value, DType::f64)}, {}})
               : nullptr;
  }
  if (value->dtype == DType::index && dtype == DType::boolean) {
    return operate(span, Op::not_equal, {value, index_constant(0)});
  }
  if (value->dtype == DType::index || value->dtype == DType::literal) return coerce(value, dtype);
  return make_typed(span, dtype, value->shape, Apply{Op::cast, {value}, {}});
}

TypedPtr Typer::operation_call(const CallExpr& node, Span span, const std::string& name) {
  if (name == "program_id" || name == "num_programs" || name == "axis_size") return grid_call(node, span, name);
  if (name == "axis_index") return axis_index_call(node, span);
  if (name == "ticket") return ticket_call(node, span);
  if (name == "uniform" || name == "normal") return random_call(node, span, name);
  if (name == "quantize") return quantize_call(node, span);
  if (name == "dequantize") return dequantize_call(node, span);
  if (name == "einsum") return einsum_call(node, span);
  if (atomic_named(name) || name == "grid_sync" || name == "store") {
    Diagnostic& out = error(kStatement, span, fmt::format("{} is a statement, not a part of an expression", name));
    if (atomic_named(name)) out.note(fmt::format("bind what was there before to a name: old = {}(…)", name));
    return nullptr;
  }
  if (name == "softmax" || name == "logsumexp") return composed_call(node, span, name);
  if (name == "zeros") return shape_call(node, span, Op::full, name);
  if (name == "load") {
    const std::optional<Bound> args = bind(node, span, name, {"ref", "index", "mask", "other", "order"}, 1);
    return args ? load(*args, span) : nullptr;
  }
  if (name == "ds") return fail(kNameKind, span, "ds(start, n) has a meaning only between the brackets of an index");
  const std::optional<Op> op = operation_named(name);
  if (!op) return fail(kNameKind, span, fmt::format("'{}' is no function", name));
  switch (operation(*op).group) {
    case OpGroup::elementwise:
      return elementwise_call(node, span, *op, name);
    case OpGroup::shape:
      return shape_call(node, span, *op, name);
    case OpGroup::reduce:
      return reduce_call(node, span, *op, name);
    case OpGroup::matrix:
      return dot_call(node, span);
    case OpGroup::cast: {
      const std::optional<Bound> args = bind(node, span, name, {"x", "dtype"}, 2);
      if (!args) return nullptr;
      const TypedPtr operand = with_own_dtype(value((*args)[0]));
      const std::optional<DType> target = dtype((*args)[1]);
      if (!operand || !target) return nullptr;
      if (operand->dtype == DType::index || operand->dtype == DType::literal) {
        return fail(kLiteralDType, span, fmt::format("bitcast needs a value with a dtype, not {}", describe(operand)));
      }
      if (info(operand->dtype).bits != info(*target).bits || operand->dtype == DType::boolean ||
          *target == DType::boolean) {
        return fail(kOperandDType, span,
                    fmt::format("bitcast of {}, {} bits, to {}, {} bits: they must be as wide, and no bools",
                                describe(operand), info(operand->dtype).bits, name_of(*target), info(*target).bits));
      }
      return make_typed(span, *target, operand->shape, Apply{*op, {operand}, {}});
    }
    case OpGroup::scalars:
      return searchsorted_call(node, span);
    case OpGroup::random:
      return random_call(node, span, name);
    case OpGroup::mask: {
      const std::optional<Bound> args = bind(node, span, name, {"ref"}, 1);
      if (!args) return nullptr;
      const Value ref = evaluate((*args)[0]);
      if (ref.poisoned()) return nullptr;
      const RefName* target = ref.as<RefName>();
      if (!target || target->view)
        return fail(kNameKind, (*args)[0]->span, fmt::format("valid needs the name of a ref, not {}", describe(ref)));
      if (!sized(shape_of(target->ref), span, context_.kernel.refs[target->ref].name)) return nullptr;
      OpAttributes attributes;
      attributes.ref = target->ref;
      attributes.name = context_.kernel.refs[target->ref].name;
      return make_typed(span, DType::boolean, shape_of(target->ref), Apply{*op, {}, std::move(attributes)});
    }
  }
  return nullptr;
}

TypedPtr Typer::elementwise_call(const CallExpr& node, Span span, Op op, const std::string& name) {
  std::vector<std::string_view> parameters;
  const int count = operation(op).max_args;
  if (op == Op::where) {
    parameters = {"condition", "x", "y"};
  } else if (op == Op::clamp) {
    parameters = {"x", "low", "high"};
  } else if (op == Op::fma) {
    parameters = {"a", "b", "c"};
  } else if (count == 1) {
    parameters = {"x"};
  } else {
    parameters = {"x", "y"};
  }
  const std::optional<Bound> bound = bind(node, span, name, parameters, parameters.size());
  if (!bound) return nullptr;
  std::vector<TypedPtr> args;
  for (const ExprPtr& arg : *bound) args.push_back(value(arg));
  return operate(span, op, std::move(args));
}

TypedPtr Typer::load(const Bound& args, Span span) {
  const Value target = evaluate(args[0]);
  if (target.poisoned()) return nullptr;
  const RefName* ref = target.as<RefName>();
  if (!ref)
    return fail(kNameKind, args[0]->span, fmt::format("load needs the name of a ref, not {}", describe(target)));
  const Ref& row = context_.kernel.refs[ref->ref];
  RefRead out;
  Shape result;
  if (args[1]) {
    out.ref = ref->ref;
    out.name = row.name;
    std::optional<std::vector<IndexItem>> index =
        ref_items(*ref, entries_of(args[1]), args[1]->span, result, out.whole);
    if (!index || !sized(result, args[1]->span, row.name)) return nullptr;
    out.index = std::move(*index);
  } else {
    const TypedPtr all = read(target);
    if (!all) return nullptr;
    out = *all->as<RefRead>();
    result = all->shape;
  }
  if (args[4]) {
    const std::optional<MemoryOrder> order =
        memory_order(args[4], {MemoryOrder::relaxed, MemoryOrder::acquire}, "a load", *diagnostics_);
    if (!order) return nullptr;
    if (!is_view(row)) {
      error(kOperandDType, args[4]->span,
            fmt::format("'order' of a load of '{}', a copy that no other program writes", row.name))
          .note("only workspace and refs with space: gmem are memory that programs share");
      return nullptr;
    }
    out.order = *order;
  }
  if (args[3] && !args[2]) return fail(kArguments, args[3]->span, "'other' has a meaning only with 'mask'");
  const auto fits = [&](const TypedPtr& value, const char* what) {
    Shape shape;
    const TypedPtr model = make_typed(span, row.dtype, result, Constant{});
    if (!broadcast(value->span, what, {model, value}, shape)) return false;
    if (shape == result) return true;
    fail(kShapeMismatch, value->span,
         fmt::format("'{}' of shape {} is larger than what is loaded, {}", what, shape_text(value->shape),
                     shape_text(result)));
    return false;
  };
  if (args[2]) {
    out.mask = value(args[2]);
    if (!out.mask) return nullptr;
    if (out.mask->dtype != DType::boolean)
      return fail(kOperandDType, args[2]->span, fmt::format("'mask' must be bool, not {}", describe(out.mask)));
    if (!fits(out.mask, "mask")) return nullptr;
  }
  if (args[3]) {
    out.other = coerce(value(args[3]), row.dtype);
    if (!out.other) return nullptr;
    if (out.other->dtype != row.dtype) {
      return fail(kDTypeMismatch, args[3]->span,
                  fmt::format("'other' is {}, but '{}' is {}", describe(out.other), row.name, name_of(row.dtype)));
    }
    if (!fits(out.other, "other")) return nullptr;
  }
  return make_typed(span, row.dtype, std::move(result), std::move(out));
}

TypedPtr Typer::grid_call(const CallExpr& node, Span span, const std::string& name) {
  const std::optional<Bound> args = bind(node, span, name, {"axis"}, 1);
  if (!args) return nullptr;
  const bool size = name != "program_id";
  int id = -1;
  if (const NameExpr* axis = (*args)[0]->as<NameExpr>(); axis && !(scope_ && scope_->find(axis->name))) {
    const Name* entry = context_.find(axis->name);
    if (entry && entry->kind == NameKind::axis) {
      id = entry->id;
    } else if (entry && entry->kind != NameKind::constant) {
      return fail(
          kNameKind, (*args)[0]->span,
          fmt::format("{} needs an axis of the grid; '{}' is {}", name, axis->name, kind_text(context_, axis->name)));
    }
  }
  const int axes = static_cast<int>(context_.spec.grid.size());
  if (id < 0) {
    const std::optional<int64_t> number = constant_integer((*args)[0], "an axis");
    if (!number) return nullptr;
    if (*number < 0 || *number >= axes) {
      return fail(kIndexRange, (*args)[0]->span, fmt::format("{}({}): the grid has {} axes", name, *number, axes));
    }
    id = static_cast<int>(*number);
  }
  const std::string& axis = context_.spec.grid[id].name;
  if (place_.axes == 0)
    return fail(kNameKind, span, fmt::format("'{}' is an axis, which {} cannot use", axis, place_.what));
  if (id >= place_.axes) return fail(kNameKind, span, fmt::format("the axis '{}' is not known yet here", axis));
  return make_typed(span, DType::index, {}, Symbol{size ? SymbolKind::axis_size : SymbolKind::axis, id, axis});
}

// The place of the program along the axes, counted row by row as if they were one.
TypedPtr Typer::axis_index_call(const CallExpr& node, Span span) {
  const std::optional<Bound> args = bind(node, span, "axis_index", {"names"}, 1);
  if (!args) return nullptr;
  TypedPtr out;
  for (const ExprPtr& axis : entries_of((*args)[0])) {
    const CallExpr one{node.callee, {axis}, {}};
    const TypedPtr place = grid_call(one, axis->span, "program_id");
    const TypedPtr size = out && place ? grid_call(one, axis->span, "axis_size") : nullptr;
    if (!place || (out && !size)) return nullptr;
    out = out ? operate(span, Op::add, {operate(span, Op::multiply, {out, size}), place}) : place;
  }
  return out ? out : fail(kArguments, span, "axis_index needs at least one axis");
}

}  // namespace pallasgen
