#pragma once

#include <string_view>

#include "spec/spec.h"

namespace pallasgen {

// True if the spec's `allow` names the rule, so that warnings of this rule are not shown.
bool is_allowed(const Spec& spec, std::string_view rule);

}  // namespace pallasgen
