#include "diagnosed.h"
#include "expression/expr.h"
#include "targets.h"

namespace pallasgen::fuzz {

namespace {

Span whole(const SourceText& source) { return {&source, 0, static_cast<uint32_t>(source.text().size())}; }

}  // namespace

void expression(std::string_view input) {
  Sources sources;
  Diagnostics diagnostics;
  const SourceText& source = sources.add("fuzzed", std::string(input));
  const ExprPtr parsed = parse_expression(source.text(), whole(source), diagnostics);
  require(parsed || diagnostics.has_errors(), "what is not parsed is refused by a diagnostic");
  if (parsed) {
    const SourceText& printed = sources.add("printed", to_string(*parsed));
    const ExprPtr again = parse_expression(printed.text(), whole(printed), diagnostics);
    require(again && same(parsed, again), "canonical text parses to the same tree");
    require(to_string(*again) == printed.text(), "canonical text prints as itself");
  }
  const auto list = parse_expression_list(source.text(), whole(source), diagnostics);
  require(list || diagnostics.has_errors(), "a list that is not parsed is refused by a diagnostic");
  Diagnostics of_statement;
  const auto statement = parse_statement(source.text(), whole(source), of_statement);
  require(statement || of_statement.has_errors(), "a statement that is not parsed is refused by a diagnostic");
  if (statement) {
    const SourceText& printed = sources.add("printed", to_string(*statement));
    const auto again = parse_statement(printed.text(), whole(printed), of_statement);
    require(again && to_string(*again) == printed.text(), "a statement's canonical text prints as itself");
  }
  render_all(diagnostics);
  render_all(of_statement);
}

}  // namespace pallasgen::fuzz
