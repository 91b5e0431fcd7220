#pragma once

#include <optional>

#include "diagnostics/diagnostic.h"
#include "node.h"

namespace pallasgen {

// Reads the only document of a source that passed check_bytes(). Anchors, aliases, tags, directives, merge keys,
// duplicate keys, further documents and deep nesting are errors. Null if nothing can be decoded.
std::optional<Node> read_yaml(const SourceText& source, Diagnostics& diagnostics);

}  // namespace pallasgen
