#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "emit/template.h"

namespace pallasgen {

struct TemplatePiece {
  bool insertion;
  std::string text;  // literal text, or the name to insert
};

struct TemplateNode;
using TemplateNodes = std::vector<TemplateNode>;

struct TemplateNode {
  enum Kind { text, branch, loop, include } kind;
  int line;                           // line of the text or the directive, from 1
  std::string name;                   // the condition, the list, or the included file
  std::string variable;               // a loop's variable
  std::vector<TemplatePiece> pieces;  // the pieces of one line of text
  TemplateNodes body, otherwise;
};

// Returns the tree of a template. Returns nothing and sets `error` if a directive is unknown, malformed or not closed,
// an insertion is malformed, or a limit of emit/template.h is exceeded.
std::optional<TemplateNodes> parse_template(const std::string& path, std::string_view text, TemplateError& error);

struct EmbeddedTemplate {
  std::string_view path, text;
};
// Defined in the file that cmake/embed_templates.cmake writes.
const std::vector<EmbeddedTemplate>& embedded_templates();

}  // namespace pallasgen
