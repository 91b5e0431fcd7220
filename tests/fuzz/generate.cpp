#include "check/kernel.h"
#include "diagnosed.h"
#include "emit/emit.h"
#include "plan/plan.h"
#include "spec/spec.h"
#include "targets.h"

namespace pallasgen::fuzz {

namespace {

// Returns the output of `generate`, `explain` and `.plan.json` for a spec; empty if it is refused.
std::string generated(std::string_view input) {
  Sources sources;
  Diagnostics diagnostics;
  const SourceText& source = sources.add("fuzzed.yaml", std::string(input));
  std::optional<Spec> spec = read_spec(source, {}, sources, diagnostics);
  std::optional<Kernel> kernel;
  std::optional<Plan> plan;
  std::string text;
  if (spec) kernel = check(std::make_shared<const Spec>(std::move(*spec)), diagnostics);
  if (kernel) {
    plan = make_plan(*kernel, kernel->targets.front(), diagnostics);
    require(plan.has_value() || diagnostics.has_errors(), "what is not planned is refused by a diagnostic");
  }
  if (plan) {
    EmitOptions options;
    options.spec_path = "specs/fuzzed.yaml";
    options.spec_hash = "0123456789abcdef";
    options.stem = "fuzzed";
    const std::optional<EmittedFiles> files = emit(*plan, options, diagnostics);
    require(files.has_value(), "what is planned is emitted");
    text = files->cu + files->header + explain(*plan) + plan_json(*plan);
  }
  require(plan.has_value() || diagnostics.has_errors(), "what is not generated is refused by a diagnostic");
  render_all(diagnostics);
  return text;
}

}  // namespace

void generate(std::string_view input) {
  const std::string text = generated(input);
  if (!text.empty()) require(generated(input) == text, "the same spec gives the same text");
}

}  // namespace pallasgen::fuzz
