#include "report/slow_remedies.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "check/steps.h"
#include "plan/words.h"
#include "proofs/copy_proofs.h"
#include "report/slow_paths.h"

namespace pallasgen {

namespace {

// A change of the spec, and its text in a warning.
struct Change {
  std::string text;
  std::function<void(Kernel&)> make;
  bool together = false;
};

// Facts about strides and the extents of vectors: for each dim, the multiple that all its arrays need.
std::vector<Change> facts_to_add(const Kernel& kernel) {
  std::vector<int64_t> wanted(kernel.dims.size(), 1);
  for (const Ref& ref : kernel.refs) {
    std::vector<TypedPtr> extents(ref.strides.begin(), ref.strides.end());
    if (!ref.array_shape.empty()) extents.push_back(ref.array_shape.back());
    for (const TypedPtr& extent : extents) {
      for (size_t dim = 0; dim < wanted.size(); ++dim) {
        if (extent && mentions(extent, SymbolKind::dim, static_cast<int>(dim)))
          wanted[dim] = std::lcm(wanted[dim], needed_multiple(ref));
      }
    }
  }
  std::vector<Change> changes;
  std::vector<std::string> texts;
  std::vector<std::pair<size_t, int64_t>> all;
  for (size_t dim = 0; dim < wanted.size(); ++dim) {
    const int64_t multiple = std::lcm(kernel.dims[dim].multiple_of, wanted[dim]);
    if (multiple == kernel.dims[dim].multiple_of || kernel.dims[dim].max.value_or(multiple) < multiple) continue;
    texts.push_back(fmt::format("`{}: {{multiple_of: {}}}`", kernel.dims[dim].name, multiple));
    all.emplace_back(dim, multiple);
    changes.push_back({texts.back(), [dim, multiple](Kernel& tried) { tried.dims[dim].multiple_of = multiple; }});
  }
  if (all.size() > 1)
    changes.push_back({listed(texts),
                       [all](Kernel& tried) {
                         for (const auto& [dim, multiple] : all) tried.dims[dim].multiple_of = multiple;
                       },
                       true});
  return changes;
}

Change other_roles(const Kernel& kernel) {
  const bool producer = kernel.pipeline.warp_specialized.value;
  return {fmt::format("`warp_specialized: {}`", !producer),
          [producer](Kernel& tried) { tried.pipeline.warp_specialized.value = !producer; }};
}

std::vector<Change> stages_to_try(const Kernel& kernel) {
  std::vector<Change> changes;
  for (const int64_t stages : {2, 4, 8, 16}) {
    if (stages <= kernel.pipeline.stages.value.value_or(0)) continue;
    changes.push_back(
        {fmt::format("`stages: {}`", stages), [stages](Kernel& tried) { tried.pipeline.stages.value = stages; }});
  }
  return changes;
}

bool moves_on(const Ref& ref, int axis) {
  return std::any_of(ref.block.begin(), ref.block.end(),
                     [&](const BlockDim& dim) { return dim.index && mentions(dim.index, SymbolKind::axis, axis); });
}

// Moves the stores to the array into the last step of the innermost axis, then also of the enclosing axes on which its
// block does not depend.
std::vector<Change> in_last_steps(const Kernel& kernel, int ref) {
  std::vector<Change> changes;
  const std::string& name = kernel.refs[static_cast<size_t>(ref)].name;
  TypedPtr last;
  std::string text;
  for (size_t next = kernel.axes.size(); next > 0; --next) {
    const Axis& axis = kernel.axes[next - 1];
    const int id = static_cast<int>(next) - 1;
    if (!axis.sequential) continue;
    if (moves_on(kernel.refs[static_cast<size_t>(ref)], id)) break;
    const TypedPtr final_step = index_apply(Op::subtract, axis_size_symbol(kernel, id), index_constant(1));
    const TypedPtr here = apply({}, Op::equal, DType::boolean, {}, {axis_symbol(kernel, id), final_step});
    last = last ? apply({}, Op::logical_and, DType::boolean, {}, {here, last}) : here;
    text = fmt::format("{0} == num_programs({0}) - 1{1}{2}", axis.name, text.empty() ? "" : " and ", text);
    changes.push_back({fmt::format("`when: {}` around what sets '{}'", text, name), [ref, last](Kernel& tried) {
                         for (KernelStmt& stmt : tried.body) {
                           const auto* store = std::get_if<StoreStmt>(&stmt.node);
                           if (store && store->ref == ref) stmt = {stmt.span, stmt.text, WhenStmt{last, {stmt}, {}}};
                         }
                       }});
  }
  return changes;
}

}  // namespace

std::vector<TriedChange> tried_changes(const Kernel& kernel, const std::vector<SlowPath>& slow, const TryPlan& plan) {
  const auto has = [&](std::initializer_list<SlowKind> kinds) {
    return std::any_of(slow.begin(), slow.end(), [&](const SlowPath& path) {
      return std::find(kinds.begin(), kinds.end(), path.kind) != kinds.end();
    });
  };
  std::vector<Change> changes;
  if (has({SlowKind::sectors, SlowKind::accesses})) changes = facts_to_add(kernel);
  changes.push_back(other_roles(kernel));
  if (has({SlowKind::waiting})) {
    for (Change& stages : stages_to_try(kernel)) changes.push_back(std::move(stages));
  }
  std::set<int> overwritten;  // an array may be on several paths
  for (const SlowPath& path : slow) {
    if (path.kind != SlowKind::steps || path.ref < 0 || !overwritten.insert(path.ref).second) continue;
    for (Change& change : in_last_steps(kernel, path.ref)) changes.push_back(std::move(change));
  }
  std::vector<TriedChange> tried;
  for (const Change& change : changes) {
    Kernel changed = kernel;
    change.make(changed);
    if (const std::optional<Plan> made = plan(changed))
      tried.push_back({change.text, change.together, slow_paths(*made), made->cost.seconds});
  }
  return tried;
}

}  // namespace pallasgen
