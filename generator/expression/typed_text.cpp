#include <fmt/format.h>

#include <cmath>

#include "expression/constant_text.h"
#include "expression/index_text.h"
#include "expression/typed.h"
#include "precedence.h"

namespace pallasgen {

namespace {

int level_of(Op op) {
  switch (op) {
    case Op::logical_or:
      return kOr;
    case Op::logical_and:
      return kAnd;
    case Op::logical_not:
      return kNot;
    case Op::less:
    case Op::less_equal:
    case Op::greater:
    case Op::greater_equal:
    case Op::equal:
    case Op::not_equal:
      return kCompare;
    case Op::bit_or:
      return kBitOr;
    case Op::bit_xor:
      return kBitXor;
    case Op::bit_and:
      return kBitAnd;
    case Op::shift_left:
    case Op::shift_right:
      return kShift;
    case Op::add:
    case Op::subtract:
      return kSum;
    case Op::multiply:
    case Op::divide:
    case Op::floor_divide:
    case Op::modulo:
      return kProduct;
    case Op::negate:
    case Op::invert:
      return kSign;
    case Op::power:
      return kPower;
    default:
      return kAtom;
  }
}

std::string scalar_text(const Scalar& value) {
  if (const bool* truth = std::get_if<bool>(&value)) return *truth ? "true" : "false";
  if (const int64_t* integer = std::get_if<int64_t>(&value)) return fmt::format("{}", *integer);
  const double number = std::get<double>(value);
  if (std::isnan(number)) return "nan";
  if (std::isinf(number)) return number < 0 ? "-inf" : "inf";
  std::string text = fmt::format("{}", number);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

int level_of(std::string_view name) {
  static constexpr int kLevels[] = {kSum, kProduct, kSign, kAtom};
  return kLevels[static_cast<size_t>(level_of_name(name))];
}

// True if the text of an operand does not show its dtype: a constant, or an index value that took a dtype.
bool is_weak(const TypedPtr& expr) {
  if (expr->dtype == DType::index || expr->dtype == DType::literal || expr->dtype == DType::boolean) return false;
  if (expr->as<Constant>()) return true;
  const Apply* cast = expr->applies(Op::cast);
  return cast && (cast->args[0]->dtype == DType::index || cast->args[0]->dtype == DType::literal);
}

class TypedPrinter {
 public:
  explicit TypedPrinter(TypedText form) : exact_(form == TypedText::exact) {}

  std::string print(const TypedPtr& expr, int level) const;
  // `in_list`: the list of load(…), where a slice is ds(…).
  std::string items_text(const std::vector<IndexItem>& items, bool in_list = false) const {
    std::string out;
    for (const IndexItem& item : items) out += (out.empty() ? "" : ", ") + item_text(item, in_list);
    return out;
  }

 private:
  // An operand among others that may give it its dtype; `settled` if one of them does.
  std::string operand(const TypedPtr& expr, int level, bool settled) const {
    if (!exact_ || settled || !is_weak(expr) || is_high_word(expr)) return print(expr, level);
    return fmt::format("{}({})", name_of(expr->dtype), print(expr, kConditional));
  }

  static std::string integer_text(int64_t value) {
    if (value == INT64_MIN) return "-9223372036854775807 - 1";
    return fmt::format("{}", value);
  }

  // A word of random_bits, which takes the bits of any integer as they are.
  std::string word(const TypedPtr& expr) const {
    const Apply* cast = expr->applies(Op::cast);
    if (exact_ && cast && expr->dtype == DType::u64 && cast->args[0]->dtype == DType::index)
      return print(cast->args[0], kConditional);
    return print(expr, kConditional);
  }

  // True for a u64 constant above the literals of the language, which is written by its bits.
  static bool is_high_word(const TypedPtr& expr) {
    const Constant* constant = expr->as<Constant>();
    const int64_t* integer = constant ? std::get_if<int64_t>(&constant->value) : nullptr;
    return expr->dtype == DType::u64 && integer && *integer < 0;
  }

  static bool settles(const TypedPtr& expr) {
    return (!is_weak(expr) || is_high_word(expr)) && expr->dtype != DType::index && expr->dtype != DType::literal;
  }

  // A list of operands, of which those from `first` on share a dtype.
  std::string list(const std::vector<TypedPtr>& args, size_t first = 0) const {
    bool settled = false;
    for (size_t i = first; i < args.size(); ++i) settled = settled || settles(args[i]);
    std::string out;
    for (size_t i = 0; i < args.size(); ++i)
      out += (out.empty() ? "" : ", ") + operand(args[i], kConditional, i >= first && settled);
    return out;
  }

  std::string item_text(const IndexItem& item, bool in_list) const;
  std::string call_text(const Typed& expr, const Apply& node) const;
  std::string read_text(const RefRead& read) const;

  bool exact_;
};

std::string shape_text(const Shape& shape) { return fmt::format("[{}]", fmt::join(shape, ", ")); }

std::string axes_text(const std::vector<int64_t>& axes) {
  return axes.size() == 1 ? fmt::format("{}", axes[0]) : fmt::format("({})", fmt::join(axes, ", "));
}

std::string TypedPrinter::item_text(const IndexItem& item, bool in_list) const {
  if (const auto* integer = std::get_if<IndexInteger>(&item)) return print(integer->value, kConditional);
  if (const auto* gather = std::get_if<IndexGather>(&item)) return operand(gather->indices, kConditional, false);
  if (std::holds_alternative<IndexNewAxis>(item)) return "None";
  const IndexSlice& slice = std::get<IndexSlice>(item);
  const std::optional<int64_t> start = constant_value(slice.start);
  if (start && !(exact_ && in_list && slice.step == 1)) {
    const std::string stop = fmt::format("{}:{}", *start, *start + (slice.size - 1) * slice.step + 1);
    return slice.step == 1 ? stop : fmt::format("{}:{}", stop, slice.step);
  }
  return fmt::format("ds({}, {})", print(slice.start, kConditional), slice.size);
}

std::string TypedPrinter::call_text(const Typed& expr, const Apply& node) const {
  const OpAttributes& attributes = node.attributes;
  const std::string_view name = operation(node.op).name;
  switch (node.op) {
    case Op::cast: {
      // An index value or a literal takes its dtype implicitly.
      const DType from = node.args[0]->dtype;
      if (from == DType::index || from == DType::literal) return print(node.args[0], kAtom);
      return fmt::format("{}.astype({})", operand(node.args[0], kAtom, false), name_of(expr.dtype));
    }
    case Op::bitcast:
      return fmt::format("bitcast({}, {})", list(node.args), name_of(expr.dtype));
    case Op::reshape:
    case Op::broadcast_to:
      return fmt::format("{}({}, {})", name, list(node.args), shape_text(expr.shape));
    case Op::transpose:
      return fmt::format("transpose({}, {})", list(node.args), shape_text(attributes.axes));
    case Op::expand_dims:
    case Op::squeeze:
      return fmt::format("{}({}, {})", name, list(node.args), axes_text(attributes.axes));
    case Op::concatenate:
      return fmt::format("concatenate([{}], {})", list(node.args), axes_text(attributes.axes));
    case Op::iota:
      return fmt::format("iota({}, {}, {})", name_of(expr.dtype), shape_text(expr.shape), axes_text(attributes.axes));
    case Op::full:
      return fmt::format("full({}, {}, {})", name_of(expr.dtype), shape_text(expr.shape),
                         operand(node.args[0], kConditional, true));
    case Op::slice:
      return fmt::format("{}[{}]", operand(node.args[0], kAtom, false), items_text(attributes.items));
    case Op::valid:
      return fmt::format("valid({})", attributes.name);
    case Op::element:
      return fmt::format("{}[{}]", attributes.name, list(node.args));
    case Op::searchsorted:
      return fmt::format("searchsorted({}, {}{})", attributes.name, list(node.args),
                         attributes.left ? ", side=left" : "");
    case Op::random_bits:
      return fmt::format("random_bits({}, [{}, {}], {})", word(node.args[0]), word(node.args[1]), word(node.args[2]),
                         shape_text(expr.shape));
    case Op::dot: {
      std::string out = "dot(" + list({dot_operand(node, 0), dot_operand(node, 1)});
      if (attributes.trans_a) out += ", trans_a=true";
      if (attributes.trans_b) out += ", trans_b=true";
      if (!attributes.precision.empty()) out += ", precision=" + attributes.precision;
      if (attributes.scales_a) out += ", a_scale=" + print(node.args[2], kConditional);
      if (attributes.scales_b) out += ", b_scale=" + print(node.args.back(), kConditional);
      return out + ")";
    }
    default:
      break;
  }
  std::string out = fmt::format("{}({}", name, list(node.args, node.op == Op::where ? 1 : 0));
  if (operation(node.op).group == OpGroup::reduce) {
    if (attributes.axes.size() < node.args[0]->shape.size() || is_scan(node.op)) {
      out += ", axis=" + axes_text(attributes.axes);
    }
    if (attributes.keepdims) out += ", keepdims=true";
  }
  return out + ")";
}

std::string TypedPrinter::print(const TypedPtr& expr, int level) const {
  if (!expr) return "?";
  if (!exact_ && expr->call) return *expr->call;
  const auto wrap = [&](int own, std::string text) { return own < level ? "(" + text + ")" : text; };
  if (const Constant* constant = expr->as<Constant>()) {
    if (!constant->name.empty()) return wrap(level_of(constant->name), constant->name);
    const int64_t* integer = std::get_if<int64_t>(&constant->value);
    if (exact_ && is_high_word(expr)) return fmt::format("bitcast(i64({}), u64)", integer_text(*integer));
    if (exact_ && integer && *integer == INT64_MIN) return wrap(kSum, integer_text(*integer));
    std::string text = scalar_text(constant->value);
    return text[0] == '-' ? wrap(kSign, text) : text;
  }
  if (const Symbol* symbol = expr->as<Symbol>()) {
    if (symbol->kind == SymbolKind::ticket) return "ticket()";
    return symbol->kind == SymbolKind::axis_size ? "num_programs(" + symbol->name + ")" : symbol->name;
  }
  if (const LocalUse* local = expr->as<LocalUse>()) return local->name;
  if (const CallFunction* call = expr->as<CallFunction>()) return call->name + "(" + list(call->args) + ")";
  if (const RefRead* read = expr->as<RefRead>()) return read_text(*read);
  const Apply& node = *expr->as<Apply>();
  const int own = level_of(node.op);
  if (node.op == Op::where && expr->shape.empty() && node.args[0]->shape.empty()) {
    const bool settled = settles(node.args[1]) || settles(node.args[2]);
    return wrap(kConditional, fmt::format("{} if {} else {}", operand(node.args[1], kOr, settled),
                                          print(node.args[0], kOr), operand(node.args[2], kConditional, settled)));
  }
  if (own == kAtom) return call_text(*expr, node);
  if (node.args.size() == 1) {
    const std::string space = node.op == Op::logical_not ? " " : "";
    return wrap(own, std::string(operation(node.op).name) + space + operand(node.args[0], own, false));
  }
  // Comparisons do not chain here; powers associate to the right, the other operators to the left.
  const int left = own == kCompare || own == kPower ? own + 1 : own;
  const int right = own == kPower ? kSign : own + 1;
  // The exponent of a power takes the dtype of the base.
  const bool settled = settles(node.args[0]) || (settles(node.args[1]) && node.op != Op::power);
  return wrap(own, fmt::format("{} {} {}", operand(node.args[0], left, settled), operation(node.op).name,
                               operand(node.args[1], right, settled || node.op == Op::power)));
}

std::string TypedPrinter::read_text(const RefRead& read) const {
  if (!read.mask && !read.other && read.order == MemoryOrder::weak)
    return read.whole ? read.name : read.name + "[" + items_text(read.index) + "]";
  std::string out = fmt::format("load({}, [{}]", read.name, read.whole ? "..." : items_text(read.index, true));
  if (read.mask) out += ", mask=" + print(read.mask, kConditional);
  if (read.other) out += ", other=" + print(read.other, kConditional);
  if (read.order != MemoryOrder::weak) out += fmt::format(", order={}", name_of(read.order));
  return out + ")";
}

}  // namespace

std::string index_list_text(const std::vector<IndexItem>& items) {
  return "[" + TypedPrinter(TypedText::exact).items_text(items, true) + "]";
}

std::string to_string(const TypedPtr& expr, TypedText form) { return TypedPrinter(form).print(expr, kConditional); }

}  // namespace pallasgen
