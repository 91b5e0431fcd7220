#include <deque>

#include "diagnostics/assert.h"
#include "names/language.h"

namespace pallasgen {

namespace {

struct LibraryText {
  const char *name, *body;
  Operands takes = Operands::floats;
};

// Activations: functions of one parameter x, written in the language itself.
constexpr LibraryText kLibrary[] = {
    {"identity", "x", Operands::any},
    {"relu", "maximum(x, 0)", Operands::numbers},
    {"gelu", "0.5 * x * (1 + erf(x * 0.7071067811865476))"},                                 // 1 / sqrt(2)
    {"gelu_tanh", "0.5 * x * (1 + tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)))"},  // sqrt(2 / pi)
    {"silu", "x * logistic(x)"},
    {"softplus", "maximum(x, 0) + log1p(exp(-abs(x)))"},  // no overflow for large x
};

struct Library {
  std::deque<SourceText> texts;
  std::deque<FunctionSpec> functions;
  std::vector<std::string> names;
};

const Library& library() {
  static const Library kParsed = [] {
    Library out;
    Diagnostics diagnostics;
    for (const LibraryText& row : kLibrary) {
      const SourceText& text = out.texts.emplace_back(std::string("<library>/") + row.name, row.body);
      const Span span{&text, 0, static_cast<uint32_t>(text.text().size())};
      FunctionSpec function;
      function.name = row.name;
      function.span = span;
      function.parameters.push_back({"x", span});
      function.body = parse_expression(text.text(), span, diagnostics);
      PALLASGEN_ASSERT(function.body != nullptr);
      out.names.push_back(function.name);
      out.functions.push_back(std::move(function));
    }
    return out;
  }();
  return kParsed;
}

}  // namespace

const FunctionSpec* library_function(const std::string& name) {
  for (const FunctionSpec& function : library().functions) {
    if (function.name == name) return &function;
  }
  return nullptr;
}

Operands taken_by_library(const std::string& name) {
  for (const LibraryText& row : kLibrary) {
    if (row.name == name) return row.takes;
  }
  return Operands::none;
}

const std::vector<std::string>& library_names() { return library().names; }

}  // namespace pallasgen
