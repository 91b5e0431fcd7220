#include "python_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "emit/emit.h"

namespace pallasgen {

namespace {

// https://docs.python.org/3/reference/lexical_analysis.html#keywords
const std::set<std::string> kKeywords = {"False",  "None",   "True",    "and",      "as",       "assert", "async",
                                         "await",  "break",  "class",   "continue", "def",      "del",    "elif",
                                         "else",   "except", "finally", "for",      "from",     "global", "if",
                                         "import", "in",     "is",      "lambda",   "nonlocal", "not",    "or",
                                         "pass",   "raise",  "return",  "try",      "while",    "with",   "yield"};
// Names that generated modules call or import.
const std::set<std::string> kOwn = {"Array", "Kernel",  "Number", "Tensor", "abs", "all",  "bool",  "cdiv",   "float",
                                    "int",   "kernels", "made",   "max",    "min", "self", "sizes", "stride", "tuple"};

}  // namespace

std::string PythonNames::take(const std::string& name) {
  std::string free = name;
  while (kKeywords.contains(free) || kOwn.contains(free) || taken_.contains(free)) free += '_';
  taken_.insert(free);
  return free;
}

bool is_python_module(const std::string& stem) {
  const auto is_letter = [](char c) { return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto fits = [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); };
  return !stem.empty() && is_letter(stem.front()) && std::all_of(stem.begin(), stem.end(), fits) &&
         !kKeywords.contains(stem);
}

std::string python_scalar(const Scalar& value) {
  if (const bool* truth = std::get_if<bool>(&value)) return *truth ? "True" : "False";
  return std::visit(
      [](auto number) {
        if constexpr (std::is_floating_point_v<decltype(number)>)
          if (!std::isfinite(number)) return fmt::format("float(\"{}\")", number);
        return fmt::format("{}", number);
      },
      value);
}

std::string tuple_of(const std::vector<std::string>& items) {
  return fmt::format("({}{})", fmt::join(items, ", "), items.size() == 1 ? "," : "");
}

std::string python_text(const TypedPtr& expr, const std::function<std::string(int dim)>& names) {
  const TypedPtr renamed = rewrite(expr, [&](const TypedPtr& node) -> TypedPtr {
    if (const auto value = constant_value(node)) return index_constant(*value);
    const Symbol* symbol = node->as<Symbol>();
    if (!symbol || symbol->kind != SymbolKind::dim) return nullptr;
    return make_typed(node->span, node->dtype, node->shape, Symbol{symbol->kind, symbol->id, names(symbol->id)});
  });
  return to_string(renamed);
}

std::string python_doc(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '\\' || c == '"') safe += '\\';
    safe += c;
  }
  return safe;
}

std::vector<std::string> wrapped(const std::string& text, size_t columns) {
  std::vector<std::string> lines = {""};
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (!lines.back().empty() && lines.back().size() + 1 + word.size() > columns) lines.emplace_back();
    lines.back() += (lines.back().empty() ? "" : " ") + word;
  }
  return lines;
}

}  // namespace pallasgen
