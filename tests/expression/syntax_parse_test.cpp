#include <doctest/doctest.h>
#include <fmt/format.h>

#include "expression/expr.h"
#include "expression/rules.h"

using namespace pallasgen;

namespace {

// Returns the canonical text, or `rule@column: message` of the first error.
std::string parsed(const std::string& text) {
  Sources sources;
  const SourceText& source = sources.add("t", text);
  Diagnostics diagnostics;
  ExprPtr expr = parse_expression(text, {&source, 0, static_cast<uint32_t>(text.size())}, diagnostics);
  CHECK((expr == nullptr) == diagnostics.has_errors());
  if (expr != nullptr) return to_string(*expr);
  CHECK(diagnostics.errors() == 1);
  const Diagnostic& d = diagnostics.all()[0];
  return fmt::format("{}@{}", d.rule, source.position(d.span.begin).column);
}

// Returns the text with every operation in parentheses, to show the grouping.
std::string grouped(const ExprPtr& e) {
  if (auto* b = e->as<BinaryExpr>()) {
    return fmt::format("({} {} {})", grouped(b->left), symbol_of(b->op), grouped(b->right));
  }
  if (auto* u = e->as<UnaryExpr>()) return fmt::format("({} {})", symbol_of(u->op), grouped(u->operand));
  if (auto* c = e->as<ConditionalExpr>()) {
    return fmt::format("({} if {} else {})", grouped(c->then), grouped(c->condition), grouped(c->otherwise));
  }
  if (auto* c = e->as<CompareExpr>()) {
    std::string out = "(" + grouped(c->operands[0]);
    for (size_t i = 0; i < c->ops.size(); ++i) {
      out += fmt::format(" {} {}", symbol_of(c->ops[i]), grouped(c->operands[i + 1]));
    }
    return out + ")";
  }
  return to_string(*e);
}

std::string grouping(const std::string& text) {
  Diagnostics diagnostics;
  ExprPtr expr = parse_expression(text, {}, diagnostics);
  REQUIRE(expr != nullptr);
  return grouped(expr);
}

}  // namespace

TEST_CASE("precedence is Python's") {
  CHECK(grouping("a + b * c") == "(a + (b * c))");
  CHECK(grouping("a - b - c") == "((a - b) - c)");
  CHECK(grouping("-x ** 2") == "(- (x ** 2))");
  CHECK(grouping("2 ** -1") == "(2 ** (- 1))");
  CHECK(grouping("a ** b ** c") == "(a ** (b ** c))");
  CHECK(grouping("a < b <= c == d") == "(a < b <= c == d)");
  CHECK(grouping("not a == b") == "(not (a == b))");
  CHECK(grouping("not a or b and c") == "((not a) or (b and c))");
  CHECK(grouping("a | b ^ c & d << e + f @ g") == "(a | (b ^ (c & (d << (e + (f @ g))))))");
  CHECK(grouping("a if b else c if d else e") == "(a if b else (c if d else e))");
  CHECK(grouping("a or b if c and d else e") == "((a or b) if (c and d) else e)");
  CHECK(grouping("a // b % c / d") == "(((a // b) % c) / d)");
  CHECK(grouping("~a & -b") == "((~ a) & (- b))");
  CHECK(grouping("a < b | c") == "(a < (b | c))");
  CHECK(grouping("a < (b | c) < d & e") == "(a < (b | c) < (d & e))");
}

