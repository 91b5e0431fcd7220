#include <fmt/format.h>

#include "body/body.h"
#include "declarations/declarations.h"
#include "declarations/defined_consts.h"
#include "findings/findings.h"
#include "names/language.h"
#include "names/names_of.h"

namespace pallasgen {

namespace {

// Checks only the names in functions that nothing calls, because their types depend on the arguments.
void check_uncalled(Context& context) {
  for (const FunctionSpec& function : context.spec.functions) {
    if (context.called.count(&function)) continue;
    visit_names(function.body, [&](const std::string& name, Span span) {
      bool known = context.find(name) || is_language_name(name);
      for (const Named& parameter : function.parameters) known = known || parameter.name == name;
      if (!known)
        context.diagnostics.error(kUnknownName, span, fmt::format("'{}' is not defined", name))
            .note(function.span, fmt::format("'{}' sees its parameters, consts and functions", function.name));
    });
  }
}

void check_later_keys(Context& context) {
  const Spec& spec = context.spec;
  const auto refuse = [&](Span span, std::string_view key) {
    context.diagnostics.error(kNotYet, span, fmt::format("'{}' has no meaning yet", key));
  };
  if (!spec.partition.empty()) refuse(spec.partition[0].span, "partition");
  if (spec.tune) refuse(spec.tune->span, "tune");
}

}  // namespace

std::optional<Kernel> check(const std::shared_ptr<const Spec>& spec, Diagnostics& diagnostics,
                            const OpenExtern& open_extern) {
  const int errors = diagnostics.errors();
  Kernel kernel;
  kernel.spec = spec;
  Context context{*spec, kernel, diagnostics};
  if (open_extern) context.open_extern = &open_extern;
  check_declarations(context);
  const bool blocks_known = diagnostics.errors() == errors;
  check_body(context);
  check_settings(context);
  check_grid_sync(context);
  const int of_kernel = diagnostics.errors();
  check_tests(context);
  check_reference(context);
  check_uncalled(context);
  check_later_keys(context);
  if (of_kernel != errors) {
    // The positions of blocks do not depend on the other errors.
    if (blocks_known) {
      check_outside(context);
      check_races(context, /*whole=*/false);
    }
    note_defines(context);
    return std::nullopt;
  }
  // The effects of the body depend on neither the tests nor the reference.
  check_outside(context);
  check_effects(context);
  check_empty_steps(context);
  check_races(context, /*whole=*/true);
  if (diagnostics.errors() != errors) {
    note_defines(context);
    return std::nullopt;
  }
  check_doubtful_grid(context);
  check_doubtful_guards(context);
  check_unguarded_outputs(context);
  check_unread_values(context);
  kernel.identifiers = Identifiers(kernel);
  return kernel;
}

}  // namespace pallasgen
