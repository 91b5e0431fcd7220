#include "cpp_expression.h"

#include <limits>
#include <optional>
#include <vector>

#include "check/kernel.h"
#include "cpp_literal.h"
#include "cpp_operations.h"
#include "diagnostics/assert.h"
#include "expression/constant_text.h"
#include "term_order.h"

namespace pallasgen {
namespace {

bool is_half(DType dtype) { return dtype == DType::bf16 || dtype == DType::f16; }
// Floats of 16 bits or less, which are computed in float and rounded after each operation.
bool is_narrow_float(DType dtype) { return info(dtype).is_float && info(dtype).bits <= 16; }

class Printer {
 public:
  Printer(const Spelling& spelling, IndexWidth width) : spelling_(spelling), width_(width) {}

  Cpp print(const TypedPtr& expr) {
    if (const Constant* constant = expr->as<Constant>()) return constant_of(*expr, *constant);
    if (const Symbol* symbol = expr->as<Symbol>()) {
      const Spelling::Name name = spelling_.symbol(*symbol);
      if (symbol->kind == SymbolKind::scalar || expr->dtype == DType::index || expr->dtype == DType::boolean)
        return {name.text, kPrimary, name.wide};
      return from_index({name.text, kPrimary, name.wide}, expr->dtype);
    }
    if (const LocalUse* local = expr->as<LocalUse>()) {
      const Spelling::Name name = spelling_.local(*local);
      return {name.text, kPrimary, name.wide};
    }
    if (const CallFunction* call_node = expr->as<CallFunction>()) {
      return call(spelling_.function(call_node->function), call_node->args);
    }
    const Apply* apply = expr->as<Apply>();
    PALLASGEN_ASSERT(apply != nullptr, expr->span);
    if (const auto stripped = as_index(expr)) return from_index(print(simplify(*stripped)), expr->dtype);
    return applied(*expr, *apply);
  }

 private:
  Cpp constant_of(const Typed& expr, const Constant& constant) const {
    const bool plain_int = expr.dtype == DType::index || expr.dtype == DType::i32;
    const int64_t* value = std::get_if<int64_t>(&constant.value);
    const bool wide = value && *value != static_cast<int32_t>(*value);
    if ((plain_int || expr.dtype == DType::f32) && !constant.name.empty()) {
      // The text may be an integer formula: `bk / 16`.
      static constexpr Level kLevels[] = {kAdd, kMultiply, kUnary, kMultiply};
      const NameLevel level = level_of_name(constant.name);
      const bool formula = plain_int && (level != NameLevel::atom || constant.name.find(' ') != std::string::npos);
      if (formula && spelling_.declares(constant.name)) return {constant.name, kLevels[static_cast<int>(level)], wide};
      if (const std::string name = spelling_.constant(constant.name, plain_int); !name.empty())
        return {name, kPrimary, wide};
    }
    const std::string text = constant_literal(expr.dtype, constant.value);
    return {text, text[0] == '-' ? kUnary : kPrimary, wide};
  }

  Cpp call(const std::string& name, const std::vector<TypedPtr>& args) {
    std::string text = name + "(";
    for (size_t i = 0; i < args.size(); ++i) text += (i > 0 ? ", " : "") + print(args[i]).text;
    return {text + ")"};
  }
  static Cpp call_text(const std::string& name, const std::vector<Cpp>& args) {
    std::string text = name + "(";
    for (size_t i = 0; i < args.size(); ++i) text += (i > 0 ? ", " : "") + args[i].text;
    return {text + ")"};
  }

  // An operand on the same level needs parentheses only on the right; mixtures that compilers warn about get them too.
  static Cpp infix(const Infix& row, const Cpp& a, const Cpp& b) {
    const bool mixes = row.level <= kShift && row.level != kRelational && row.level != kEquality;
    const auto operand = [&](const Cpp& part, bool right) {
      const bool comparison = part.level == kRelational || part.level == kEquality;
      if (mixes && part.level < kUnary && part.level != row.level && !(comparison && row.level <= kAnd))
        return "(" + part.text + ")";
      const bool chained = comparison && (row.level == kRelational || row.level == kEquality);
      return at_least(part, chained ? kPrimary : row.level + (right ? 1 : 0));
    };
    return {operand(a, false) + " " + row.symbol + " " + operand(b, true), row.level};
  }

