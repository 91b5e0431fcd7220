#pragma once

#include "diagnostics/diagnostic.h"
#include "spec/spec.h"

namespace pallasgen {

// The diagnostics without the warnings that the spec's `allow` names. If the spec was `planned`, so that all its
// warnings are given, an entry of `allow` without a warning is a warning itself (rule allows-nothing).
Diagnostics without_allowed(const Spec& spec, const Diagnostics& diagnostics, bool planned);

}  // namespace pallasgen
