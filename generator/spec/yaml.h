#pragma once

#include <optional>

#include "diagnostics/diagnostic.h"
#include "node.h"

namespace pallasgen {

// The one document of a source whose bytes are good. Refuses what SPEC.md section 2 refuses of YAML: anchors, aliases,
// tags, directives, merge keys, duplicate keys, further documents, deep nesting. Null when nothing can be decoded.
std::optional<Node> read_yaml(const SourceText& source, Diagnostics& diagnostics);

}  // namespace pallasgen
