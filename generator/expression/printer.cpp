#include <array>
#include <charconv>
#include <cmath>

#include "expression/expr.h"
#include "precedence.h"

namespace pallasgen {
namespace {

struct BinaryRow {
  std::string_view symbol;
  Precedence precedence;
};
// In the order of BinaryOp.
constexpr std::array<BinaryRow, 15> kBinary = {{{"+", kSum},
                                                {"-", kSum},
                                                {"*", kProduct},
                                                {"/", kProduct},
                                                {"//", kProduct},
                                                {"%", kProduct},
                                                {"**", kPower},
                                                {"@", kProduct},
                                                {"<<", kShift},
                                                {">>", kShift},
                                                {"&", kBitAnd},
                                                {"|", kBitOr},
                                                {"^", kBitXor},
                                                {"and", kAnd},
                                                {"or", kOr}}};
constexpr std::array<std::string_view, 4> kUnary = {"-", "+", "not", "~"};
constexpr std::array<std::string_view, 6> kCompareSymbols = {"<", "<=", ">", ">=", "==", "!="};

Precedence stronger(Precedence p) { return static_cast<Precedence>(p + 1); }

std::string quoted(const std::string& value) {
  std::string out = "\"";
  for (char c : value) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else {
      out += c;
    }
  }
  return out + "\"";
}

// The literal's own text; for a number that a program made, which has none, the shortest one that reads back to it.
std::string float_text(const FloatLiteral& literal) {
  if (!literal.text.empty()) return literal.text;
  if (std::isnan(literal.value)) return "nan";
  if (std::isinf(literal.value)) return literal.value < 0 ? "-inf" : "inf";
  std::array<char, 32> buffer;
  auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), literal.value).ptr;
  std::string text(buffer.data(), end);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

class Printer {
 public:
  explicit Printer(const OtherNames& names = {}) : names_(names) {}

  // `expr` in a place where a tree of at least this precedence needs no parentheses.
  std::string print(const ExprPtr& expr, Precedence at_least) const {
    auto [text, precedence] = std::visit(*this, expr->node);
    return precedence < at_least ? "(" + text + ")" : text;
  }

  using Printed = std::pair<std::string, Precedence>;

  Printed operator()(const IntegerLiteral& e) const { return {std::to_string(e.value), kAtom}; }
  Printed operator()(const FloatLiteral& e) const {
    std::string text = float_text(e);
    return {text, text[0] == '-' ? kSign : kAtom};
  }
  Printed operator()(const BoolLiteral& e) const { return {e.value ? "true" : "false", kAtom}; }
  Printed operator()(const NoneLiteral&) const { return {"None", kAtom}; }
  Printed operator()(const EllipsisLiteral&) const { return {"...", kAtom}; }
  Printed operator()(const NameExpr& e) const {
    const auto other = names_.find(e.name);
    return {other == names_.end() ? e.name : other->second, kAtom};
  }
  Printed operator()(const StringExpr& e) const { return {quoted(e.value), kAtom}; }

  Printed operator()(const UnaryExpr& e) const {
    if (e.op == UnaryOp::logical_not) return {"not " + print(e.operand, kNot), kNot};
    return {std::string(symbol_of(e.op)) + print(e.operand, kSign), kSign};
  }

  Printed operator()(const BinaryExpr& e) const {
    Precedence p = kBinary[static_cast<size_t>(e.op)].precedence;
    bool power = e.op == BinaryOp::power;
    std::string left = print(e.left, power ? kPostfix : p);
    std::string right = print(e.right, power ? kSign : stronger(p));
    return {left + " " + std::string(symbol_of(e.op)) + " " + right, p};
  }

  Printed operator()(const CompareExpr& e) const {
    std::string out = print(e.operands[0], kBitOr);
    for (size_t i = 0; i < e.ops.size(); ++i) {
      // Between two comparisons, `&`, `|` and `^` need parentheses.
      const Precedence least = i + 1 < e.ops.size() ? kShift : kBitOr;
      out += " " + std::string(symbol_of(e.ops[i])) + " " + print(e.operands[i + 1], least);
    }
    return {out, kCompare};
  }

  Printed operator()(const ConditionalExpr& e) const {
    return {print(e.then, kOr) + " if " + print(e.condition, kOr) + " else " + print(e.otherwise, kConditional),
            kConditional};
  }

  Printed operator()(const CallExpr& e) const {
    std::string args = list(e.args);
    for (const KeywordArgument& keyword : e.keywords) {
      args += (args.empty() ? "" : ", ") + keyword.name + "=" + print(keyword.value, kConditional);
    }
    return {print(e.callee, kPostfix) + "(" + args + ")", kPostfix};
  }

  Printed operator()(const SubscriptExpr& e) const {
    return {print(e.base, kPostfix) + "[" + list(e.items) + "]", kPostfix};
  }

  Printed operator()(const AttributeExpr& e) const {
    // `1.T` would read as a number.
    bool number = e.base->as<IntegerLiteral>() != nullptr || e.base->as<FloatLiteral>() != nullptr;
    std::string base = print(e.base, kPostfix);
    return {(number ? "(" + base + ")" : base) + "." + e.name, kPostfix};
  }

  Printed operator()(const SliceExpr& e) const {
    auto part = [&](const ExprPtr& expr) { return expr == nullptr ? std::string() : print(expr, kConditional); };
    return {part(e.start) + ":" + part(e.stop) + (e.step == nullptr ? "" : ":" + part(e.step)), kAtom};
  }

  Printed operator()(const ListExpr& e) const { return {"[" + list(e.items) + "]", kAtom}; }
  Printed operator()(const TupleExpr& e) const {
    return {"(" + list(e.items) + (e.items.size() == 1 ? ",)" : ")"), kAtom};
  }
  Printed operator()(const MappingExpr& e) const {
    std::string out;
    for (const KeywordArgument& entry : e.entries) {
      out += (out.empty() ? "" : ", ") + entry.name + ": " + print(entry.value, kConditional);
    }
    return {"{" + out + "}", kAtom};
  }

 private:
  std::string list(const std::vector<ExprPtr>& exprs) const {
    std::string out;
    for (const ExprPtr& expr : exprs) out += (out.empty() ? "" : ", ") + print(expr, kConditional);
    return out;
  }

  OtherNames names_;
};

struct StatementPrinter {
  std::string operator()(const AssignSyntax& s) const {
    std::string out;
    for (const std::string& name : s.names) out += (out.empty() ? "" : ", ") + name;
    return out + " = " + to_string(*s.value);
  }
  std::string operator()(const StoreSyntax& s) const {
    std::string op = s.op ? std::string(symbol_of(*s.op)) : std::string();
    return to_string(*s.target) + " " + op + "= " + to_string(*s.value);
  }
  std::string operator()(const CallSyntax& s) const { return to_string(*s.call); }
};

}  // namespace

std::string to_string(const Expr& expr, const OtherNames& names) { return std::visit(Printer(names), expr.node).first; }
std::string to_string(const StatementSyntax& statement) { return std::visit(StatementPrinter{}, statement); }
std::string_view symbol_of(BinaryOp op) { return kBinary[static_cast<size_t>(op)].symbol; }
std::string_view symbol_of(UnaryOp op) { return kUnary[static_cast<size_t>(op)]; }
std::string_view symbol_of(CompareOp op) { return kCompareSymbols[static_cast<size_t>(op)]; }

}  // namespace pallasgen
