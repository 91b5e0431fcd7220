#include "bytes.h"
#include "reader.h"
#include "tables.h"
#include "yaml.h"

namespace pallasgen {

std::optional<Spec> read_spec(const SourceText& source, const std::vector<Define>& defines, Sources& sources,
                              Diagnostics& diagnostics, AfterErrors after) {
  int errors_before = diagnostics.errors();
  if (!check_bytes(source, diagnostics)) return std::nullopt;
  std::optional<Node> node = read_yaml(source, diagnostics);
  if (!node) return std::nullopt;
  Spec spec;
  spec.source = &source;
  spec.span = node->span;
  Reader reader(sources, diagnostics);
  read_top_level(reader, *node, spec);
  apply_defines(reader, defines, sources, spec);
  const int left_out = after == AfterErrors::what_is_left ? reader.left_out() : 0;
  if (diagnostics.errors() > errors_before + left_out) return std::nullopt;
  return spec;
}

}  // namespace pallasgen
