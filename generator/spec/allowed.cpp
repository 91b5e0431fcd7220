#include "spec/allowed.h"

#include <algorithm>

namespace pallasgen {

bool is_allowed(const Spec& spec, std::string_view rule) {
  return std::any_of(spec.allow.begin(), spec.allow.end(),
                     [&](const AllowedWarning& entry) { return entry.rule == rule; });
}

}  // namespace pallasgen
