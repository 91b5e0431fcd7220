#include "expressions/operators.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

namespace pallasgen {

namespace {

bool gives_bool(Op op) { return op >= Op::logical_not && op <= Op::isfinite; }

// The one of two differing dtypes to cast to: a float over an integer, then the wider; f32 for f16 with bf16.
DType common(DType a, DType b) {
  const DTypeInfo &x = info(a), &y = info(b);
  if (x.is_float != y.is_float) return x.is_float ? a : b;
  if (x.bits != y.bits) return x.bits > y.bits ? a : b;
  return x.is_float ? (x.bits == 8 ? DType::f16 : DType::f32) : (x.is_signed ? a : b);
}

std::string cast_text(const TypedPtr& value, DType dtype) {
  return to_string(make_typed(value->span, dtype, value->shape, Apply{Op::cast, {value}, {}}));
}

// The value as an operand of any operator, in parentheses if it needs them.
std::string operand_text(const TypedPtr& value) {
  const std::string text = to_string(value);
  const Apply* node = value->as<Apply>();
  const bool reduces = node && operation(node->op).group == OpGroup::reduce;  // printed as a call
  const bool plain = !node || reduces || value->call;
  return plain ? text : "(" + text + ")";
}

std::optional<std::pair<__int128, __int128>> range_of(DType dtype) {
  const DTypeInfo& row = info(dtype);
  if (!row.is_integer) return std::nullopt;
  const __int128 one = 1;
  if (!row.is_signed) return std::pair{__int128{0}, (one << row.bits) - 1};
  return std::pair{-(one << (row.bits - 1)), (one << (row.bits - 1)) - 1};
}

// Notes how `&` and `|` bind, as their operands are likely conditions.
void note_binding(Diagnostic& out, Op op) {
  out.note(
      fmt::format("'{0}' binds its operands more than a comparison does: for conditions, write (x > 0) {0} (y > 0), "
                  "or x > 0 {1} y > 0",
                  operation(op).name, op == Op::bit_and ? "and" : "or"));
}

// Gives args[first] and those after it one dtype.
bool unify(TypingContext& in, Span span, Op op, std::vector<TypedPtr>& args, size_t first) {
  const TypedPtr* model = nullptr;
  bool literal = false;
  const std::string_view name = operation(op).name;
  for (size_t i = first; i < args.size(); ++i) {
    literal = literal || args[i]->dtype == DType::literal;
    if (!has_dtype(args[i])) continue;
    if (!model) {
      model = &args[i];
    } else if ((*model)->dtype != args[i]->dtype) {
      const TypedPtr &a = *model, &b = args[i];
      const bool bools = a->dtype == DType::boolean || b->dtype == DType::boolean;
      Diagnostic& out = in.error(kDTypeMismatch, span, "'{}' of {} and {}: dtypes never promote silently", name,
                                 describe(a), describe(b));
      if (bools) {
        const TypedPtr &truth = a->dtype == DType::boolean ? a : b, &number = a->dtype == DType::boolean ? b : a;
        const bool of_bits = op == Op::bit_and || op == Op::bit_or;
        if (of_bits) note_binding(out, op);
        if (!of_bits || info(number->dtype).is_integer)
          out.note(fmt::format("cast it: {}", cast_text(truth, number->dtype)));
      } else {
        const DType wanted = common(a->dtype, b->dtype);
        std::string casts = a->dtype == wanted ? "" : cast_text(a, wanted);
        if (b->dtype != wanted) casts += (casts.empty() ? "" : " and ") + cast_text(b, wanted);
        out.note(fmt::format("cast it: {}", casts));
      }
      return false;
    }
  }
  if (!model && !literal) {
    // All operands are integers: a float operation takes constants as float literals.
    if (operation(op).takes != Operands::floats || op == Op::divide) return true;
    const bool constants = std::all_of(args.begin() + static_cast<std::ptrdiff_t>(first), args.end(),
                                       [](const auto& arg) { return arg->template as<Constant>(); });
    if (!constants) return true;
  }
  const DType dtype = model ? (*model)->dtype : DType::literal;
  const bool logical = operation(op).takes == Operands::bools;
  for (size_t i = first; i < args.size(); ++i) {
    if (has_dtype(args[i]) || logical) continue;
    if (dtype == DType::literal && args[i]->dtype == DType::index && !args[i]->as<Constant>()) {
      in.fail(kDTypeMismatch, args[i]->span, "'{}' of {} and a float literal: write f32({})", name, to_string(args[i]),
              to_string(args[i]));
      return false;
    }
    args[i] = coerce(in, args[i], dtype);
    if (!args[i]) return false;
  }
  return true;
}

bool check_operands(TypingContext& in, Span span, Op op, const std::vector<TypedPtr>& args) {
  const Operands wanted = operation(op).takes;
  const std::string_view name = operation(op).name;
  for (const TypedPtr& arg : args) {
    const DType dtype = arg->dtype;
    const bool is_bool = dtype == DType::boolean;
    const bool is_float = dtype == DType::literal || info(dtype).is_float;
    const bool is_integer = dtype == DType::index || info(dtype).is_integer;
    std::string_view need;
    if (wanted == Operands::numbers && is_bool) need = "numbers";
    if (wanted == Operands::floats && !is_float) need = "floats";
    if (wanted == Operands::integers && !is_integer) need = "integers";
    if (wanted == Operands::integers_or_bools && is_float) need = "integers or bools";
    if (wanted == Operands::bools && !is_bool) need = "truth values";
    if (need.empty()) continue;
    Diagnostic& out = in.error(kOperandDType, span, "'{}' needs {}, not {}", name, need, describe(arg));
    if (op == Op::divide && is_integer) {
      const TypedPtr floored = make_typed(span, arg->dtype, {}, Apply{Op::floor_divide, args, {}});
      const std::string cast = dtype == DType::index ? "" : ", or cast it: " + cast_text(arg, DType::f32);
      // A computed dividend may already round up.
      const bool plain = dtype == DType::index && !args[0]->as<Apply>();
      const std::string up =
          plain ? fmt::format(", or cdiv({}, {}), which rounds up", to_string(args[0]), to_string(args[1])) : "";
      out.note(fmt::format("write {} for integers{}{}", to_string(floored), cast, up));
    } else if (need == "floats" && !is_bool) {
      out.note(dtype == DType::index ? fmt::format("write f32({})", to_string(arg))
                                     : "cast it: " + cast_text(arg, DType::f32));
    } else if (need == "numbers") {
      const auto number = std::find_if(args.begin(), args.end(), [](const TypedPtr& other) {
        return has_dtype(other) && other->dtype != DType::boolean;
      });
      out.note("cast it: " + cast_text(arg, number == args.end() ? DType::i32 : (*number)->dtype));
    } else if (need == "truth values") {
      out.note(fmt::format("compare it: {} != 0", to_string(arg)));
    } else if (op == Op::floor_divide && is_float) {
      out.note(fmt::format("for floats, write floor({} / {})", operand_text(args[0]), operand_text(args[1])));
    } else if ((op == Op::bit_and || op == Op::bit_or) &&
               (args[0]->as<Constant>() || args[0]->dtype == DType::boolean)) {
      note_binding(out, op);
    } else if ((wanted == Operands::integers_or_bools || wanted == Operands::integers) && is_float && has_dtype(arg) &&
               !arg->as<Constant>()) {
      const DType bits = info(dtype).bits == 64 ? DType::i64 : info(dtype).bits == 16 ? DType::i16 : DType::i32;
      if (op == Op::modulo)
        out.note(fmt::format("for floats, write {0} - floor({0} / {1}) * {1}", operand_text(args[0]),
                             operand_text(args[1])));
      if (op == Op::bit_xor)
        out.note("for a power, write " + to_string(make_typed(span, dtype, {}, Apply{Op::power, args, {}})));
      out.note("for its number as an integer, write " + cast_text(arg, bits));
    }
    return false;
  }
  return true;
}

TypedPtr power(TypingContext& in, Span span, std::vector<TypedPtr> args) {
  const TypedPtr &base = args[0], &exponent = args[1];
  const bool integers = base->dtype == DType::index ? exponent->dtype == DType::index : info(base->dtype).is_integer;
  if (integers) {
    const std::optional<int64_t> value = exponent->dtype == DType::index ? constant_value(exponent) : std::nullopt;
    if (!value || *value < 0) {
      return in.fail(kOperandDType, span, "'**' of integers needs a constant exponent >= 0, not {}",
                     to_string(exponent));
    }
  }
  return base;
}

// True if the number stays finite in the dtype: it is less than half a step above the largest one.
bool rounds_to_number(double number, DType dtype) {
  static const std::map<DType, double> kFirstInfinite = {
      {DType::f16, 65520.0}, {DType::bf16, 0x1.ffp127}, {DType::f32, 0x1.ffffffp127}};
  const auto first = kFirstInfinite.find(dtype);
  return first == kFirstInfinite.end() || std::isinf(number) || !(std::fabs(number) >= first->second);
}

}  // namespace

Op operation_of(BinaryOp op) {
  static constexpr Op kOps[] = {Op::add,     Op::subtract, Op::multiply, Op::divide,      Op::floor_divide,
                                Op::modulo,  Op::power,    Op::dot,      Op::shift_left,  Op::shift_right,
                                Op::bit_and, Op::bit_or,   Op::bit_xor,  Op::logical_and, Op::logical_or};
  return kOps[static_cast<size_t>(op)];
}

TypedPtr coerce(TypingContext& in, const TypedPtr& value, DType dtype) {
  if (!value || value->dtype == dtype || has_dtype(value)) return value;
  const Span span = value->span;
  const bool is_float = dtype == DType::literal || info(dtype).is_float;
  if (dtype == DType::index || dtype == DType::boolean || (value->dtype == DType::literal && !is_float)) {
    const std::string_view wanted = dtype == DType::index ? "an integer" : name_of(dtype);
    Diagnostic& out =
        in.error(kDTypeMismatch, span, "{} is {}, and never becomes {}", to_string(value), describe(value), wanted);
    if (dtype == DType::boolean) out.note("write true or false");
    if (info(dtype).is_integer) out.note("write an integer, or cast the other operands to a float dtype");
    return nullptr;
  }
  if (const Constant* constant = value->as<Constant>()) {
    if (is_float) {
      const int64_t* integer = std::get_if<int64_t>(&constant->value);
      const double number = integer ? static_cast<double>(*integer) : std::get<double>(constant->value);
      if (!rounds_to_number(number, dtype)) {
        in.error(kLiteralRange, span, "{} does not fit in {}: it would be infinite", number, name_of(dtype))
            .note(fmt::format("write {}, or a number that fits", number < 0 ? "-inf" : "inf"));
        return nullptr;
      }
      return make_typed(span, dtype, {}, Constant{number, constant->name});
    }
    const int64_t number = std::get<int64_t>(constant->value);
    const auto range = range_of(dtype);
    if (range && (number < range->first || number > range->second)) {
      return in.fail(kLiteralRange, span, "{} does not fit in {}, which holds {} to {}", number, name_of(dtype),
                     static_cast<int64_t>(range->first), static_cast<uint64_t>(range->second));
    }
    return make_typed(span, dtype, {}, Constant{number, constant->name});
  }
  const Apply* node = value->as<Apply>();
  const bool pushes = node && operation(node->op).group == OpGroup::elementwise &&
                      (node->op == Op::where ? !value->shape.empty() || value->dtype == DType::literal
                                             : value->dtype == DType::literal);
  if (pushes) {  // the arms of a where, and the operands of literals, take the dtype
    std::vector<TypedPtr> args;
    for (const TypedPtr& arg : node->args) {
      args.push_back(arg->dtype == DType::boolean ? arg : coerce(in, arg, dtype));
      if (!args.back()) return nullptr;
    }
    return apply(span, node->op, dtype, value->shape, std::move(args), node->attributes);
  }
  if (value->dtype == DType::literal) {
    return in.fail(kLiteralDType, span, "{} has no dtype: give its literals one, as in f32(0.5)", to_string(value));
  }
  if (dtype == DType::literal) {
    return in.fail(kDTypeMismatch, span, "{} is an integer and meets a float literal: write f32({})", to_string(value),
                   to_string(value));
  }
  return make_typed(span, dtype, value->shape, Apply{Op::cast, {value}, {}});
}

TypedPtr settled(TypingContext& in, const TypedPtr& value, std::string_view what) {
  if (!value || value->as<Constant>() || has_dtype(value)) return value;
  if (value->dtype == DType::index && value->shape.empty()) return value;
  const TypedPtr typed = with_own_dtype(in, value);
  if (!typed || has_dtype(typed)) return typed;
  bool literals = true;
  walk(value, [&](const Typed& node) { literals = literals && !node.as<Symbol>(); });
  return in.fail(kLiteralDType, value->span,
                 literals
                     ? fmt::format("{} is made of literals alone and has no dtype: give one of them a dtype, as in "
                                   "f32(0)",
                                   what)
                     : fmt::format("{} is made of index values, {}, and has no dtype: give one of them a dtype, as "
                                   "in i32(…)",
                                   what, to_string(value)));
}

// In guards, integer scalars are index values that take the dtype of the other operand. If an operation needs a dtype
// and no operand has one, they get the one that the spec gives them.
TypedPtr with_own_dtype(TypingContext& in, const TypedPtr& value) {
  if (!value || value->dtype != DType::index) return value;
  std::optional<DType> own;
  bool one = true;
  const std::function<void(const TypedPtr&)> find = [&](const TypedPtr& expr) {
    if (expr->dtype != DType::index) return;
    const Apply* apply = expr->as<Apply>();
    const Symbol* symbol = expr->as<Symbol>();
    int scalar = -1;
    if (symbol && symbol->kind == SymbolKind::scalar) scalar = symbol->id;
    if (apply && apply->op == Op::element) scalar = apply->attributes.scalar;
    if (scalar >= 0) {
      const DType dtype = in.context.kernel.scalars[static_cast<size_t>(scalar)].dtype;
      one = one && own.value_or(dtype) == dtype;
      own = dtype;
    } else if (apply && apply->op != Op::searchsorted) {
      for (const TypedPtr& arg : apply->args) find(arg);
    }
  };
  find(value);
  return own && one ? coerce(in, value, *own) : value;
}

TypedPtr cast(TypingContext& in, const TypedPtr& value, DType dtype, Span span) {
  if (value->dtype == dtype) return value;
  const Constant* constant = value->as<Constant>();
  if (value->dtype == DType::literal && !info(dtype).is_float) {
    if (constant && dtype != DType::boolean) {  // truncates and saturates like a cast from f64
      return make_typed(span, dtype, {}, Apply{Op::cast, {coerce(in, value, DType::f64)}, {}});
    }
    return coerce(in, value, DType::f64)
               ? make_typed(span, dtype, value->shape, Apply{Op::cast, {coerce(in, value, DType::f64)}, {}})
               : nullptr;
  }
  if (value->dtype == DType::index && dtype == DType::boolean) {
    return operate(in, span, Op::not_equal, {value, index_constant(0)});
  }
  if (value->dtype == DType::index || value->dtype == DType::literal) return coerce(in, value, dtype);
  return make_typed(span, dtype, value->shape, Apply{Op::cast, {value}, {}});
}

bool broadcast(TypingContext& in, Span span, std::string_view what, const std::vector<TypedPtr>& args, Shape& shape) {
  shape.clear();
  for (const TypedPtr& arg : args) {
    const Shape& other = arg->shape;
    if (other.size() > shape.size()) shape.insert(shape.begin(), other.size() - shape.size(), 1);
    for (size_t i = 0; i < other.size(); ++i) {
      int64_t& mine = shape[shape.size() - other.size() + i];
      if (other[i] == mine || other[i] == 1) continue;
      if (mine == 1) {
        mine = other[i];
        continue;
      }
      std::string shapes;
      for (const TypedPtr& each : args) {
        if (!each->shape.empty()) shapes += (shapes.empty() ? "" : " and ") + shape_text(each->shape);
      }
      Diagnostic& out = in.error(kShapeMismatch, span, "'{}' of shapes {}: {} and {} are neither equal nor 1", what,
                                 shapes, mine, other[i]);
      const auto matrix =
          std::find_if(args.begin(), args.end(), [](const TypedPtr& of) { return of->shape.size() == 2; });
      const auto of_rows = std::find_if(args.begin(), args.end(), [&](const TypedPtr& each) {
        return matrix != args.end() && each->shape.size() == 1 && each->shape[0] == (*matrix)->shape[0];
      });
      if (of_rows != args.end()) out.note(fmt::format("to stand for rows, write {}[:, None]", operand_text(*of_rows)));
      return false;
    }
  }
  return true;
}

bool divides_by_zero(const Context& context, Op op, const std::vector<TypedPtr>& args) {
  if (context.extents || (op != Op::floor_divide && op != Op::modulo && op != Op::cdiv)) return false;
  const Constant* divisor = args[1]->as<Constant>();
  const int64_t* value = divisor ? std::get_if<int64_t>(&divisor->value) : nullptr;
  return value && *value == 0;
}

TypedPtr operate(TypingContext& in, Span span, Op op, std::vector<TypedPtr> args) {
  for (const TypedPtr& arg : args) {
    if (!arg) return nullptr;
  }
  if (op == Op::power && !power(in, span, args)) return nullptr;
  if (op == Op::where && args[0]->dtype != DType::boolean) {
    return in.fail(kOperandDType, args[0]->span, "the condition of where must be bool, not {}", describe(args[0]));
  }
  const Operands wanted = operation(op).takes;
  const bool no_bools = wanted == Operands::numbers || wanted == Operands::floats || wanted == Operands::integers;
  for (const TypedPtr& arg : args) {  // reported before the dtypes are compared: a cast to bool is no remedy
    if (no_bools && arg->dtype == DType::boolean && !check_operands(in, span, op, args)) return nullptr;
  }
  if (!unify(in, span, op, args, op == Op::where ? 1 : 0)) return nullptr;
  if (op != Op::where && !check_operands(in, span, op, args)) return nullptr;
  if (divides_by_zero(in.context, op, args)) {
    const std::string divisor = to_string(args[1]);
    return in.fail(kConstant, args[1]->span, "'{}' divides by {}{}, and integers have no such quotient",
                   operation(op).name, divisor, divisor == "0" ? "" : ", which is 0");
  }
  Shape shape;
  if (!broadcast(in, span, operation(op).name, args, shape)) return nullptr;
  const DType dtype = gives_bool(op) ? DType::boolean : args.back()->dtype;
  if (op == Op::invert && dtype == DType::boolean) op = Op::logical_not;
  if (dtype == DType::index && (op == Op::clz || op == Op::popcount)) {
    const TypedPtr counted = with_own_dtype(in, args[0]);
    if (!counted || has_dtype(counted)) return counted ? operate(in, span, op, {counted}) : nullptr;
    in.error(kOperandDType, args[0]->span, "'{}' counts bits, and {} is an index, which has no width",
             operation(op).name, to_string(args[0]))
        .note(fmt::format("write {}(i32({}))", operation(op).name, to_string(args[0])));
    return nullptr;
  }
  if (dtype == DType::index) {
    // Writes them with sums, minima and maxima, whose bounds and affine forms are known.
    if (op == Op::invert) return operate(in, span, Op::subtract, {index_constant(-1), args[0]});
    if (op == Op::clamp)
      return operate(in, span, Op::minimum, {operate(in, span, Op::maximum, {args[0], args[1]}), args[2]});
  }
  if (in.keep_constants && dtype == DType::index && args.size() == 2) {
    const auto named = [](const TypedPtr& arg) {
      const Constant* constant = arg->as<Constant>();
      return !constant || !constant->name.empty();
    };
    if (named(args[0]) || named(args[1]))
      return make_typed(span, dtype, std::move(shape), Apply{op, std::move(args), {}});
  }
  return apply(span, op, dtype, std::move(shape), std::move(args));
}

}  // namespace pallasgen
