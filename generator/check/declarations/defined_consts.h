#pragma once

#include "kernel/context.h"

namespace pallasgen {

// True if the value that the command line gives a const may replace the one in the spec; otherwise reports an error.
bool fits_what_it_replaces(Context& context, const ConstSpec& spec, const Value& given, const Value& had);
// Adds notes to errors at places that name a const with a value from the command line: that value, and the spec's.
void note_defines(Context& context);

}  // namespace pallasgen
