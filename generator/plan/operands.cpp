#include "operands.h"

#include <fmt/format.h>

namespace pallasgen {

int buffer_of(const Kernel& kernel, int ref) { return kernel.refs[ref].alias_of.value_or(ref); }

bool is_written(const Kernel& kernel, int ref) {
  if (kernel.refs[ref].role != RefRole::input) return true;
  for (const Ref& other : kernel.refs) {
    if (other.alias_of == ref) return true;
  }
  return false;
}

namespace {

Requirement distinct(const Draft& draft, int ref) {
  Requirement requirement{};
  requirement.kind = RequirementKind::distinct;
  requirement.ref = ref;
  requirement.message = fmt::format("elements of {} overlap by its strides", draft.ref(ref).name);
  return requirement;
}

// A stride that the caller may choose must not be negative; the output's own reach is checked with `distinct`.
void require_strides(Draft& draft, int index) {
  const Ref& ref = draft.ref(index);
  std::vector<TypedPtr> conditions;
  for (const TypedPtr& stride : ref.strides) {
    const Bounds range = bounds(stride, draft.facts);
    if (range.minimum && *range.minimum >= 0) continue;
    conditions.push_back(make_typed({}, DType::boolean, {}, Apply{Op::greater_equal, {stride, index_constant(0)}, {}}));
  }
  if (conditions.empty()) return;
  Requirement requirement{};
  requirement.kind = RequirementKind::condition;
  requirement.conditions = std::move(conditions);
  requirement.message = fmt::format("the strides of {} must not be negative", ref.name);
  draft.plan.launch.requirements.push_back(std::move(requirement));
}

}  // namespace

void plan_operands(Draft& draft) {
  const Kernel& kernel = *draft.kernel;
  LaunchPlan& launch = draft.plan.launch;
  for (const Parameter& argument : launch.arguments) {
    if (argument.kind != ParameterKind::scalar || !kernel.scalars[argument.index].shape) continue;
    Requirement aligned{};
    aligned.kind = RequirementKind::aligned;
    aligned.scalar = argument.index;
    aligned.bytes = number(info(kernel.scalars[argument.index].dtype).bits / 8);
    aligned.message = fmt::format("{} must be a pointer to device memory, a multiple of {}", argument.name,
                                  counted(aligned.bytes.value, "byte"));
    launch.late_requirements.push_back(std::move(aligned));
  }
  for (size_t i = 0; i < kernel.refs.size(); ++i) {
    const Ref& ref = kernel.refs[i];
    const int index = static_cast<int>(i);
    if (ref.role == RefRole::scratch) continue;
    FillPlan fill;
    fill.ref = index;
    if (ref.role == RefRole::workspace) {
      launch.workspace.push_back({cpp_name(ref.name), index, ref.dtype, ref.array_shape});
    } else if (!ref.strides.empty()) {
      require_strides(draft, index);
      if (is_written(kernel, index) && !ref.alias_of) launch.requirements.push_back(distinct(draft, index));
    }
    if (!ref.init) continue;
    fill.value = make_typed({}, ref.dtype, {}, Constant{*ref.init, {}});
    launch.fills.push_back(std::move(fill));
  }
}

}  // namespace pallasgen