  // The operand in the type of the computation: narrow floats are converted to float.
  Cpp operand(const TypedPtr& expr) {
    if (!is_narrow_float(expr->dtype)) return print(expr);
    if (const Constant* constant = expr->as<Constant>()) {
      const double* value = std::get_if<double>(&constant->value);
      if (value && is_half(expr->dtype) && is_exact_in(expr->dtype, *value)) {
        const std::string text = float_literal(*value);
        return {text, text[0] == '-' ? kUnary : kPrimary};
      }
    }
    return call_text("to_float", {print(expr)});
  }

  // A float or double rounded to a dtype; 8-bit floats saturate (cuda_fp8.h, the constructors).
  static Cpp rounded(DType to, const Cpp& value) {
    if (!is_narrow_float(to)) return value;
    return call_text("cast<" + cpp_type(to) + ">", {value});
  }

  // An element of an array of scalars, or the number of its elements up to a value (searchsorted).
  Cpp of_scalars(const Typed& expr, const Apply& apply) {
    const Spelling::ScalarArray array = spelling_.scalar_array(apply.attributes.scalar);
    if (apply.op == Op::searchsorted) {
      Cpp result = call_text(apply.attributes.left ? "searchsorted_left" : "searchsorted",
                             {{array.name}, print(array.extents[0]), print(apply.args[0])});
      return expr.dtype == DType::index ? result : from_index(result, expr.dtype);
    }
    Cpp index = print(apply.args[0]);
    for (size_t d = 1; d < apply.args.size(); ++d) {
      index = infix({"*", kMultiply, Op::multiply}, widened(index), print(array.extents[d]));
      index = infix({"+", kAdd, Op::add}, index, print(apply.args[d]));
    }
    Cpp element{array.name + "[" + index.text + "]"};
    // An index value is an int or an int64_t.
    const int bits = info(array.dtype).bits;
    element.wide = bits == 64 || array.dtype == DType::u32;
    if (expr.dtype != DType::index) return element;
    if (array.dtype == DType::u32 || array.dtype == DType::u64)
      return {"int64_t{" + element.text + "}", kPrimary, true};
    return element;
  }

  Cpp applied(const Typed& expr, const Apply& apply) {
    if (operation(apply.op).group == OpGroup::scalars) return of_scalars(expr, apply);
    const DType of = apply.args.empty() ? expr.dtype : apply.args[0]->dtype;
    if (apply.op == Op::random_bits) return call("random_bits", apply.args);
    if (apply.op == Op::cast && apply.attributes.precision == "tf32") return call("round_to_tf32", apply.args);
    if (apply.op == Op::cast) return cast(apply.args[0], expr.dtype);
    if (apply.op == Op::bitcast) return call_text("bitcast<" + cpp_type(expr.dtype) + ">", {print(apply.args[0])});
    if (apply.op == Op::where) {
      const Cpp then = print(apply.args[1]), otherwise = print(apply.args[2]);
      return {at_least(print(apply.args[0]), kConditional + 1) + " ? " + at_least(then, kConditional + 1) + " : " +
                  at_least(otherwise, kConditional),
              kConditional, then.wide || otherwise.wide};
    }
    if (apply.op == Op::logical_not) return {"!" + at_least(print(apply.args[0]), kUnary), kUnary};
    if (of == DType::index) return index(expr, apply);
    const bool to_bool = is_comparison(apply.op) || apply.op == Op::logical_and || apply.op == Op::logical_or;
    if (to_bool) return infix(*infix_of(apply.op), operand(apply.args[0]), operand(apply.args[1]));
    if (info(of).is_float) return floating(expr, apply);
    if (of == DType::boolean) return boolean(apply);
    return integer(expr, apply);
  }

  Cpp runtime(Op op, const std::vector<TypedPtr>& args) {
    const char* name = function_of(kRuntime, op);
    PALLASGEN_ASSERT(name != nullptr, args[0]->span);
    return call(name, args);
  }