TEST_CASE("every form of the language parses and prints") {
  for (const char* text : {"acc[...] + dot(a, b, trans_b=true)",
                           "activation(acc[...]).astype(bf16)",
                           "k == num_programs(k) - 1",
                           "cdiv(min(T, (i + 1) * bq), bkv) if causal else cdiv(T, bkv)",
                           "new_m[:, None]",
                           "x[i, :, 2:5, ds(start, n), ...]",
                           "x[::2, 1::3, :4]",
                           "x.at[i, 0]",
                           "b.T",
                           "grad(f)(x)",
                           "where(cols < T and (rows >= cols or not causal), s, -inf)",
                           "element(bm, 1, 1)",
                           "cluster_ref(buf, {c: 1 - i})",
                           "iota(i32, [bq, bkv], 0)",
                           "a @ b.T",
                           "load(ref, (i, j), other=0)",
                           "einsum(\"ij,jk->ik\", a, b)",
                           "(a,)",
                           "()",
                           "[]",
                           "f()",
                           "0x10",
                           "1e-5",
                           ".5",
                           "1.",
                           "(1).T",
                           "true",
                           "None",
                           "tiled([8, 4], register=[0])",
                           "x if a else (y, z)",
                           "-(-x)",
                           "--x",
                           "not not a",
                           "(not a) == b",
                           "(-x) ** 2",
                           "_"}) {
    std::string once = parsed(text);
    CHECK(parsed(once) == once);
  }
  CHECK(parsed("( a+b )*c") == "(a + b) * c");
  CHECK(parsed("f( x ,axis = 1, )") == "f(x, axis=1)");
  CHECK(parsed("0x10 + 0b11 + 0o17") == "16 + 3 + 15");
  CHECK(parsed("18446744073709551615") == "18446744073709551615");
  CHECK(parsed("'it\\'s \"so\"'") == "\"it's \\\"so\\\"\"");
}

TEST_CASE("errors have a rule and an exact place") {
  CHECK(parsed("010") == "syntax-number@1");
  CHECK(parsed("x + 1_000") == "syntax-number@5");
  CHECK(parsed("1.0f") == "syntax-number@1");
  CHECK(parsed("1e") == "syntax-number@1");
  CHECK(parsed("1e999") == "syntax-number@1");
  CHECK(parsed("0x") == "syntax-number@1");
  CHECK(parsed("0xg") == "syntax-number@1");
  CHECK(parsed("0b12") == "syntax-number@1");
  CHECK(parsed(".inf") == "syntax-number@1");
  CHECK(parsed("~") == "syntax-expected@1");
  CHECK(parsed("18446744073709551616") == "syntax-integer-range@1");
  CHECK(parsed("0x10000000000000000") == "syntax-integer-range@1");
  CHECK(parsed("a = b") == "syntax-operator@3");
  CHECK(parsed("a && b") == "syntax-operator@3");
  CHECK(parsed("a || b") == "syntax-operator@3");
  CHECK(parsed("!a") == "syntax-operator@1");
  CHECK(parsed("a ? b : c") == "syntax-character@3");
  CHECK(parsed("a \xC3\x97 b") == "syntax-character@3");
  CHECK(parsed("f(a, [b)") == "syntax-brackets@8");
  CHECK(parsed("f(a") == "syntax-brackets@2");
  CHECK(parsed("a)") == "syntax-brackets@2");
  CHECK(parsed("a b") == "syntax-expected@3");
  CHECK(parsed("a +") == "syntax-expected@3");
  CHECK(parsed("") == "syntax-expected@1");
  CHECK(parsed("x[]") == "syntax-expected@3");
  CHECK(parsed("x[a,,b]") == "syntax-expected@5");
  CHECK(parsed("a, b") == "syntax-expected@2");
  CHECK(parsed("x if y") == "syntax-expected@6");
  CHECK(parsed("f(a=1, b)") == "syntax-arguments@8");
  CHECK(parsed("f(a=1, a=2)") == "syntax-arguments@8");
  CHECK(parsed("\"abc") == "syntax-string@1");
  CHECK(parsed("\"a\\q\"") == "syntax-string@3");
  CHECK(parsed("a and or b") == "syntax-expected@7");
  CHECK(parsed("__x") == "syntax-name@1");
  CHECK(parsed("1:2") == "syntax-expected@2");
}

