#include "spec/allowed.h"

#include <algorithm>

namespace pallasgen {

bool is_allowed(const Spec& spec, const Rule& warning) {
  return std::any_of(spec.allow.begin(), spec.allow.end(),
                     [&](const AllowedWarning& entry) { return entry.rule == warning.name; });
}

}  // namespace pallasgen
