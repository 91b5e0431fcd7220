#include "launch/operands.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "diagnostics/assert.h"
#include "plan/interface.h"
#include "plan/words.h"
#include "program/index_terms.h"
#include "program/program_walk.h"

namespace pallasgen {

namespace {

Requirement distinct(const Draft& draft, int ref) {
  Requirement requirement{};
  requirement.kind = RequirementKind::distinct;
  requirement.ref = ref;
  requirement.message = fmt::format("elements of {} overlap by its strides", draft.ref(ref).name);
  return requirement;
}

// A stride that the caller may choose must not be negative; `distinct` checks the extent of an output.
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

int64_t element_bytes(const Ref& ref) { return std::max<int64_t>(1, info(ref.dtype).bits / 8); }

constexpr int64_t kWord = 4;  // bytes

// Bytes that a store of one element exchanges: the word around it for 4 bits, and for a byte that is combined with the
// old value (runtime, element.cuh and atomic.cuh).
int64_t stored_bytes(const Ref& ref, bool combined) {
  const int least = combined ? 16 : 8;
  return info(ref.dtype).bits < least ? kWord : element_bytes(ref);
}

// Bytes are combined by exchanges of the words that contain them, which must not extend past the array.
void require_whole_words(Draft& draft, int index) {
  const Ref& ref = draft.ref(index);
  if (!ref.reduce || element_bytes(ref) > 1) return;
  TypedPtr elements = index_constant(1);
  for (const TypedPtr& extent : ref.array_shape) elements = multiply(elements, extent);
  if (multiple_of(elements, draft.facts) % kWord == 0) return;
  Requirement requirement{};
  requirement.kind = RequirementKind::condition;
  requirement.conditions = {
      make_typed({}, DType::boolean, {},
                 Apply{Op::equal, {index_apply(Op::modulo, elements, index_constant(kWord)), index_constant(0)}, {}})};
  requirement.message =
      fmt::format("{} is combined in words of {} bytes, and its size must be a multiple of that", ref.name, kWord);
  draft.plan.launch.requirements.push_back(std::move(requirement));
}

}  // namespace

int part_named(const Plan& plan, const char* name) {
  const std::vector<WorkspacePart>& parts = plan.launch.workspace;
  const auto at =
      std::find_if(parts.begin(), parts.end(), [&](const WorkspacePart& part) { return part.name == name; });
  PALLASGEN_ASSERT(at != parts.end(), plan.kernel->span);
  return static_cast<int>(at - parts.begin());
}

void add_own_parts(Plan& plan) {
  const auto add_word = [&](const char* name, bool wanted, int64_t words = 1) {
    if (!wanted) return;
    FillPlan fill;
    fill.part = static_cast<int>(plan.launch.workspace.size());
    fill.value = make_typed({}, DType::u32, {}, Constant{int64_t{0}, {}});
    WorkspacePart word;
    word.name = name;
    if (words > 1) word.extents = {index_constant(words)};
    plan.launch.workspace.push_back(std::move(word));
    plan.launch.fills.push_back(std::move(fill));
  };
  bool syncs = false, draws = false;
  for (const RolePlan& role : plan.roles) {
    for_each_statement(role.program, [&](const program::Statement& statement) {
      syncs = syncs || std::holds_alternative<program::GridSync>(statement.node);
      draws = draws || std::holds_alternative<program::TakeTicket>(statement.node);
    });
  }
  add_word(workspace_name::status, !plan.faults.empty(), 1 + static_cast<int64_t>(plan.kernel->axes.size()));
  add_word(workspace_name::grid_barrier, syncs);
  add_word(workspace_name::tickets, draws);
  add_word(workspace_name::tiles, plan.work.kind == WorkKind::dynamic);
}

void plan_operands(Draft& draft) {
  const Kernel& kernel = *draft.kernel;
  LaunchPlan& launch = draft.plan.launch;
  for (const Parameter& argument : launch.arguments) {
    if (argument.kind != ParameterKind::scalar || !kernel.scalars[argument.index].shape) continue;
    Requirement aligned{};
    aligned.kind = RequirementKind::aligned;
    aligned.scalar = argument.index;
    aligned.bytes = number(info(kernel.scalars[argument.index].dtype).bits / 8);
    aligned.message = fmt::format("{} must be a pointer to device memory, a multiple of {}",
                                  kernel.scalars[argument.index].name, counted(aligned.bytes.value, "byte"));
    launch.requirements.push_back(std::move(aligned));
  }
  for (size_t i = 0; i < kernel.refs.size(); ++i) {
    const Ref& ref = kernel.refs[i];
    const int index = static_cast<int>(i);
    if (ref.role == RefRole::scratch) continue;
    FillPlan fill;
    fill.ref = index;
    if (ref.role == RefRole::workspace) {
      launch.workspace.push_back({draft.names().of(ref.name), index, ref.dtype, ref.array_shape});
    } else if (!ref.strides.empty()) {
      require_strides(draft, index);
      if (is_written(kernel, index) && !ref.alias_of) launch.requirements.push_back(distinct(draft, index));
    }
    require_whole_words(draft, index);
    if (!ref.init) continue;
    fill.value = make_typed({}, ref.dtype, {}, Constant{*ref.init, {}});
    launch.fills.push_back(std::move(fill));
  }
}

void require_pointers(Draft& draft) {
  using namespace program;
  std::map<int, int64_t> bytes;
  const auto reach = [&](int ref, int64_t width) {
    int64_t& widest = bytes[buffer_of(*draft.kernel, ref)];
    widest = std::max(widest, width);
  };
  for (const FillPlan& fill : draft.plan.launch.fills) {
    if (fill.ref < 0 || draft.ref(fill.ref).role == RefRole::workspace) continue;
    // No array is filled whose map the launcher then refuses.
    const bool mapped = std::any_of(draft.plan.maps.begin(), draft.plan.maps.end(), [&](const TensorMapPlan& map) {
      return buffer_of(*draft.kernel, map.ref) == buffer_of(*draft.kernel, fill.ref);
    });
    reach(fill.ref, mapped ? kMapAlignment : element_bytes(draft.ref(fill.ref)));
  }
  for (const RolePlan& role : draft.plan.roles) {
    for_each_statement(role.program, [&](const Statement& statement) {
      const Access* access = nullptr;
      if (const auto* node = std::get_if<Load>(&statement.node)) access = &node->access;
      if (const auto* node = std::get_if<StoreGlobal>(&statement.node)) access = &node->access;
      if (const auto* node = std::get_if<AsyncCopy>(&statement.node)) access = &node->access;
      // Bindings access single elements.
      for_each_binding(statement, [&](const Binding& binding) {
        if (binding.kind == SlotKind::global) reach(binding.ref, element_bytes(draft.ref(binding.ref)));
      });
      if (const auto* node = std::get_if<StoreElement>(&statement.node); node && node->ref >= 0)
        reach(node->ref, stored_bytes(draft.ref(node->ref), node->atomic.has_value()));
      if (!access) return;
      const Ref& of = draft.ref(access->ref);
      const bool alone = is_packed(of.dtype) && access->vector.value == 1 && is_written(*draft.kernel, access->ref);
      reach(access->ref, alone ? kWord : bytes_of(of.dtype, access->vector.value));
    });
  }
  for (const auto& [ref, width] : bytes) {
    if (draft.ref(ref).role == RefRole::workspace) continue;  // parts of the workspace are aligned
    Requirement aligned{};
    aligned.kind = RequirementKind::aligned;
    aligned.ref = ref;
    aligned.bytes = number(width);
    aligned.message = draft.ref(ref).name + " must be a pointer to device memory";
    if (width > 1) aligned.message += fmt::format(", a multiple of {} bytes", width);
    draft.plan.launch.requirements.push_back(std::move(aligned));
  }
}

}  // namespace pallasgen
