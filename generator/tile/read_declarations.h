#pragma once

#include <memory>

#include "check/kernel.h"
#include "lines.h"

namespace pallasgen::tile {

// The spec that lines of declarations are, up to `kernel`, whose place is returned in `at`. Null after an error.
std::shared_ptr<Spec> read_declarations(const std::vector<Line>& lines, size_t& at, const SourceText& source,
                                        Diagnostics& diagnostics);

}  // namespace pallasgen::tile
