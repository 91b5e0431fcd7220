#pragma once

#include "diagnostics/diagnostic.h"
#include "spec/spec.h"

namespace pallasgen {

// True if the spec's `allow` names the warning, so that it is not shown.
bool is_allowed(const Spec& spec, const Rule& warning);

}  // namespace pallasgen