TEST_CASE("deep nesting is refused, not crashed on") {
  for (const char* piece : {"(", "[", "-", "not ", "f(", "x[", "a ** ", "1 + ", "a if b else ", "{a: "}) {
    std::string text;
    for (int i = 0; i < 100000; ++i) text += piece;
    text += "x";
    std::string open = piece;
    if (open.find_first_of("([{") != std::string::npos) {
      char close = open.find('(') != std::string::npos ? ')' : open.find('[') != std::string::npos ? ']' : '}';
      text += std::string(100000, close);
    }
    CHECK(parsed(text).substr(0, 12) == "syntax-depth");
  }
  std::string calls = "f" + std::string(100000, '.');
  CHECK(parsed(calls).substr(0, 7) == "syntax-");
  std::string attributes = "f";
  for (int i = 0; i < 100000; ++i) attributes += ".T";
  CHECK(parsed(attributes).substr(0, 12) == "syntax-depth");
  std::string fits = "x";
  for (int i = 0; i < 150; ++i) fits = "(" + fits + ")";
  CHECK(parsed(fits) == "x");
}

TEST_CASE("spans are exact, through folded lines and escapes too") {
  Sources sources;
  Diagnostics diagnostics;
  const SourceText& source = sources.add("t", "- x = aa +\n    bb * \\\"c\\\"\n");
  // YAML gives `x = aa + bb` for the first two lines.
  auto statement = parse_statement("x = aa + bb", {&source, 2, 17}, diagnostics);
  REQUIRE(statement.has_value());
  const auto& value = std::get<AssignSyntax>(*statement).value;
  const auto* sum = value->as<BinaryExpr>();
  REQUIRE(sum != nullptr);
  CHECK(source.text().substr(sum->right->span.begin, sum->right->span.end - sum->right->span.begin) == "bb");
  CHECK(source.text().substr(sum->left->span.begin, sum->left->span.end - sum->left->span.begin) == "aa");
  CHECK(source.position(sum->right->span.begin).line == 2);
}

TEST_CASE("lists") {
  Diagnostics diagnostics;
  auto list = parse_expression_list("element(bm, 1, 1), bk", {}, diagnostics);
  REQUIRE(list.has_value());
  REQUIRE(list->size() == 2);
  CHECK(to_string(*(*list)[0]) == "element(bm, 1, 1)");
  CHECK(!parse_expression_list("a, ", {}, diagnostics).has_value());
  CHECK(!parse_expression_list("", {}, diagnostics).has_value());
  CHECK(!parse_expression_list("a b", {}, diagnostics).has_value());
  CHECK(diagnostics.errors() == 3);
}

TEST_CASE("statements") {
  auto text_of = [](const std::string& text) {
    Diagnostics diagnostics;
    auto statement = parse_statement(text, {}, diagnostics);
    CHECK(statement.has_value() != diagnostics.has_errors());
    return statement ? to_string(*statement) : diagnostics.all()[0].rule;
  };
  CHECK(text_of("name=a+b") == "name = a + b");
  CHECK(text_of("m, n, ok = query_cluster_cancel(result)") == "m, n, ok = query_cluster_cancel(result)");
  CHECK(text_of("acc[...]+=dot(a,b)") == "acc[...] += dot(a, b)");
  CHECK(text_of("x.at[1][0] //= 2") == "x.at[1][0] //= 2");
  CHECK(text_of("barrier_wait(done.at[i])") == "barrier_wait(done.at[i])");
  for (const char* op : {"+", "-", "*", "/", "//", "%", "**", "@", "<<", ">>", "&", "|", "^"}) {
    std::string update = fmt::format("r[i] {}= x", op);
    CHECK(text_of(update) == update);
  }
  CHECK(text_of("acc += 1") == "syntax-statement");
  CHECK(text_of("a + b") == "syntax-statement");
  CHECK(text_of("a == b") == "syntax-statement");
  CHECK(text_of("f(x) = 1") == "syntax-statement");
  CHECK(text_of("a, b = c") == "syntax-statement");
  CHECK(text_of("a, a = f()") == "syntax-statement");
  CHECK(text_of("a = b = c") == "syntax-statement");
  CHECK(text_of("a.T = b") == "syntax-statement");
  CHECK(text_of("a b = c") == "syntax-expected");
  CHECK(text_of("a = ") == "syntax-expected");
  CHECK(text_of("x++") == "syntax-operator");
}
