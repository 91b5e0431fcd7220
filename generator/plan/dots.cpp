#include "dots.h"

#include <fmt/format.h>

#include <algorithm>

#include "blocks.h"
#include "families.h"
#include "instructions.h"
#include "matmul.h"
#include "matmul_form.h"
#include "plan/passes.h"
#include "tile/walk.h"

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

TypedPtr first_dot(const Kernel& kernel) {
  TypedPtr first;
  for_each_value(kernel.body, [&](const TypedPtr& value) {
    rewrite(value, [&](const TypedPtr& node) -> TypedPtr {
      if (!first && node->applies(Op::dot)) first = node;
      return nullptr;
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

std::string unswizzled(const MatmulShape& shape, Major major, int64_t sides) {
  return fmt::format("rows of {} bytes of an operand, which no swizzle divides (32, 64 or 128)",
                     (major == Major::k ? shape.bk : sides) * shape.element_bytes);
}

// Which limit of instructions the program's first dot by them is beyond; empty: none.
std::string beyond_limits(const Draft& draft, const tile::Program& program) {
  const tile::Role& role = program.roles.back();
  const tile::Dot* first = nullptr;
  for_each_statement(role.body, [&](const tile::Statement& statement) {
    const auto* dot = statement.as<tile::Dot>();
    if (!first && dot && !dot->family.empty() && mma_operands(role, *dot)) first = dot;
  });
  if (!first) return "";
  const MatmulShape shape = shape_of(program, role, *first, {});
  switch (matmul_problem(shape, *draft.target).value_or(MatmulProblem::stages)) {
    case MatmulProblem::rows:
      return fmt::format("{} share {} rows, and each takes a whole number of instructions of {}",
                         counted(shape.consumers, "compute warpgroup"), shape.bm, draft.target->mma_rows);
    case MatmulProblem::swizzle_a:
      return unswizzled(shape, shape.major_a, shape.bm);
    case MatmulProblem::swizzle_b:
      return unswizzled(shape, shape.major_b, shape.bn);
    case MatmulProblem::registers:
    case MatmulProblem::instruction:
      return fmt::format("an accumulator of {} x {} {} for each compute warpgroup takes more registers than there are",
                         shape.rows_per_consumer(), shape.bn, name_of(program.value(first->value).dtype));
    default:
      return "";
  }
}

// What keeps a dot of other dtypes than bf16 and f16 with sums in f32 from the tensor cores; empty: no instruction is
// meant for them.
std::string obstacle(const Draft& draft, const tile::Program& program, const TypedPtr& dot) {
  const FamilyChoice choice =
      choose_family(*draft.target, *dot->as<Apply>(), dot->dtype, draft.kernel->approximate_math);
  if (!choice.of_dtypes) return "";
  if (!choice.row) return choice.obstacle;
  const std::optional<tile::Shortage>& shortage = program.shortage;
  if (shortage)
    return fmt::format("{} of {} {} are needed: {}; {}", grouped(shortage->needed), grouped(shortage->limit),
                       shortage->resource, listed(shortage->counted), shortage->remedy);
  const std::string beyond = beyond_limits(draft, program);
  return beyond.empty() ? fmt::format("{} is not planned beside them yet", not_yet(program)) : beyond;
}

// Element by element, with a warning where instructions would have multiplied another form of the dot.
bool plan_elements(Draft& draft, const tile::Program& program, const TypedPtr& dot) {
  const std::string why = obstacle(draft, program, dot);
  Diagnostics said;
  Draft elements(draft.kernel, *draft.target, said);
  const bool planned = plan_pipelined_blocks(elements);
  draft.plan = std::move(elements.plan);
  for (const Diagnostic& diagnostic : said.all()) {
    Diagnostic& told = draft.diagnostics.add(diagnostic);
    if (!planned && !why.empty() && &diagnostic == &first_error(said))
      told.note(fmt::format("so it is element by element; tensor cores do not take the dot: {}", why));
  }
  if (!planned || why.empty()) return planned;
  draft.decide("tensor cores", "none", why);
  draft.diagnostics.warning(kPlanScalarDot, dot->span,
                            fmt::format("a dot of {} goes element by element, without tensor cores: {}",
                                        name_of(dot->as<Apply>()->args[0]->dtype), why));
  return true;
}

}  // namespace

bool plan_dots(Draft& draft, const tile::Program& program) {
  const TypedPtr dot = first_dot(*draft.kernel);
  const DType dtype = dot->as<Apply>()->args[0]->dtype;
  if (info(dtype).bits != 16 || dot->dtype != DType::f32) return plan_elements(draft, program, dot);
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
  Diagnostic& warning = draft.diagnostics.warning(
      kPlanScalarDot, why.span,
      fmt::format("a dot of {} goes element by element, without tensor cores: {}", name_of(dtype), why.message));
  warning.notes = why.notes;
  return true;
}

}  // namespace pallasgen
