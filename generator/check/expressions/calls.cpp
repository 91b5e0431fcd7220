#include "expressions/calls.h"

#include <fmt/format.h>

#include <algorithm>

#include "expressions/evaluate.h"
#include "expressions/functions.h"
#include "expressions/operators.h"
#include "expressions/subscripts.h"
#include "names/language.h"
#include "names/names.h"

namespace pallasgen {

namespace {

TypedPtr elementwise_call(TypingContext& in, const CallExpr& node, Span span, const std::string& name) {
  const Op op = *operation_named(name);
  const std::optional<Bound> bound = bind_arguments(in, node, span, name);
  if (!bound) return nullptr;
  std::vector<TypedPtr> args;
  for (const ExprPtr& arg : *bound) args.push_back(value_of(in, arg));
  return operate(in, span, op, std::move(args));
}

// Reports an argument of the wrong kind and returns null.
TypedPtr wrong_kind(TypingContext& in, Span span, std::string message) {
  note_parameters(in, in.error(kNameKind, span, std::move(message)));
  return nullptr;
}

TypedPtr bitcast_call(TypingContext& in, const CallExpr& node, Span span, const std::string& name) {
  const std::optional<Bound> args = bind_arguments(in, node, span, name);
  if (!args) return nullptr;
  const TypedPtr operand = with_own_dtype(in, value_of(in, (*args)[0]));
  const std::optional<DType> target = dtype_of(in, (*args)[1]);
  if (!operand || !target) return nullptr;
  if (operand->dtype == DType::index || operand->dtype == DType::literal) {
    return in.fail(kLiteralDType, span, "bitcast needs a value with a dtype, not {}", describe(operand));
  }
  if (info(operand->dtype).bits != info(*target).bits || operand->dtype == DType::boolean ||
      *target == DType::boolean) {
    return in.fail(kOperandDType, span, "bitcast of {}, {} bits, to {}, {} bits: they must be as wide, and no bools",
                   describe(operand), info(operand->dtype).bits, name_of(*target), info(*target).bits);
  }
  return make_typed(span, *target, operand->shape, Apply{Op::bitcast, {operand}, {}});
}

TypedPtr valid_call(TypingContext& in, const CallExpr& node, Span span, const std::string& name) {
  const std::optional<Bound> args = bind_arguments(in, node, span, name);
  if (!args) return nullptr;
  const Value ref = evaluate(in, (*args)[0]);
  if (ref.poisoned()) return nullptr;
  const RefName* target = ref.as<RefName>();
  if (!target || target->view)
    return wrong_kind(in, (*args)[0]->span, fmt::format("valid needs the name of a ref, not {}", describe(ref)));
  if (!sized(in, shape_of_ref(in.context, target->ref), span, in.context.kernel.refs[target->ref].name)) return nullptr;
  OpAttributes attributes;
  attributes.ref = target->ref;
  attributes.name = in.context.kernel.refs[target->ref].name;
  return make_typed(span, DType::boolean, shape_of_ref(in.context, target->ref),
                    Apply{Op::valid, {}, std::move(attributes)});
}

TypedPtr load_call(TypingContext& in, const CallExpr& node, Span span, const std::string& name) {
  const std::optional<Bound> bound = bind_arguments(in, node, span, name);
  if (!bound) return nullptr;
  const Bound& args = *bound;
  const Value target = evaluate(in, args[0]);
  if (target.poisoned()) return nullptr;
  const RefName* ref = target.as<RefName>();
  if (!ref) return wrong_kind(in, args[0]->span, fmt::format("load needs the name of a ref, not {}", describe(target)));
  const Ref& row = in.context.kernel.refs[ref->ref];
  RefRead out;
  Shape result;
  if (args[1]) {
    out.ref = ref->ref;
    out.name = row.name;
    std::optional<IndexItems> index = ref_items(in, *ref, entries_of(args[1]), args[1]->span, result, out.whole);
    if (!index || !sized(in, result, args[1]->span, row.name)) return nullptr;
    out.index = std::move(*index);
  } else {
    const TypedPtr all = read(in, target);
    if (!all) return nullptr;
    out = *all->as<RefRead>();
    result = all->shape;
  }
  if (args[4]) {
    const std::optional<MemoryOrder> order =
        memory_order(args[4], {MemoryOrder::relaxed, MemoryOrder::acquire}, "a load", *in.diagnostics);
    if (!order) return nullptr;
    if (!is_view(row)) {
      in.error(kOperandDType, args[4]->span, "'order' of a load of '{}', a copy that no other program writes", row.name)
          .note("only workspace and refs with space: gmem are memory that programs share");
      return nullptr;
    }
    if (!has_own_bytes(*in.diagnostics, row, args[4]->span, "'order' of a load")) return nullptr;
    out.order = *order;
  }
  if (args[3] && !args[2]) return in.fail(kArguments, args[3]->span, "'other' has a meaning only with 'mask'");
  const auto fits = [&](const TypedPtr& value, const char* what) {
    Shape shape;
    const TypedPtr model = make_typed(span, row.dtype, result, Constant{});
    if (!broadcast(in, value->span, what, {model, value}, shape)) return false;
    if (shape == result) return true;
    in.fail(kShapeMismatch, value->span, "'{}' of shape {} is larger than what is loaded, {}", what,
            shape_text(value->shape), shape_text(result));
    return false;
  };
  if (args[2]) {
    out.mask = value_of(in, args[2]);
    if (!out.mask) return nullptr;
    if (out.mask->dtype != DType::boolean)
      return in.fail(kOperandDType, args[2]->span, "'mask' must be bool, not {}", describe(out.mask));
    if (!fits(out.mask, "mask")) return nullptr;
  }
  if (args[3]) {
    out.other = coerce(in, value_of(in, args[3]), row.dtype);
    if (!out.other) return nullptr;
    if (out.other->dtype != row.dtype) {
      return in.fail(kDTypeMismatch, args[3]->span, "'other' is {}, but '{}' is {}", describe(out.other), row.name,
                     name_of(row.dtype));
    }
    if (!fits(out.other, "other")) return nullptr;
  }
  return make_typed(span, row.dtype, std::move(result), std::move(out));
}

TypedPtr grid_call(TypingContext& in, const CallExpr& node, Span span, const std::string& name) {
  const std::optional<Bound> args = bind_arguments(in, node, span, name);
  if (!args) return nullptr;
  const bool size = name != "program_id";
  int id = -1;
  if (const NameExpr* axis = (*args)[0]->as<NameExpr>(); axis && !(in.scope && in.scope->find(axis->name))) {
    const Name* entry = in.context.find(axis->name);
    if (entry && entry->kind == NameKind::axis) {
      id = entry->id;
    } else if (entry && entry->kind != NameKind::constant) {
      return wrong_kind(
          in, (*args)[0]->span,
          fmt::format("{} needs an axis of the grid; '{}' is {}", name, axis->name, kind_text(in.context, axis->name)));
    }
  }
  const int axes = static_cast<int>(in.context.spec.grid.size());
  if (id < 0) {
    const std::optional<int64_t> number = constant_integer(in, (*args)[0], "an axis");
    if (!number) return nullptr;
    if (*number < 0 || *number >= axes) {
      return in.fail(kIndexRange, (*args)[0]->span, "{}({}): the grid has {} axes", name, *number, axes);
    }
    id = static_cast<int>(*number);
  }
  const std::string& axis = in.context.spec.grid[id].name;
  if (in.place.axes == 0) return in.fail(kNameKind, span, "'{}' is an axis, which {} cannot use", axis, in.place.what);
  if (id >= in.place.axes) return in.fail(kNameKind, span, "the axis '{}' is not known yet here", axis);
  return make_typed(span, DType::index, {}, Symbol{size ? SymbolKind::axis_size : SymbolKind::axis, id, axis});
}

// The row-major index of the program along the axes.
TypedPtr axis_index_call(TypingContext& in, const CallExpr& node, Span span, const std::string& name) {
  const std::optional<Bound> args = bind_arguments(in, node, span, name);
  if (!args) return nullptr;
  TypedPtr out;
  for (const ExprPtr& axis : entries_of((*args)[0])) {
    const CallExpr one{node.callee, {axis}, {}};
    const TypedPtr place = grid_call(in, one, axis->span, "program_id");
    const TypedPtr size = out && place ? grid_call(in, one, axis->span, "axis_size") : nullptr;
    if (!place || (out && !size)) return nullptr;
    out = out ? operate(in, span, Op::add, {operate(in, span, Op::multiply, {out, size}), place}) : place;
  }
  return out ? out : in.fail(kArguments, span, "axis_index needs at least one axis");
}

TypedPtr ticket_call(TypingContext& in, const CallExpr& node, Span span, const std::string& name) {
  if (!bind_arguments(in, node, span, name)) return nullptr;
  if (!in.place.refs || in.place.axes == 0)
    return in.fail(kNameKind, span, "a ticket is drawn by a running program; {} has none", in.place.what);
  return make_typed(span, DType::index, {}, Symbol{SymbolKind::ticket, 0, "ticket()"});
}

struct NamedCall {
  std::string_view name;
  OperationCall* type;
};
// The operations by name, except for large groups that share a function.
constexpr NamedCall kCalls[] = {{"program_id", grid_call},    {"num_programs", grid_call},
                                {"axis_size", grid_call},     {"axis_index", axis_index_call},
                                {"ticket", ticket_call},      {"uniform", random_call},
                                {"normal", random_call},      {"random_bits", random_call},
                                {"quantize", quantize_call},  {"dequantize", dequantize_call},
                                {"einsum", einsum_call},      {"softmax", composed_call},
                                {"logsumexp", composed_call}, {"zeros", shape_call},
                                {"load", load_call},          {"dot", dot_call},
                                {"bitcast", bitcast_call},    {"searchsorted", searchsorted_call},
                                {"valid", valid_call}};

OperationCall* call_of(const std::string& name) {
  for (const NamedCall& row : kCalls) {
    if (row.name == name) return row.type;
  }
  const std::optional<Op> op = operation_named(name);
  if (!op) return nullptr;
  const OpGroup group = operation(*op).group;
  if (group == OpGroup::elementwise) return elementwise_call;
  if (group == OpGroup::shape) return shape_call;
  return group == OpGroup::reduce ? reduce_call : nullptr;
}

// True if the operation takes or makes whole blocks.
bool is_of_blocks(const std::string& name) {
  const std::optional<Op> op = operation_named(name);
  if (op) {
    const OpGroup group = operation(*op).group;
    return group == OpGroup::reduce || group == OpGroup::matrix || group == OpGroup::shape || group == OpGroup::random;
  }
  OperationCall* const type = call_of(name);
  return type == random_call || type == quantize_call || type == dequantize_call || type == einsum_call ||
         type == composed_call || type == shape_call || type == load_call;
}

// Reports an operation of blocks in an index map or a size, which need integers.
TypedPtr of_blocks_in_index(TypingContext& in, const CallExpr& node, const std::string& name) {
  Diagnostic& out = in.error(kNameKind, node.callee->span, "'{}' is an operation of blocks, and {} is made of integers",
                             name, in.place.what);
  if (!in.place.allowed.empty())
    out.note(fmt::format("{} is made of {}, by arithmetic", in.place.what, in.place.allowed));
  return nullptr;
}

TypedPtr operation_call(TypingContext& in, const CallExpr& node, Span span, const std::string& name) {
  const bool of_integers = (name == "max" || name == "min") && node.args.size() > 1;
  if (!in.place.refs && in.place.integers_are_index && is_of_blocks(name) && !of_integers)
    return of_blocks_in_index(in, node, name);
  if (OperationCall* type = call_of(name)) return type(in, node, span, name);
  if (atomic_named(name) || name == "grid_sync" || name == "store") {
    Diagnostic& out = in.error(kStatement, span, "{} is a statement, not a part of an expression", name);
    if (atomic_named(name)) out.note(fmt::format("bind what was there before to a name: old = {}(…)", name));
    return nullptr;
  }
  if (name == "ds") return in.fail(kNameKind, span, "ds(start, n) has a meaning only between the brackets of an index");
  return in.fail(kNameKind, span, "'{}' is no function", name);
}

}  // namespace

bool is_operation_of_blocks(const TypingContext& in, const std::string& name) {
  return !(in.scope && in.scope->find(name)) && !in.context.find(name) && is_of_blocks(name);
}

void note_parameters(const TypingContext& in, Diagnostic& out) {
  if (!in.operation) return;
  const std::vector<ExprPtr>& args = in.operation->args;
  const bool of_argument = std::any_of(args.begin(), args.end(), [&](const ExprPtr& arg) {
    return arg->span.begin == out.span.begin && arg->span.end == out.span.end;
  });
  if (!of_argument) return;
  const std::string& name = in.operation->callee->as<NameExpr>()->name;
  out.note(fmt::format("{}({})", name, fmt::join(parameters_of(name).names, ", ")));
}

Value call_value(TypingContext& in, const CallExpr& node, Span span) {
  if (const AttributeExpr* attribute = node.callee->as<AttributeExpr>()) {
    if (attribute->name != "astype") {
      const Value callee = attribute_value(in, *attribute, span, &node);
      if (callee.poisoned()) return {Poison{}, span};
      in.error(kNameKind, span, "'.{}' is no function", attribute->name)
          .note(fmt::format("write {}", to_string(*node.callee)));
      return {Poison{}, span};
    }
    const TypedPtr base = value_of(in, attribute->base);
    const std::optional<Bound> args = bind_arguments(in, node, span, ".astype", {{"dtype"}, 1});
    const std::optional<DType> target = args ? dtype_of(in, (*args)[0]) : std::nullopt;
    return {base && target ? cast(in, base, *target, span) : nullptr, span};
  }
  const NameExpr* callee = node.callee->as<NameExpr>();
  if (callee) {
    const bool shadowed = (in.scope && in.scope->find(callee->name)) || in.context.find(callee->name);
    if (!shadowed && is_later_operation(callee->name)) {
      const std::string operand = node.args.empty() ? "" : fmt::format(" of {}", to_string(*node.args[0]));
      return {in.fail(kNotYet, node.callee->span, "{}{} has no meaning yet", callee->name, operand), span};
    }
    if (!shadowed && callee->name == "grad") return grad_call(in, node, span);
    const bool operation =
        is_language_name(callee->name) && !library_function(callee->name) && !dtype_named(callee->name);
    if (!shadowed && operation) {
      const CallExpr* around = std::exchange(in.operation, &node);
      const Value result{operation_call(in, node, span, callee->name), span};
      in.operation = around;
      return result;
    }
  }
  const Value function = callee ? name_value(in, callee->name, node.callee->span, &node) : evaluate(in, node.callee);
  if (function.poisoned()) {
    // A bare name may belong to the same foreign library, as in associative_scan(add, x).
    for (const ExprPtr& arg : node.args) {
      const NameExpr* name = arg->as<NameExpr>();
      if (!name || in.context.find(name->name)) evaluate(in, arg);
    }
    return {Poison{}, span};
  }
  if (const DType* target = function.as<DType>()) {
    const std::optional<Bound> args = bind_arguments(in, node, span, name_of(*target), {{"x"}, 1});
    const TypedPtr value = args ? value_of(in, (*args)[0]) : nullptr;
    return {value ? cast(in, value, *target, span) : nullptr, span};
  }
  const FunctionName* target = function.as<FunctionName>();
  if (!target) {
    return {
        in.fail(kNameKind, node.callee->span, "{} is {}, not a function", to_string(*node.callee), describe(function)),
        span};
  }
  for (const KeywordArgument& keyword : node.keywords) {
    in.error(kArguments, keyword.name_span, "{} takes its arguments by position", target->name);
  }
  std::vector<Value> args;
  for (const ExprPtr& arg : node.args) {
    args.push_back(evaluate(in, arg));
    if (args.back().as<RefName>()) args.back() = {read(in, args.back()), arg->span};
  }
  const bool good =
      node.keywords.empty() && std::none_of(args.begin(), args.end(), [](const Value& arg) { return arg.poisoned(); });
  return good ? call_function(in, *target, args, span) : Value{Poison{}, span};
}

}  // namespace pallasgen