  Cpp floating(const Typed& expr, const Apply& apply) {
    const DType of = apply.args[0]->dtype;
    if (apply.op == Op::isfinite) return call_text("isfinite", {operand(apply.args[0])});
    const bool choice = apply.op == Op::minimum || apply.op == Op::maximum || apply.op == Op::clamp;
    if (choice || apply.op == Op::isnan) return runtime(apply.op, apply.args);
    const Cpp value = computed(apply, of == DType::f64);
    return rounded(expr.dtype, value);
  }

  // An operation on floats in float or double.
  Cpp computed(const Apply& apply, bool is_double) {
    std::vector<Cpp> args;
    for (const TypedPtr& arg : apply.args) args.push_back(operand(arg));
    const Cpp one{is_double ? "1.0" : "1.0f"};
    const std::string suffix = is_double ? "" : "f";
    const char* fast = spelling_.approximate && !is_double ? approximation_of(apply) : nullptr;
    if (fast) return call_text(fast, args);
    switch (apply.op) {
      case Op::negate:
        return {"-" + at_least(args[0], args[0].text[0] == '-' ? kPrimary : kUnary), kUnary};
      case Op::rsqrt:
        return infix(*infix_of(Op::divide), one, call_text("sqrt" + suffix, args));
      default:
        break;
    }
    if (const Infix* row = infix_of(apply.op)) return infix(*row, args[0], args[1]);
    if (is_square(apply)) return call_text("square", {args[0]});
    if (const char* library = function_of(kLibrary, apply.op)) return call_text(library + suffix, args);
    const char* own = function_of(kRuntime, apply.op);
    PALLASGEN_ASSERT(own != nullptr, apply.args[0]->span);
    return call_text(own, args);
  }

  Cpp boolean(const Apply& apply) {
    const Cpp a = print(apply.args[0]);
    if (apply.op == Op::isnan || apply.op == Op::isfinite) return {apply.op == Op::isnan ? "false" : "true"};
    if (apply.op == Op::invert) return {"!" + at_least(a, kUnary), kUnary};
    const Op logical = apply.op == Op::bit_and || apply.op == Op::minimum  ? Op::logical_and
                       : apply.op == Op::bit_or || apply.op == Op::maximum ? Op::logical_or
                       : apply.op == Op::bit_xor                           ? Op::not_equal
                                                                           : apply.op;
    const Infix* row = infix_of(logical);
    PALLASGEN_ASSERT(row != nullptr, apply.args[0]->span);
    return infix(*row, a, print(apply.args[1]));
  }

  // Integers wrap. Signed overflow is undefined in C++, so those operations call functions of the runtime. C++ computes
  // narrow integers in int, so their results are cut to the type again.
  Cpp integer(const Typed& expr, const Apply& apply) {
    const DTypeInfo& type = info(expr.dtype);
    const bool narrow = type.bits < 32;
    const auto cut = [&](Cpp value) { return narrow ? call_text(cpp_type(expr.dtype), {value}) : value; };
    switch (apply.op) {
      case Op::floor:
      case Op::ceil:
      case Op::round:
      case Op::trunc:
        return print(apply.args[0]);
      case Op::invert:
        return cut({"~" + at_least(print(apply.args[0]), kUnary), kUnary});
      case Op::bit_and:
      case Op::bit_or:
      case Op::bit_xor:
        return cut(infix(*infix_of(apply.op), print(apply.args[0]), print(apply.args[1])));
      case Op::add:
      case Op::subtract:
      case Op::multiply:
        if (type.is_signed || narrow) break;
        return infix(*infix_of(apply.op), print(apply.args[0]), print(apply.args[1]));
      case Op::shift_left:
      case Op::shift_right: {
        const auto by = constant_value(apply.args[1]);
        if (!by || *by < 0 || *by >= type.bits) break;
        return cut(infix(*infix_of(apply.op), print(apply.args[0]), Cpp{std::to_string(*by)}));
      }
      case Op::isfinite:
        return {"true"};
      case Op::fma:
        return call_text("wrap_add", {call("wrap_multiply", {apply.args[0], apply.args[1]}), print(apply.args[2])});
      default:
        break;
    }
    return runtime(apply.op, apply.args);
  }

