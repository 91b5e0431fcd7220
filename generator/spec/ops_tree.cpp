#include "ops_tree.h"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "reader.h"
#include "spec/rules.h"

namespace pallasgen {
namespace {

using Json = nlohmann::ordered_json;

// In the order of UnaryOp.
constexpr std::array<std::string_view, 4> kUnaryNames = {"neg", "pos", "not", "invert"};
constexpr int kBinaryOps = 15, kCompareOps = 6;

Json trees_of(const std::vector<ExprPtr>& exprs) {
  Json out = Json::array();
  for (const ExprPtr& expr : exprs) out.push_back(tree_of(*expr));
  return out;
}

Json trees_of(const std::vector<KeywordArgument>& keywords) {
  Json out = Json::object();
  for (const KeywordArgument& keyword : keywords) out[keyword.name] = tree_of(*keyword.value);
  return out;
}

std::pair<const char*, Json> member(const char* key, Json value) { return {key, std::move(value)}; }

// A tree with these members, each of which is moved into it.
template <class... Members>
Json object(std::string_view op, std::pair<const char*, Members>... members) {
  Json out{{"op", op}};
  ((out[members.first] = std::move(members.second)), ...);
  return out;
}

struct TreePrinter {
  Json operator()(const IntegerLiteral& e) const { return object("int", member("value", e.value)); }
  Json operator()(const FloatLiteral& e) const { return object("float", member("value", to_string(Expr{{}, e}))); }
  Json operator()(const BoolLiteral& e) const { return object("bool", member("value", e.value)); }
  Json operator()(const NoneLiteral&) const { return object("none"); }
  Json operator()(const EllipsisLiteral&) const { return object("ellipsis"); }
  Json operator()(const NameExpr& e) const { return object("name", member("name", e.name)); }
  Json operator()(const UnaryExpr& e) const {
    return object(kUnaryNames[static_cast<size_t>(e.op)], member("args", trees_of({e.operand})));
  }
  Json operator()(const BinaryExpr& e) const {
    return object(symbol_of(e.op), member("args", trees_of({e.left, e.right})));
  }
  Json operator()(const CompareExpr& e) const {
    Json operators = Json::array();
    for (CompareOp op : e.ops) operators.push_back(symbol_of(op));
    return object("compare", member("operators", operators), member("args", trees_of(e.operands)));
  }
  Json operator()(const ConditionalExpr& e) const {
    return object("if", member("args", trees_of({e.then, e.condition, e.otherwise})));
  }
  Json operator()(const CallExpr& e) const {
    Json out = object("call", member("callee", tree_of(*e.callee)), member("args", trees_of(e.args)));
    if (!e.keywords.empty()) out["keywords"] = trees_of(e.keywords);
    return out;
  }
  Json operator()(const SubscriptExpr& e) const {
    return object("index", member("base", tree_of(*e.base)), member("args", trees_of(e.items)));
  }
  Json operator()(const AttributeExpr& e) const {
    return object("attribute", member("base", tree_of(*e.base)), member("name", e.name));
  }
  Json operator()(const SliceExpr& e) const {
    Json out = object("slice");
    if (e.start) out["start"] = tree_of(*e.start);
    if (e.stop) out["stop"] = tree_of(*e.stop);
    if (e.step) out["step"] = tree_of(*e.step);
    return out;
  }
  Json operator()(const ListExpr& e) const { return object("list", member("args", trees_of(e.items))); }
  Json operator()(const TupleExpr& e) const { return object("tuple", member("args", trees_of(e.items))); }
  Json operator()(const StringExpr& e) const { return object("string", member("value", e.value)); }
  Json operator()(const MappingExpr& e) const { return object("mapping", member("entries", trees_of(e.entries))); }
};

struct StatementTreePrinter {
  Json operator()(const AssignSyntax& s) const {
    return object("assign", member("names", s.names), member("value", tree_of(*s.value)));
  }
  Json operator()(const StoreSyntax& s) const {
    Json out = object("store", member("target", tree_of(*s.target)));
    if (s.op) out["update"] = symbol_of(*s.op);
    out["value"] = tree_of(*s.value);
    return out;
  }
  Json operator()(const CallSyntax& s) const { return tree_of(*s.call); }
};

// Builds the expression of a tree, up to the first error.
class TreeReader {
 public:
  explicit TreeReader(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  ExprPtr expression(const Node* node) {
    if (node == nullptr) return nullptr;
    if (!node->is_tree())
      return fail(*node, fmt::format("a tree {{\"op\": …}} is wanted here, found {}", name_of(node->kind)));
    const std::string& op = node->entries[0].value.text;
    for (const auto& [name, read] : kReaders) {
      if (name == op) return (this->*read)(*node);
    }
    return operation(*node, op);
  }

  // A member that must exist; null after an error.
  const Node* member(const Node& node, std::string_view key) {
    const Node* found = node.find(key);
    if (found == nullptr) fail(node, fmt::format("the tree '{}' needs '{}'", node.entries[0].value.text, key));
    return found;
  }

  std::string word(const Node& node, std::string_view key) {
    const Node* found = member(node, key);
    if (found == nullptr) return {};
    if (found->is_scalar() && has_name_form_or_stride(found->text)) return found->text;
    fail(*found, fmt::format("'{}' is no name", found->text));
    return {};
  }

  ExprPtr fail(const Node& node, std::string message) {
    if (!failed_) diagnostics_.error(kOpsTree, node.span, std::move(message));
    failed_ = true;
    return nullptr;
  }

  bool failed() const { return failed_; }

 private:
  using Read = ExprPtr (TreeReader::*)(const Node&);

  static bool has_name_form_or_stride(std::string_view text) { return has_name_form(text) || text == "_"; }

  static ExprPtr make(Expr::Node node) { return make_expr({}, std::move(node)); }

  std::optional<std::vector<ExprPtr>> args(const Node& node, size_t count = 0) {
    const Node* found = member(node, "args");
    if (found == nullptr) return std::nullopt;
    if (!found->is_sequence() || (count != 0 && found->items.size() != count)) {
      fail(*found, count == 0 ? std::string("'args' is a list") : fmt::format("'args' is a list of {}", count));
      return std::nullopt;
    }
    std::vector<ExprPtr> out;
    for (const Node& item : found->items) {
      ExprPtr expr = expression(&item);
      if (expr == nullptr) return std::nullopt;
      out.push_back(std::move(expr));
    }
    return out;
  }

  std::optional<std::vector<KeywordArgument>> keywords(const Node& node, std::string_view key) {
    std::vector<KeywordArgument> out;
    const Node* found = node.find(key);
    if (found == nullptr) return out;
    if (!found->is_mapping()) {
      fail(*found, fmt::format("'{}' is a mapping", key));
      return std::nullopt;
    }
    for (const auto& [name, value] : found->entries) {
      if (!has_name_form(name.text)) fail(name, fmt::format("'{}' is no name", name.text));
      ExprPtr expr = failed_ ? nullptr : expression(&value);
      if (expr == nullptr) return std::nullopt;
      out.push_back({name.text, {}, std::move(expr)});
    }
    return out;
  }

  // Literals are parsed like those of expressions, so that they have the same forms.
  ExprPtr number(const Node& node) {
    const Node* value = member(node, "value");
    if (value == nullptr) return nullptr;
    Diagnostics attempt;
    ExprPtr expr = value->is_scalar() ? parse_expression(value->text, {}, attempt) : nullptr;
    bool wanted = expr != nullptr && (node.entries[0].value.text == "int" ? expr->as<IntegerLiteral>() != nullptr
                                                                          : expr->as<FloatLiteral>() != nullptr);
    return wanted ? expr : fail(*value, fmt::format("'value' is no {} literal", node.entries[0].value.text));
  }

  ExprPtr boolean(const Node& node) {
    const Node* value = member(node, "value");
    if (value == nullptr) return nullptr;
    if (value->text != "true" && value->text != "false") return fail(*value, "'value' is true or false");
    return make(BoolLiteral{value->text == "true"});
  }

  ExprPtr string(const Node& node) {
    const Node* value = member(node, "value");
    if (value == nullptr) return nullptr;
    return value->is_scalar() ? make(StringExpr{value->text}) : fail(*value, "'value' is a text");
  }

  ExprPtr none(const Node&) { return make(NoneLiteral{}); }
  ExprPtr ellipsis(const Node&) { return make(EllipsisLiteral{}); }

  ExprPtr name(const Node& node) {
    std::string text = word(node, "name");
    return failed_ ? nullptr : make(NameExpr{std::move(text)});
  }

  ExprPtr compare(const Node& node) {
    const Node* operators = member(node, "operators");
    auto operands = operators == nullptr ? std::nullopt : args(node);
    if (!operands) return nullptr;
    CompareExpr out{std::move(*operands), {}};
    for (const Node& item : operators->items) {
      for (int op = 0; op < kCompareOps; ++op) {
        if (symbol_of(static_cast<CompareOp>(op)) == item.text) out.ops.push_back(static_cast<CompareOp>(op));
      }
    }
    bool good =
        !out.ops.empty() && out.ops.size() == operators->items.size() && out.operands.size() == out.ops.size() + 1;
    return good ? make(std::move(out)) : fail(*operators, "'operators' are comparisons, one fewer than 'args'");
  }

  ExprPtr conditional(const Node& node) {
    auto parts = args(node, 3);
    return parts ? make(ConditionalExpr{(*parts)[0], (*parts)[1], (*parts)[2]}) : nullptr;
  }

  ExprPtr call(const Node& node) {
    ExprPtr callee = expression(member(node, "callee"));
    auto positional = callee == nullptr ? std::nullopt : args(node);
    auto named = positional ? keywords(node, "keywords") : std::nullopt;
    return named ? make(CallExpr{std::move(callee), std::move(*positional), std::move(*named)}) : nullptr;
  }

  ExprPtr index(const Node& node) {
    ExprPtr base = expression(member(node, "base"));
    auto items = base == nullptr ? std::nullopt : args(node);
    return items ? make(SubscriptExpr{std::move(base), std::move(*items)}) : nullptr;
  }

  ExprPtr slice(const Node& node) {
    SliceExpr out{expression(node.find("start")), expression(node.find("stop")), expression(node.find("step"))};
    return failed_ ? nullptr : make(std::move(out));
  }

  ExprPtr attribute(const Node& node) {
    ExprPtr base = expression(member(node, "base"));
    std::string text = base == nullptr ? std::string() : word(node, "name");
    return failed_ ? nullptr : make(AttributeExpr{std::move(base), std::move(text), {}});
  }

  ExprPtr list(const Node& node) {
    auto items = args(node);
    return items ? make(ListExpr{std::move(*items)}) : nullptr;
  }

  ExprPtr tuple(const Node& node) {
    auto items = args(node);
    return items ? make(TupleExpr{std::move(*items)}) : nullptr;
  }

  ExprPtr mapping(const Node& node) {
    auto entries = keywords(node, "entries");
    return entries ? make(MappingExpr{std::move(*entries)}) : nullptr;
  }

  ExprPtr operation(const Node& node, const std::string& op) {
    for (size_t i = 0; i < kUnaryNames.size(); ++i) {
      if (op != kUnaryNames[i]) continue;
      auto operand = args(node, 1);
      return operand ? make(UnaryExpr{static_cast<UnaryOp>(i), (*operand)[0]}) : nullptr;
    }
    for (int i = 0; i < kBinaryOps; ++i) {
      if (op != symbol_of(static_cast<BinaryOp>(i))) continue;
      auto operands = args(node, 2);
      return operands ? make(BinaryExpr{static_cast<BinaryOp>(i), (*operands)[0], (*operands)[1]}) : nullptr;
    }
    return fail(node.entries[0].value, fmt::format("there is no op '{}'", op));
  }

  static constexpr std::pair<std::string_view, Read> kReaders[] = {
      {"int", &TreeReader::number},          {"float", &TreeReader::number},    {"bool", &TreeReader::boolean},
      {"string", &TreeReader::string},       {"none", &TreeReader::none},       {"ellipsis", &TreeReader::ellipsis},
      {"name", &TreeReader::name},           {"compare", &TreeReader::compare}, {"if", &TreeReader::conditional},
      {"call", &TreeReader::call},           {"index", &TreeReader::index},     {"slice", &TreeReader::slice},
      {"attribute", &TreeReader::attribute}, {"list", &TreeReader::list},       {"tuple", &TreeReader::tuple},
      {"mapping", &TreeReader::mapping}};

  Diagnostics& diagnostics_;
  bool failed_ = false;
};

std::optional<std::string> assign_text(TreeReader& reader, const Node& node) {
  const Node* names = reader.member(node, "names");
  const Node* value = names == nullptr ? nullptr : reader.member(node, "value");
  ExprPtr expr = reader.expression(value);
  if (expr == nullptr) return std::nullopt;
  AssignSyntax out{{}, {}, std::move(expr)};
  for (const Node& name : names->items) {
    if (!has_name_form(name.text)) reader.fail(name, fmt::format("'{}' is no name", name.text));
    out.names.push_back(name.text);
  }
  if (out.names.empty()) reader.fail(*names, "'names' is a list of at least one name");
  if (reader.failed()) return std::nullopt;
  return to_string(StatementSyntax(std::move(out)));
}

std::optional<std::string> store_text(TreeReader& reader, const Node& node) {
  ExprPtr target = reader.expression(reader.member(node, "target"));
  ExprPtr value = target == nullptr ? nullptr : reader.expression(reader.member(node, "value"));
  if (value == nullptr) return std::nullopt;
  StoreSyntax out{std::move(target), std::nullopt, std::move(value)};
  if (const Node* update = node.find("update")) {
    for (int op = 0; op < kBinaryOps; ++op) {
      if (update->text == symbol_of(static_cast<BinaryOp>(op))) out.op = static_cast<BinaryOp>(op);
    }
    if (!out.op) reader.fail(*update, fmt::format("there is no operator '{}='", update->text));
  }
  if (out.target->as<SubscriptExpr>() == nullptr) reader.fail(node, "the target of a store is an 'index' tree");
  if (reader.failed()) return std::nullopt;
  return to_string(StatementSyntax(std::move(out)));
}

}  // namespace

nlohmann::ordered_json tree_of(const Expr& expr) { return std::visit(TreePrinter{}, expr.node); }
nlohmann::ordered_json tree_of(const StatementSyntax& statement) {
  return std::visit(StatementTreePrinter{}, statement);
}

std::optional<std::string> expression_text_of_tree(const Node& node, Diagnostics& diagnostics) {
  ExprPtr expr = TreeReader(diagnostics).expression(&node);
  if (expr == nullptr) return std::nullopt;
  return to_string(*expr);
}

std::optional<std::string> statement_text_of_tree(const Node& node, Diagnostics& diagnostics) {
  const std::string& op = node.entries[0].value.text;
  TreeReader reader(diagnostics);
  if (op == "assign") return assign_text(reader, node);
  if (op == "store") return store_text(reader, node);
  return expression_text_of_tree(node, diagnostics);
}

}  // namespace pallasgen
