#include "diagnosed.h"
#include "spec/spec.h"
#include "targets.h"

namespace pallasgen::fuzz {

void reader(std::string_view input) {
  Sources sources;
  Diagnostics diagnostics;
  const SourceText& source = sources.add("fuzzed.yaml", std::string(input));
  const std::optional<Spec> spec = read_spec(source, {}, sources, diagnostics);
  require(spec.has_value() || diagnostics.has_errors(), "what is not read is refused by a diagnostic");
  render_all(diagnostics);
  if (!spec) return;
  const std::string json = to_ops_json(*spec);
  Diagnostics again;
  const std::optional<Spec> back = read_spec(sources.add("fuzzed.json", json), {}, sources, again);
  if (!back) std::fputs(render(again, ErrorFormat::text, false).c_str(), stderr);
  require(back.has_value(), "the JSON of a spec reads back");
  require(to_ops_json(*back) == json, "the JSON of a spec reads back to the same spec");
}

}  // namespace pallasgen::fuzz
