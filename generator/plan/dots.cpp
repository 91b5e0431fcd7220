#include "dots.h"

#include <fmt/format.h>

#include <algorithm>

#include "blocks.h"
#include "matmul.h"
#include "matmul_form.h"

namespace pallasgen {

namespace {

std::string targets_with_mma() {
  std::vector<std::string> names;
  for (const Target& target : targets()) {
    if (target.mma != MmaPath::none) names.emplace_back(target.name);
  }
  return listed(names, "or");
}

// By the tensor cores, or why not.
bool plan_tensor_cores(Draft& draft) {
  const Kernel& kernel = *draft.kernel;
  if (draft.target->mma == MmaPath::none) {
    draft
        .refuse(kPlanMmaPath, kernel.target_span.source ? kernel.target_span : kernel.span,
                fmt::format("no MMA path for {} yet", draft.target->name))
        .note(fmt::format("`target: {}` works", targets_with_mma()));
    return false;
  }
  if (!kernel.checks.empty()) {
    draft.refuse(kPlanMmaForm, kernel.checks_span, "run-time checks are not planned beside MMAs")
        .note("the interpreter finds the same faults in the kernel without them");
    return false;
  }
  return plan_matmul(draft);
}

// Whether it says what the tensor cores do not take, of a dot or of its blocks; not that a setting cannot be honoured
// or that a fact is missing.
bool is_of_dot(const Diagnostic& diagnostic) {
  for (const Rule* rule : {&kPlanMmaPath, &kPlanMmaShape, &kPlanMmaForm, &kPlanTransform, &kPlanRegisters, &kPlanBox,
                           &kPlanOperand, &kPlanBody}) {
    if (diagnostic.rule == rule->name) return true;
  }
  return diagnostic.severity != Severity::error;
}

const Apply* first_dot(const Kernel& kernel) {
  const Apply* first = nullptr;
  for_each_value(kernel.body, [&](const TypedPtr& value) {
    walk(value, [&](const Typed& node) {
      if (!first) first = node.applies(Op::dot);
    });
  });
  return first;
}

// Whether another number of compute warpgroups would do: then it is the setting that cannot be honoured.
bool is_of_warpgroups(const Draft& draft) {
  constexpr int64_t kMostConsumers = 3;  // by their registers
  const IntegerSetting& given = draft.kernel->pipeline.compute_warpgroups;
  for (int64_t number = 1; given.value && number <= kMostConsumers; ++number) {
    if (number == *given.value) continue;
    Kernel other = *draft.kernel;
    other.pipeline.compute_warpgroups.value = number;
    Diagnostics unsaid;
    Draft trial(std::make_shared<const Kernel>(std::move(other)), *draft.target, unsaid);
    if (plan_tensor_cores(trial)) return true;
  }
  return false;
}

}  // namespace

bool plan_dots(Draft& draft) {
  Diagnostics said;
  Draft trial(draft.kernel, *draft.target, said);
  const bool planned = plan_tensor_cores(trial);
  const auto tell = [&](const Diagnostics& diagnostics) {
    for (const Diagnostic& diagnostic : diagnostics.all()) draft.diagnostics.add(diagnostic);
  };
  if (planned || !said.has_errors() || !std::all_of(said.all().begin(), said.all().end(), is_of_dot) ||
      is_of_warpgroups(draft)) {
    tell(said);
    draft.plan = std::move(trial.plan);
    return planned;
  }
  const Diagnostic& why = first_error(said);
  Diagnostics of_elements;
  Draft elements(draft.kernel, *draft.target, of_elements);
  if (!plan_pipelined_blocks(elements)) {
    for (const Diagnostic& diagnostic : said.all()) {
      Diagnostic& told = draft.diagnostics.add(diagnostic);
      if (&diagnostic == &why)
        told.note(fmt::format("element by element is refused too: {}", first_error(of_elements).message));
    }
    return false;
  }
  elements.decide("tensor cores", "none", why.message);
  draft.plan = std::move(elements.plan);
  tell(of_elements);
  // What tensor cores take of no block is not worth a word.
  const DType dtype = first_dot(*draft.kernel)->args[0]->dtype;
  if (dtype != DType::bf16 && dtype != DType::f16) return true;
  Diagnostic& warning = draft.diagnostics.warning(
      kPlanScalarDot, why.span,
      fmt::format("a dot of {} goes element by element, without tensor cores: {}", name_of(dtype), why.message));
  warning.notes = why.notes;
  return true;
}

}  // namespace pallasgen
