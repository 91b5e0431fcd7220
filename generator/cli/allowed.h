#pragma once

#include "diagnostics/diagnostic.h"
#include "spec/spec.h"

namespace pallasgen {

// The diagnostics without the warnings that the spec's `allow` names. An entry of it for which there is no warning is a
// warning itself (rule allows-nothing) where the spec was `planned`, so that all that there are have been given.
Diagnostics without_allowed(const Spec& spec, const Diagnostics& diagnostics, bool planned);

}  // namespace pallasgen
