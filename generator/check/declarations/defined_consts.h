#pragma once

#include "kernel/context.h"

namespace pallasgen {

// Whether the value that the command line gives the const may stand in place of the one that the spec has; reports
// where it may not.
bool fits_what_it_replaces(Context& context, const ConstSpec& spec, const Value& given, const Value& had);
// Notes on errors at places that name a const to which the command line gives a value: which, and what the spec has.
void note_defines(Context& context);

}  // namespace pallasgen