  Cpp cast(const TypedPtr& from, DType to) {
    const DType of = from->dtype;
    const std::string type = cpp_type(to);
    if (of == DType::index) return from_index(print(from), to);
    if (of == to) return print(from);
    if (to == DType::f32 && is_narrow_float(of)) return operand(from);
    const bool exact_or_nearest = (to == DType::f32 || to == DType::f64) && !is_narrow_float(of);
    const bool wraps = info(to).is_integer && (info(of).is_integer || of == DType::boolean);
    if (exact_or_nearest || wraps) return call_text(type, {print(from)});
    return call_text("cast<" + type + ">", {print(from)});
  }

  // An index value as a value of a dtype.
  Cpp from_index(const Cpp& value, DType to) const {
    if (to == DType::index || to == (value.wide ? DType::i64 : DType::i32)) return value;
    if (to == DType::boolean || is_narrow_float(to)) return call_text("cast<" + cpp_type(to) + ">", {value});
    return call_text(cpp_type(to), {value});
  }

  // The index form of an i32 sum of products of index values and constants: wrapping gives the low bits of the exact
  // result. For i64 it must be a sum without scalars, which is exact.
  std::optional<TypedPtr> as_index(const TypedPtr& expr) const {
    const bool exact = expr->dtype == DType::i64;
    if (expr->dtype != DType::i32 && !exact) return std::nullopt;
    if (const Constant* constant = exact ? nullptr : expr->as<Constant>())
      return make_typed(expr->span, DType::index, {}, *constant);
    if (const Symbol* symbol = expr->as<Symbol>(); symbol && symbol->kind != SymbolKind::scalar)
      return make_typed(expr->span, DType::index, {}, *symbol);
    const Apply* apply = expr->as<Apply>();
    if (!apply) return std::nullopt;
    if (apply->op == Op::cast && apply->args[0]->dtype == DType::index) return apply->args[0];
    if (apply->op != Op::add && apply->op != Op::subtract && (exact || apply->op != Op::multiply)) return std::nullopt;
    const auto a = as_index(apply->args[0]), b = as_index(apply->args[1]);
    if (!a || !b || (exact && (has_scalars(*a) || has_scalars(*b)))) return std::nullopt;
    return make_typed(expr->span, DType::index, {}, Apply{apply->op, {*a, *b}, {}});
  }

  bool fits_int(const Typed& expr) const {
    if (width_ == IndexWidth::plain) return true;
    const TypedPtr shared(std::shared_ptr<const Typed>(), &expr);
    const Bounds range = bounds(shared, spelling_.facts);
    return range.minimum && range.maximum && *range.minimum >= std::numeric_limits<int32_t>::min() &&
           *range.maximum <= std::numeric_limits<int32_t>::max();
  }

  bool never_negative(const TypedPtr& expr) const {
    const Bounds range = bounds(expr, spelling_.facts);
    return range.minimum && *range.minimum >= 0;
  }

  static Cpp widened(const Cpp& value) { return {"int64_t(" + value.text + ")", kPrimary, true}; }

  // A shift of an index value, in the width of its left operand. The runtime shifts if the count may be negative or
  // reach the number of bits.
  Cpp shifted(const Typed& expr, const Apply& apply, Cpp a, const Cpp& b) {
    if (apply.op == Op::shift_left && !a.wide && !fits_int(expr)) a = widened(a);
    const Bounds by = bounds(apply.args[1], spelling_.facts);
    const bool within = by.minimum && *by.minimum >= 0 && by.maximum && *by.maximum < (a.wide ? 64 : 32);
    if (!within)
      return {call_text(std::string(function_of(kRuntime, apply.op)) + "<int64_t>", {a, b}).text, kPrimary, true};
    Cpp value = infix(*infix_of(apply.op), a, b);
    value.wide = a.wide;
    return value;
  }

