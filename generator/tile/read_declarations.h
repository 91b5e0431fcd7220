#pragma once

#include <memory>

#include "check/kernel.h"
#include "lines.h"

namespace pallasgen::tile {

// Reads lines of declarations up to `kernel` and sets `at` to that line. Null after an error.
std::shared_ptr<Spec> read_declarations(const std::vector<Line>& lines, size_t& at, const SourceText& source,
                                        Diagnostics& diagnostics);

}  // namespace pallasgen::tile
