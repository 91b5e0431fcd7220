#include <fmt/format.h>

#include <algorithm>

#include "expression/expr.h"
#include "expression/python.h"
#include "expression/rules.h"
#include "parser.h"

namespace pallasgen {
namespace {

constexpr std::pair<std::string_view, BinaryOp> kUpdates[] = {
    {"+=", BinaryOp::add},          {"-=", BinaryOp::subtract},      {"*=", BinaryOp::multiply},
    {"/=", BinaryOp::divide},       {"//=", BinaryOp::floor_divide}, {"%=", BinaryOp::modulo},
    {"**=", BinaryOp::power},       {"@=", BinaryOp::matmul},        {"<<=", BinaryOp::shift_left},
    {">>=", BinaryOp::shift_right}, {"&=", BinaryOp::bit_and},       {"|=", BinaryOp::bit_or},
    {"^=", BinaryOp::bit_xor}};

// Makes `name = …` or `a, b = …` of targets that have been read.
std::optional<StatementSyntax> assignment(const std::vector<ExprPtr>& targets, ExprPtr value,
                                          Diagnostics& diagnostics) {
  AssignSyntax out;
  for (const ExprPtr& target : targets) {
    const NameExpr* name = target->as<NameExpr>();
    if (name == nullptr || name->name == "_") {
      diagnostics.error(
          kSyntaxStatement, target->span,
          fmt::format("'{}' cannot be assigned to: write 'name = …' or 'ref[index] = …'", to_string(*target)));
      return std::nullopt;
    }
    for (size_t i = 0; i < out.names.size(); ++i) {
      if (out.names[i] != name->name) continue;
      diagnostics.error(kSyntaxStatement, target->span, fmt::format("'{}' is assigned twice", name->name))
          .note(out.name_spans[i], "first here");
      return std::nullopt;
    }
    out.names.push_back(name->name);
    out.name_spans.push_back(target->span);
  }
  if (targets.size() > 1 && value->as<CallExpr>() == nullptr) {
    diagnostics.error(kSyntaxStatement, value->span,
                      fmt::format("{} names take the results of one call: write 'a, b = call(…)', or one assignment "
                                  "for each",
                                  targets.size()));
    return std::nullopt;
  }
  out.value = std::move(value);
  return out;
}

std::optional<StatementSyntax> update(const std::vector<ExprPtr>& targets, BinaryOp op, ExprPtr value,
                                      Diagnostics& diagnostics) {
  const ExprPtr& target = targets[0];
  if (targets.size() == 1 && target->as<SubscriptExpr>() != nullptr) {
    return StoreSyntax{target, op, std::move(value)};
  }
  std::string text = to_string(*target);
  std::string_view symbol = symbol_of(op);
  bool name = targets.size() == 1 && target->as<NameExpr>() != nullptr;
  diagnostics.error(kSyntaxStatement, target->span,
                    name ? fmt::format("'{}=' updates elements of a ref: write '{}[...] {}= …' for a ref, or "
                                       "'{} = {} {} …' for a name",
                                       symbol, text, symbol, text, text, symbol)
                         : fmt::format("'{}' cannot be updated: write 'ref[index] {}= …'", text, symbol));
  return std::nullopt;
}

std::optional<StatementSyntax> effect(const std::vector<ExprPtr>& exprs, Diagnostics& diagnostics) {
  const ExprPtr& expr = exprs[0];
  if (exprs.size() == 1 && expr->as<CallExpr>() != nullptr) return CallSyntax{expr};
  const CompareExpr* compare = expr->as<CompareExpr>();
  bool equal = exprs.size() == 1 && compare != nullptr && compare->ops[0] == CompareOp::equal;
  diagnostics.error(
      kSyntaxStatement, join(expr->span, exprs.back()->span),
      equal ? fmt::format("this compares and has no effect: to assign write '{} = …'", to_string(*compare->operands[0]))
            : std::string("this computes a value and has no effect: write 'name = …', "
                          "'ref[index] = …' or a call for its effect"));
  return std::nullopt;
}

// True, with an error, if the text is a statement of Python.
bool is_of_python(const Parser& parser, std::string_view text, Diagnostics& diagnostics) {
  const std::string remedy = remedy_for_python(text);
  if (remedy.empty()) return false;
  const Token& word = parser.peek();
  // A name of the spec may be such a word, but an operand never follows another one directly.
  const bool operand = parser.peek(1).kind == TokenKind::name || parser.peek(1).kind == TokenKind::integer;
  if (!operand && word.text != "if" && word.text != "else" && word.text != "print") return false;
  diagnostics
      .error(kSyntaxStatement, parser.place(word),
             fmt::format("'{}' begins a statement of Python: here an entry of the body has a key for it", word.text))
      .note(remedy);
  return true;
}

}  // namespace

std::optional<StatementSyntax> parse_statement(std::string_view text, Span span, Diagnostics& diagnostics) {
  Parser parser(text, span, diagnostics);
  if (!parser.good() || is_of_python(parser, text, diagnostics)) return std::nullopt;
  std::vector<ExprPtr> targets;
  do {
    ExprPtr target = parser.expression();
    if (!target) return std::nullopt;
    targets.push_back(std::move(target));
  } while (parser.accept(","));
  if (parser.at_end()) return effect(targets, diagnostics);

  auto op = std::find_if(std::begin(kUpdates), std::end(kUpdates),
                         [&](const auto& row) { return parser.peek().is(row.first); });
  bool updates = op != std::end(kUpdates);
  if (updates) {
    parser.accept(op->first);
  } else if (!parser.accept("=")) {
    parser.unexpected("an operator, '=' or the end");
    return std::nullopt;
  }
  ExprPtr value = parser.expression();
  if (!value) return std::nullopt;
  if (parser.peek().is("=")) {
    diagnostics.error(kSyntaxStatement, parser.place(parser.peek()),
                      "one statement assigns once: write the second assignment as an entry of its own");
    return std::nullopt;
  }
  if (!parser.expect_end()) return std::nullopt;
  if (updates) return update(targets, op->second, std::move(value), diagnostics);
  if (targets.size() == 1 && targets[0]->as<SubscriptExpr>() != nullptr) {
    return StoreSyntax{targets[0], std::nullopt, std::move(value)};
  }
  return assignment(targets, std::move(value), diagnostics);
}

}  // namespace pallasgen
