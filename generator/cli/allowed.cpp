#include "allowed.h"

#include <fmt/format.h>

#include <set>

#include "check/rules.h"
#include "spec/allowed.h"

namespace pallasgen {

Diagnostics without_allowed(const Spec& spec, const Diagnostics& diagnostics, bool planned) {
  std::set<std::string> given;
  Diagnostics kept;
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    const bool own = diagnostic.span.source == spec.source;
    if (own && diagnostic.severity == Severity::warning && is_allowed(spec, diagnostic.rule))
      given.insert(diagnostic.rule);
    else
      kept.add(diagnostic);
  }
  for (const AllowedWarning& entry : spec.allow) {
    if (!planned || given.count(entry.rule) > 0) continue;
    kept.warning(kAllowsNothing, entry.span,
                 fmt::format("there is no warning '{}' of this spec to be allowed", entry.rule))
        .note("take the entry away");
  }
  return kept;
}

}  // namespace pallasgen
