#pragma once

#include <string>

#include "diagnostics/diagnostic.h"
#include "interpret/interpret.h"

namespace pallasgen::interpreter {

// A rule that a running program breaks. Thrown within this library only: it ends the program, whose grid point is added
// where it is caught, and becomes a diagnostic.
struct Fault {
  const Rule& rule;
  Span span;
  std::string message;
  FoundFault found = {};
};

}  // namespace pallasgen::interpreter
