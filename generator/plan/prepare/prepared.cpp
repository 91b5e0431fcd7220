#include "plan/prepared.h"

#include <algorithm>
#include <functional>

#include "check/inside.h"
#include "check/steps.h"
#include "model/cost.h"
#include "prepare/pipelined_loops.h"
#include "prepare/updated_slices.h"
#include "program/spec_names.h"
#include "proofs/block_access.h"
#include "proofs/scalar_arrays.h"

namespace pallasgen {

namespace {

// Lets are names for index expressions. In index maps and sizes they are written out, so that proofs can use facts
// about their symbols; elsewhere, and if they read memory, a role declares them.
TypedPtr without_lets(const Kernel& kernel, const TypedPtr& expr) {
  if (!expr || kernel.lets.empty()) return expr;
  const auto reads_arrays = [](const TypedPtr& value) {
    bool found = false;
    walk(value, [&](const Typed& node) {
      if (const Apply* apply = node.as<Apply>()) found = found || operation(apply->op).group == OpGroup::scalars;
    });
    return found;
  };
  return substitute(expr, [&](const Symbol& symbol) -> TypedPtr {
    if (symbol.kind != SymbolKind::let || reads_arrays(kernel.lets[symbol.id].value)) return nullptr;
    return without_lets(kernel, kernel.lets[symbol.id].value);
  });
}

int64_t slot_bytes(const Ref& ref) {
  int64_t elements = 1;
  for (int64_t size : ref.shape) elements *= std::max<int64_t>(size, 1);
  return elements * std::max(8, info(ref.dtype).bits) / 8;
}

// Chooses `stages: auto` of single operands: enough to hide the latency of their copies, within half of the memory that
// the other rings leave. If the pipeline has `stages: auto`, or a producer without a number, they get the pipeline's
// stages; operands that no step moves get none.
void choose_own_stages(Kernel& kernel, const Target& target) {
  const PipelineSettings& pipeline = kernel.pipeline;
  const bool shared = pipeline.stages.automatic || (pipeline.warp_specialized.value && !pipeline.stages.value);
  int64_t own = 0, left = target.shared_limit;
  for (Ref& ref : kernel.refs) {
    if (shared || is_view(ref) || !moves_with_steps(kernel, ref)) ref.automatic_stages = false;
    if (ref.role != RefRole::input || is_view(ref)) continue;
    if (ref.automatic_stages)
      own += slot_bytes(ref);
    else
      left -= slot_bytes(ref) * ref.stages.value_or(pipeline.stages.value.value_or(0));
  }
  if (own == 0) return;
  const int64_t hide = stages_to_hide_latency(step_cost(target, 0, static_cast<double>(own)));
  const int64_t fit = std::max<int64_t>(0, left / 2 / own);
  for (Ref& ref : kernel.refs) {
    if (ref.automatic_stages)
      ref.stages = static_cast<int>(std::max<int64_t>(1 + ref.delay_release.value_or(0), std::min(fit, hide)));
  }
}

bool renames_consts(const Kernel& kernel) {
  return std::any_of(kernel.consts.begin(), kernel.consts.end(), [&](const KernelConst& constant) {
    return kernel.identifiers.of(constant.name) != constant.name;
  });
}

// Calls `change` on each expression of the kernel.
void change_expressions(Kernel& kernel, const std::function<void(TypedPtr&)>& change) {
  const auto some = [&](TypedPtr& value) {
    if (value) change(value);
  };
  for (Axis& axis : kernel.axes) some(axis.size);
  for (Let& let : kernel.lets) some(let.value);
  for (Function& function : kernel.functions) some(function.body);
  for (KernelScalar& scalar : kernel.scalars) {
    if (scalar.shape) std::for_each(scalar.shape->begin(), scalar.shape->end(), some);
  }
  for (Ref& ref : kernel.refs) {
    for (TypedPtr& extent : ref.array_shape) some(extent);
    for (TypedPtr& stride : ref.strides) some(stride);
    for (BlockDim& dim : ref.block) {
      for (TypedPtr* value : {&dim.size_expr, &dim.index, &dim.slice_size}) some(*value);
    }
  }
  some(kernel.skip);
  change_values(kernel.body, change);
}

// Gives constants their names in the file: later passes take sizes as texts, and the plan's own constants may have a
// name that the spec gave to another.
void rename_consts(Kernel& kernel) {
  change_expressions(kernel, [&](TypedPtr& value) {
    value = rewrite(value, [&](const TypedPtr& node) -> TypedPtr {
      const Constant* constant = node->as<Constant>();
      if (!constant || constant->name.empty()) return nullptr;
      return make_typed(node->span, node->dtype, node->shape,
                        Constant{constant->value, identifiers_in(kernel.identifiers, constant->name)});
    });
  });
}

bool checks_scalar_arrays(const Kernel& kernel) { return kernel.checks_for("oob") && !kernel.scalars.empty(); }

// Returns the condition that an expression with guarded elements reads an array of scalars outside, under the
// conditions of the expression; null: it never does.
TypedPtr reads_outside(const Kernel& kernel, const TypedPtr& expr) {
  if (const Symbol* symbol = expr->as<Symbol>())
    return symbol->kind == SymbolKind::let ? reads_outside(kernel, kernel.lets[symbol->id].value) : nullptr;
  const Apply* node = expr->as<Apply>();
  if (!node) return nullptr;
  const auto negated = [](const TypedPtr& of) { return apply({}, Op::logical_not, DType::boolean, {}, {of}); };
  const auto where = [](const TypedPtr& condition, const TypedPtr& inner) {
    return inner ? both(condition, inner) : nullptr;
  };
  if (node->op == Op::where && node->args[1]->applies(Op::element))
    return either(reads_outside(kernel, node->args[1]), negated(node->args[0]));
  TypedPtr found;
  if (node->op != Op::where && node->op != Op::logical_and && node->op != Op::logical_or) {
    for (const TypedPtr& arg : node->args) found = either(found, reads_outside(kernel, arg));
    return found;
  }
  const TypedPtr& condition = node->args[0];
  const TypedPtr first = node->op == Op::logical_or ? negated(condition) : condition;
  found = either(reads_outside(kernel, condition), where(first, reads_outside(kernel, node->args[1])));
  return node->op == Op::where ? either(found, where(negated(condition), reads_outside(kernel, node->args[2]))) : found;
}

// Makes `skip` keep a tile for which it reads outside: the tile's check then reports the fault.
void check_skip(Kernel& kernel) {
  const TypedPtr outside = kernel.skip ? reads_outside(kernel, kernel.skip) : nullptr;
  if (!outside) return;
  const TypedPtr inside = apply({}, Op::logical_not, DType::boolean, {}, {outside});
  kernel.skip = apply(kernel.skip->span, Op::logical_and, DType::boolean, {}, {kernel.skip, inside});
}

// Guards reads of arrays of scalars if checks ask for it, and adds the arrays' ids to `guarded`; gives constants their
// names in the file; chooses stages of single operands; writes lets out in places and sizes.
std::shared_ptr<const Kernel> with_names_expanded(std::shared_ptr<const Kernel> source, const Target& target,
                                                  std::set<int>& guarded) {
  const bool stages =
      std::any_of(source->refs.begin(), source->refs.end(), [](const Ref& ref) { return ref.automatic_stages; });
  const bool renames = renames_consts(*source);
  const bool checks = checks_scalar_arrays(*source);
  if (source->lets.empty() && !stages && !renames && !checks) return source;
  auto kernel = std::make_shared<Kernel>(*source);
  if (checks) {
    change_expressions(*kernel, [&](TypedPtr& value) { value = with_guarded_elements(*source, value, guarded); });
    check_skip(*kernel);
  }
  if (renames) rename_consts(*kernel);
  if (stages) choose_own_stages(*kernel, target);
  for (Ref& ref : kernel->refs) {
    for (BlockDim& dim : ref.block) {
      dim.index = without_lets(*kernel, dim.index);
      dim.slice_size = without_lets(*kernel, dim.slice_size);
    }
  }
  for (Axis& axis : kernel->axes) axis.size = without_lets(*kernel, axis.size);
  return kernel;
}

}  // namespace

PreparedKernel::PreparedKernel(std::shared_ptr<const Kernel> source, const Target& target)
    : source_(std::move(source)), target_(&target) {
  kernel_ = with_loop_as_axis(*source_);
  if (!kernel_) kernel_ = source_;
  if (std::shared_ptr<const Kernel> apart = with_slices_as_accumulators(*kernel_)) kernel_ = std::move(apart);
  std::set<int> guarded;
  kernel_ = with_names_expanded(std::move(kernel_), target, guarded);
  for (const int scalar : guarded) faults_.push_back(fault_of_scalar_array(*kernel_, scalar));
}

}  // namespace pallasgen
