#include "diagnosed.h"

#include <nlohmann/json.hpp>

#include "targets.h"

namespace pallasgen::fuzz {

void render_all(const Diagnostics& diagnostics) {
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    require(!diagnostic.rule.empty() && !diagnostic.message.empty(), "a diagnostic has a rule and a message");
    const Span& span = diagnostic.span;
    require(!span.source || (span.begin <= span.end && span.end <= span.source->text().size()),
            "a span lies in its source");
  }
  (void)render(diagnostics, ErrorFormat::text, true);
  (void)render(diagnostics, ErrorFormat::github, false);
  const std::string json = render(diagnostics, ErrorFormat::json, false);
  require(nlohmann::json::accept(json), "diagnostics as JSON parse");
}

}  // namespace pallasgen::fuzz
