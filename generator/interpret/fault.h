#pragma once

#include <string>

#include "diagnostics/diagnostic.h"
#include "interpret/interpret.h"

namespace pallasgen::interpreter {

// A rule that a running program breaks. Thrown within this library only: it ends the program and becomes a diagnostic,
// to which the catcher adds the grid point.
struct Fault {
  const Rule& rule;
  Span span;
  std::string message;
  FoundFault found = {};
};

}  // namespace pallasgen::interpreter