  // Exact integer arithmetic on index values.
  Cpp index(const Typed& expr, const Apply& apply) {
    Cpp a = print(apply.args[0]);
    if (apply.op == Op::negate) return {"-" + at_least(a, a.text[0] == '-' ? kPrimary : kUnary), kUnary, a.wide};
    if (apply.op == Op::abs || apply.op == Op::sign) {
      const std::string name = function_of(kRuntime, apply.op);
      Cpp result = call_text(a.wide ? name + "<int64_t>" : name, {a});
      result.wide = a.wide;
      return result;
    }
    PALLASGEN_ASSERT(apply.args.size() == 2, expr.span);
    Cpp b = print(apply.args[1]);
    const Apply* raised = apply.op == Op::minimum ? apply.args[0]->applies(Op::maximum) : nullptr;
    if (raised) {
      const Cpp x = print(raised->args[0]), low = print(raised->args[1]);
      const bool wide = x.wide || low.wide || b.wide;
      return {call_text(wide ? "clamp<int64_t>" : "clamp<int>", {x, low, b}).text, kPrimary, wide};
    }
    if (apply.op == Op::shift_left || apply.op == Op::shift_right) return shifted(expr, apply, a, b);
    const bool grows = apply.op == Op::add || apply.op == Op::subtract || apply.op == Op::multiply;
    if (grows && !a.wide && !b.wide && !fits_int(expr)) {
      // One wide operand makes the operation wide; a literal reads better unchanged.
      Cpp& one = apply.args[0]->as<Constant>() ? b : a;
      one = widened(one);
    }
    const bool wide = a.wide || b.wide;
    const auto as_wide = [&](Cpp value) {
      value.wide = wide;
      return value;
    };
    const std::string type = wide ? "<int64_t>" : "<int>";
    const bool natural = never_negative(apply.args[0]) && never_negative(apply.args[1]);
    const Infix quotient{"/", kMultiply, Op::floor_divide}, remainder{"%", kMultiply, Op::modulo};
    switch (apply.op) {
      case Op::floor_divide:
        return as_wide(natural ? infix(quotient, a, b) : call_text("floor_divide" + type, {a, b}));
      case Op::modulo:
        return as_wide(natural ? infix(remainder, a, b) : call_text("floor_modulo" + type, {a, b}));
      case Op::minimum:
        return as_wide(call_text("minimum" + type, {a, b}));
      case Op::maximum:
        return as_wide(call_text("maximum" + type, {a, b}));
      case Op::power:
        return {call_text("power<int64_t>", {a, b}).text, kPrimary, true};
      case Op::cdiv: {
        Cpp result = call_text(natural ? "ceil_div" : "ceil_divide<int64_t>", {a, b});
        result.wide = true;
        return result;
      }
      default:
        break;
    }
    const Infix* row = infix_of(apply.op);
    PALLASGEN_ASSERT(row != nullptr, expr.span);
    // Integer sums and products are exact in any order, as long as the first intermediate result fits too.
    if (b.level == row->level && (a.wide || !wide) && goes_on(apply.op, apply.args[1], spelling_.facts))
      return as_wide({at_least(a, row->level) + " " + row->symbol + " " + b.text, row->level});
    return as_wide(infix(*row, a, b));
  }

  const Spelling& spelling_;
  IndexWidth width_;
};

}  // namespace

std::string cpp_expression(const TypedPtr& expr, const Spelling& spelling, IndexWidth width) {
  return Printer(spelling, width).print(expr).text;
}

bool is_wide(const TypedPtr& expr, const Spelling& spelling) {
  return Printer(spelling, IndexWidth::exact).print(expr).wide;
}

std::string cpp_coordinate(const TypedPtr& expr, const Spelling& spelling) {
  const Cpp value = Printer(spelling, IndexWidth::plain).print(expr);
  return value.wide ? "int(" + value.text + ")" : value.text;
}

std::string cpp_condition(const TypedPtr& expr, const Spelling& spelling) {
  return at_least(Printer(spelling, IndexWidth::exact).print(expr), kConditional + 1);
}

std::string cpp_conjunct(const TypedPtr& expr, const Spelling& spelling) {
  return at_least(Printer(spelling, IndexWidth::exact).print(expr), kEquality);
}

}  // namespace pallasgen
