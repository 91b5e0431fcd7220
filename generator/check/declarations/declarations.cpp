#include "declarations/declarations.h"

#include "names/names.h"

namespace pallasgen {

void check_declarations(Context& context) {
  const Spec& spec = context.spec;
  Kernel& kernel = context.kernel;
  kernel.name = spec.kernel.name;
  kernel.doc = spec.doc;
  kernel.span = spec.kernel.span;
  for (const Named& target : spec.targets) kernel.targets.push_back(target.name);
  if (!spec.targets.empty()) kernel.target_span = spec.targets[0].span;
  if (kernel.targets.empty()) kernel.targets.push_back("sm_90a");
  check_names(context);
  check_externs(context);
  check_functions(context);
  check_consts(context);
  check_dims(context);
  check_scalars(context);
  check_grid(context);
  check_refs(context);
  check_extern_places(context);
}

}  // namespace pallasgen
