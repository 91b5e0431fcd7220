#include "reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "eaten.h"
#include "key_values.h"
#include "ops_tree.h"
#include "spec/rules.h"

namespace pallasgen {
namespace {

// Reports the diagnostics of an attempt.
void forward(const Diagnostics& from, Diagnostics& to) {
  for (const Diagnostic& d : from.all()) {
    Rule rule{d.rule, {}};
    Diagnostic& copy =
        d.severity == Severity::error ? to.error(rule, d.span, d.message) : to.warning(rule, d.span, d.message);
    copy.notes = d.notes;
  }
}

// The text of a scalar, or the kind of another node, for a message.
std::string found(const Node& node) {
  return node.is_scalar() ? fmt::format("'{}'", node.text.substr(0, 40)) : std::string(name_of(node.kind));
}

}  // namespace

std::string_view name_of(Node::Kind kind) {
  switch (kind) {
    case Node::Kind::null:
      return "nothing";
    case Node::Kind::scalar:
      return "a text";
    case Node::Kind::sequence:
      return "a list";
    case Node::Kind::mapping:
      return "a mapping";
  }
  return "";
}

bool has_name_form(std::string_view text) {
  auto word = [](unsigned char c) { return c < 0x80 && (std::isalnum(c) || c == '_'); };
  return !text.empty() && static_cast<unsigned char>(text[0]) < 0x80 &&
         std::isalpha(static_cast<unsigned char>(text[0])) && std::all_of(text.begin(), text.end(), word);
}

std::optional<Reader::Written> Reader::written(const Node& node, bool statement) {
  if (node.broken) return std::nullopt;
  std::string_view what = statement ? "a statement" : "an expression";
  if (node.is_scalar()) return Written{node.text, node.span};
  if (node.is_tree()) {
    std::optional<std::string> text =
        statement ? statement_text_of_tree(node, diagnostics_) : expression_text_of_tree(node, diagnostics_);
    if (!text) return std::nullopt;
    auto [line, column] = node.span.source->position(node.span.begin);
    const SourceText& source =
        sources_.add(fmt::format("{}@{}:{}", node.span.source->path(), line, column), std::move(*text));
    return Written{source.text(), {&source, 0, static_cast<uint32_t>(source.text().size())}};
  }
  if (node.is_null()) {
    diagnostics_.error(kNullValue, node.span, fmt::format("{} is wanted here, found nothing", what));
  } else if (is_eaten_mapping(node)) {
    report_eaten_mapping(node, diagnostics_);
  } else {
    Diagnostic& d =
        diagnostics_.error(kWrongKind, node.span, fmt::format("{} is wanted here, found {}", what, name_of(node.kind)));
    if (node.flow) {
      std::string_view text = node.span.source->text().substr(node.span.begin, node.span.end - node.span.begin);
      d.note(fmt::format("a text that begins with '{}' is quoted: {}", text[0], quoted(text)));
    }
  }
  return std::nullopt;
}

template <class Parse>
auto Reader::parse(const Node& node, const Written& text, Parse parse) {
  Diagnostics attempt;
  auto result = parse(text.text, text.span, attempt);
  if (!attempt.has_errors()) return result;
  Span comment = cut_comment(node);
  const Diagnostic& first = attempt.all()[0];
  if (comment.source != nullptr && is_incomplete(node.text)) {
    Span whole = join(node.span, comment);
    std::string_view line = whole.source->text().substr(whole.begin, whole.end - whole.begin);
    diagnostics_
        .error(kYamlComment, comment,
               fmt::format("YAML cut this text at ' #', which begins a comment: quote it: {}", quoted(line)))
        .note(first.span, first.message);
  } else {
    forward(attempt, diagnostics_);
  }
  return result;
}

ExprPtr Reader::expression(const Node& node) {
  std::optional<Written> text = written(node, false);
  if (!text) return nullptr;
  return parse(node, *text, [](std::string_view t, Span s, Diagnostics& d) { return parse_expression(t, s, d); });
}

ExprPtr Reader::value(const Node& node) {
  if (!node.is_sequence()) return expression(node);
  ListExpr list;
  for (const Node& item : node.items) {
    ExprPtr expr = value(item);
    if (expr != nullptr) list.items.push_back(std::move(expr));
  }
  return list.items.size() == node.items.size() ? make_expr(node.span, std::move(list)) : nullptr;
}

std::optional<std::vector<ExprPtr>> Reader::expressions(const Node& node) {
  if (!node.is_sequence()) {
    std::optional<Written> text = written(node, false);
    if (!text) return std::nullopt;
    return parse(node, *text,
                 [](std::string_view t, Span s, Diagnostics& d) { return parse_expression_list(t, s, d); });
  }
  std::vector<ExprPtr> out;
  for (const Node& item : node.items) {
    ExprPtr expr = expression(item);
    if (expr != nullptr) out.push_back(std::move(expr));
  }
  return out.size() == node.items.size() ? std::optional(std::move(out)) : std::nullopt;
}

std::optional<StatementSyntax> Reader::statement(const Node& node) {
  std::optional<Written> text = written(node, true);
  if (!text) return std::nullopt;
  return parse(node, *text, [](std::string_view t, Span s, Diagnostics& d) { return parse_statement(t, s, d); });
}

std::string Reader::text(const Node& node) {
  if (node.is_scalar() || node.broken) return node.text;
  diagnostics_.error(kWrongKind, node.span, fmt::format("a text is wanted here, found {}", name_of(node.kind)));
  return {};
}

bool Reader::is_name(std::string_view text, Span place) {
  if (has_name_form(text)) return true;
  diagnostics_.error(kNameForm, place,
                     fmt::format("'{}' is no name: names are a letter, then letters, digits and '_'", text));
  return false;
}

std::optional<Named> Reader::name(const Node& node) {
  if (node.broken) return std::nullopt;
  if (!node.is_scalar()) {
    diagnostics_.error(kWrongKind, node.span, fmt::format("a name is wanted here, found {}", name_of(node.kind)));
    return std::nullopt;
  }
  if (!is_name(node.text, node.span)) return std::nullopt;
  return Named{node.text, node.span};
}

std::vector<Named> Reader::names(const Node& node) {
  std::vector<Named> out;
  std::optional<std::vector<ExprPtr>> exprs = expressions(node);
  if (!exprs) return out;
  for (const ExprPtr& expr : *exprs) {
    if (const NameExpr* name = expr->as<NameExpr>()) {
      out.push_back({name->name, expr->span});
    } else {
      is_name(to_string(*expr), expr->span);
    }
  }
  return out;
}

std::string Reader::choice(const Node& node, const KeyInfo& key) {
  if (node.broken) return {};
  if (!node.is_scalar()) {
    diagnostics_.error(
        kWrongKind, node.span,
        fmt::format("'{}' takes {}, found {}", key.name, fmt::join(key.choices, ", "), name_of(node.kind)));
    return {};
  }
  if (std::find(key.choices.begin(), key.choices.end(), node.text) != key.choices.end()) return node.text;
  Diagnostic& d =
      diagnostics_.error(kUnknownChoice, node.span,
                         fmt::format("'{}' takes {}; it is '{}'", key.name, fmt::join(key.choices, ", "), node.text));
  // `sm_90` is an abbreviation of sm_90a rather than a misspelt sm_80.
  auto longer = std::find_if(key.choices.begin(), key.choices.end(), [&](std::string_view word) {
    return node.text.size() > 1 && word.starts_with(node.text);
  });
  // Words of JAX, Triton and CUDA for these choices.
  static const std::map<std::string_view, std::string_view> kForeign = {
      {"arbitrary", "sequential"}, {"serial", "sequential"},  {"vmem", "smem"},
      {"shared", "smem"},          {"hbm", "gmem"},           {"global", "gmem"},
      {"registers", "reg"},        {"register", "reg"},       {"rmem", "reg"},
      {"row_major", "row"},        {"column_major", "column"}};
  const auto foreign = kForeign.find(node.text);
  if (foreign != kForeign.end()) longer = std::find(key.choices.begin(), key.choices.end(), foreign->second);
  std::string near =
      longer != key.choices.end() ? std::string(*longer) : nearest(node.text, {key.choices.begin(), key.choices.end()});
  d.note(near.empty() ? fmt::format("'{}': {}", key.name, key.doc) : fmt::format("did you mean '{}'?", near));
  return {};
}

std::vector<Named> Reader::choices(const Node& node, const KeyInfo& key) {
  std::vector<Named> out;
  auto take = [&](const Node& item) {
    std::string word = choice(item, key);
    if (!word.empty()) out.push_back({word, item.span});
  };
  if (node.is_sequence()) {
    for (const Node& item : node.items) take(item);
  } else {
    take(node);
  }
  return out;
}

bool Reader::boolean(const Node& node) {
  if (node.is_scalar() && (node.text == "true" || node.text == "false")) return node.text == "true";
  if (!node.broken)
    diagnostics_.error(kWrongKind, node.span, fmt::format("true or false is wanted here, found {}", found(node)));
  return false;
}

void Reader::version(const Node& node) {
  if (node.broken || (node.is_scalar() && node.text == "1")) return;
  diagnostics_.error(kFormatVersion, node.span,
                     fmt::format("the format version is '{}': this pallasgen reads version 1", node.text));
}

TypeSpec Reader::type(const Node& node) {
  TypeSpec out;
  out.span = node.span;
  std::optional<Written> text = written(node, false);
  if (!text) return out;
  std::string_view whole = trimmed(text->text);
  // `f32[]` is an array without dims; an empty index is not an expression.
  std::string_view open = whole.ends_with("]") ? trimmed(whole.substr(0, whole.size() - 1)) : std::string_view();
  bool scalar_array = open.ends_with("[");
  Written part = *text;
  if (scalar_array) {
    part.text = trimmed(open.substr(0, open.size() - 1));
    if (text->span.end - text->span.begin == text->text.size()) {
      uint32_t begin = static_cast<uint32_t>(part.text.data() - text->text.data());
      part.span = text->span.sub(begin, begin + static_cast<uint32_t>(part.text.size()));
    }
  }
  ExprPtr expr =
      parse(node, part, [](std::string_view t, Span s, Diagnostics& d) { return parse_expression(t, s, d); });
  if (expr == nullptr) return out;
  const SubscriptExpr* array = scalar_array ? nullptr : expr->as<SubscriptExpr>();
  ExprPtr dtype = array == nullptr ? expr : array->base;
  bool good = dtype->as<NameExpr>() != nullptr;
  for (const ExprPtr& dim : array == nullptr ? std::vector<ExprPtr>() : array->items) {
    good = good && dim->as<SliceExpr>() == nullptr && dim->as<EllipsisLiteral>() == nullptr &&
           dim->as<NoneLiteral>() == nullptr;
  }
  if (!good) {
    Diagnostic& out_of_form = diagnostics_.error(
        kTypeForm, text->span,
        fmt::format("'{}' is no type: a type is dtype[dim, …], such as bf16[M, K], f32[] or f32", whole));
    if (expr->as<IntegerLiteral>() || expr->as<FloatLiteral>())
      out_of_form.note("a number that the spec gives is one of its consts");
    return out;
  }
  out.span = text->span;
  out.dtype = dtype;
  out.array = array != nullptr || scalar_array;
  if (array != nullptr) out.dims = array->items;
  return out;
}

std::optional<FunctionSpec> Reader::signature(const Node& key) {
  Diagnostics attempt;
  ExprPtr expr = parse_expression(key.text, key.span, attempt);
  const CallExpr* call = expr == nullptr ? nullptr : expr->as<CallExpr>();
  const NameExpr* name = call == nullptr ? nullptr : call->callee->as<NameExpr>();
  FunctionSpec out;
  bool good = name != nullptr && call->keywords.empty();
  for (size_t i = 0; good && i < call->args.size(); ++i) {
    const NameExpr* parameter = call->args[i]->as<NameExpr>();
    good = parameter != nullptr;
    if (good) out.parameters.push_back({parameter->name, call->args[i]->span});
  }
  if (!good) {
    diagnostics_.error(kSignatureForm, key.span,
                       fmt::format("'{}' is no signature: write \"name(x, y)\" in quotes", key.text));
    return std::nullopt;
  }
  out.name = name->name;
  out.span = call->callee->span;
  return out;
}

bool Reader::is_mapping(const Node& node, const KeyInfo& key) {
  return is_mapping(node, fmt::format("'{}'", key.name), example_text(key.name, '{'));
}

bool Reader::is_list(const Node& node, const KeyInfo& key) {
  return is_list(node, fmt::format("'{}'", key.name), example_text(key.name, '['));
}

bool Reader::is_mapping(const Node& node, std::string_view what, const std::string& example) {
  if (node.is_mapping()) return true;
  if (!node.broken) {
    diagnostics_.error(kWrongKind, node.span, fmt::format("{} is a mapping, found {}", what, found(node)))
        .note("a mapping has entries `name: value`; one without entries is {}" + example);
  }
  return false;
}

std::string under_the_only_key(const Node& node, const Table& table) {
  if (!node.is_scalar()) return "";
  std::vector<std::string_view> needed;
  for (const KeyInfo& key : table.keys)
    if (key.required) needed.push_back(key.name);
  return needed.size() == 1 ? fmt::format("; here {{{}: \"{}\"}}", needed[0], node.text) : "";
}

bool Reader::is_list(const Node& node, std::string_view what, const std::string& example) {
  if (node.is_sequence()) return true;
  if (!node.broken) {
    const bool tuple = node.is_scalar() && node.text.starts_with('(');
    diagnostics_.error(kWrongKind, node.span, fmt::format("{} is a list, found {}", what, found(node)))
        .note((tuple ? "a tuple of Python is a list here: [ ] around its entries"
                     : "the entries of a list begin with `- `, each on a line of its own, or stand in [ ]") +
              example);
  }
  return false;
}

}  // namespace pallasgen
