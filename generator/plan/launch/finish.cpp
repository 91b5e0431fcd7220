#include "launch/finish.h"

#include <algorithm>
#include <map>

#include "launch/declarations.h"
#include "launch/operands.h"
#include "launch/products.h"
#include "plan/words.h"
#include "program/index_terms.h"
#include "program/program_walk.h"
#include "proofs/last_blocks.h"

namespace pallasgen {

namespace {

using namespace program;

// What a role's program uses, each once, in the order of the kernel.
struct Needs {
  bool smem = false, num_sms = false;
  std::set<int> maps, refs, parts, dims, scalars, sizes;
  std::set<std::string> variables;
};

void need_expression(const Kernel& kernel, const TypedPtr& expr, Needs& needs) {
  walk(expr, [&](const Typed& node) {
    if (const Apply* apply = node.as<Apply>(); apply && operation(apply->op).group == OpGroup::scalars) {
      needs.scalars.insert(apply->attributes.scalar);
      // An element's index depends on the extents after the first, a search on the first.
      const std::vector<TypedPtr>& shape = *kernel.scalars[apply->attributes.scalar].shape;
      for (size_t d = 0; d < shape.size(); ++d) {
        if ((d > 0) == (apply->op == Op::element)) need_expression(kernel, shape[d], needs);
      }
    }
    const Symbol* symbol = node.as<Symbol>();
    if (!symbol) return;
    switch (symbol->kind) {
      case SymbolKind::dim:
        needs.dims.insert(symbol->id);
        break;
      case SymbolKind::scalar:
        needs.scalars.insert(symbol->id);
        break;
      case SymbolKind::axis_size:
        needs.sizes.insert(symbol->id);
        break;
      case SymbolKind::num_sms:
        needs.num_sms = true;
        break;
      case SymbolKind::loop:
        if (symbol->id < 0) needs.variables.insert(symbol->name);  // not a loop of the spec's body
        break;
      default:
        break;
    }
  });
}

Needs needs_of(const Plan& plan, const RolePlan& role) {
  Needs needs;
  std::set<std::string> declared;  // by the program's own loops
  needs.sizes.insert(plan.work.axes.begin(), plan.work.axes.end());
  if (plan.work.queue >= 0) needs.smem = true;
  if (takes_tiles(plan, role)) needs.parts.insert(part_named(plan, workspace_name::tiles));
  for_each_statement(role.program, [&](const Statement& statement) {
    for_each_expression(plan, statement, [&](const TypedPtr& expr) { need_expression(*plan.kernel, expr, needs); });
    if (const auto* node = std::get_if<ForSteps>(&statement.node)) needs.sizes.insert(node->axis);
    if (const auto* node = std::get_if<FillIfNoStep>(&statement.node)) needs.sizes.insert(node->axis);
    if (const auto* node = std::get_if<TensorLoad>(&statement.node))
      needs.maps.insert(plan.rings[node->ring].operands[node->operand].map);
    if (const auto* node = std::get_if<TensorStore>(&statement.node)) needs.maps.insert(plan.stores[node->store].map);
    if (std::holds_alternative<GridSync>(statement.node))
      needs.parts.insert(part_named(plan, workspace_name::grid_barrier));
    if (std::holds_alternative<Check>(statement.node) || std::holds_alternative<LeaveOnFault>(statement.node) ||
        std::holds_alternative<PollFault>(statement.node))
      needs.parts.insert(part_named(plan, workspace_name::status));
    if (std::holds_alternative<TakeTicket>(statement.node)) {
      needs.parts.insert(part_named(plan, workspace_name::tickets));
      needs.smem = true;
    }
    const auto need_ref = [&](int ref) { needs.refs.insert(buffer_of(*plan.kernel, ref)); };
    if (const auto* node = std::get_if<Load>(&statement.node)) need_ref(node->access.ref);
    if (const auto* node = std::get_if<StoreGlobal>(&statement.node)) need_ref(node->access.ref);
    if (const auto* node = std::get_if<AsyncCopy>(&statement.node)) need_ref(node->access.ref);
    if (const auto* node = std::get_if<Prefetch>(&statement.node)) need_ref(node->access.ref);
    const bool of_slots =
        std::holds_alternative<BarrierWait>(statement.node) || std::holds_alternative<ExpectBytes>(statement.node) ||
        std::holds_alternative<TensorLoad>(statement.node) || std::holds_alternative<AsyncCopy>(statement.node) ||
        std::holds_alternative<ArriveFilled>(statement.node);
    needs.smem = needs.smem || of_slots;
    for_each_binding(statement, [&](const Binding& binding) {
      if (binding.kind == SlotKind::global) need_ref(binding.ref);
      needs.smem = needs.smem || binding.kind == SlotKind::shared;
    });
    if (const auto* node = std::get_if<StoreElement>(&statement.node)) {
      if (node->ref >= 0) need_ref(node->ref);
      needs.smem = needs.smem || node->field >= 0;
    }
    for_each_field(statement, [&](int) { needs.smem = true; });
    if (role.groups.value > 1 && meets_in_tile(statement)) needs.variables.insert("wg");
    if (std::holds_alternative<WarpgroupSync>(statement.node)) needs.variables.insert("wg");
    if (const auto* range = std::get_if<ForRange>(&statement.node)) declared.insert(range->variable);
    if (std::holds_alternative<TakeTurn>(statement.node)) needs.variables.insert("wg");
    const auto* filled = std::get_if<ArriveFilled>(&statement.node);
    const bool tells = filled && (filled->what == Filled::issued || filled->what == Filled::staged);
    const bool of_leader = std::holds_alternative<StoreAcquire>(statement.node) ||
                           std::holds_alternative<TensorStore>(statement.node) || tells;
    if (of_leader && role.run_by != Issuer::one_thread) needs.variables.insert("leader");
    if (std::holds_alternative<Release>(statement.node) && role.run_by != Issuer::one_thread)
      needs.variables.insert("first_lane");
    const auto* columns = std::get_if<ForStoreColumns>(&statement.node);
    if (columns && columns->group.empty()) needs.variables.insert("wg");
  });
  for (const std::string& name : declared) needs.variables.erase(name);
  return needs;
}

std::vector<Parameter> parameters(const Draft& draft, const Needs& needs, bool smem) {
  std::vector<Parameter> list;
  const Kernel& kernel = *draft.kernel;
  if (smem && needs.smem) list.push_back({ParameterKind::smem, -1, "smem"});
  for (int map : needs.maps) list.push_back({ParameterKind::map, map, draft.plan.maps[map].name});
  for (int ref : needs.refs) list.push_back({ParameterKind::ref, ref, kernel.identifiers.of(kernel.refs[ref].name)});
  for (int part : needs.parts) list.push_back({ParameterKind::part, part, draft.plan.launch.workspace[part].name});
  for (int dim : needs.dims) list.push_back({ParameterKind::dim, dim, kernel.identifiers.of(kernel.dims[dim].name)});
  for (int scalar : needs.scalars)
    list.push_back({ParameterKind::scalar, scalar, kernel.identifiers.of(kernel.scalars[scalar].name)});
  if (needs.num_sms) list.push_back({ParameterKind::num_sms, -1, "num_sms"});
  for (int axis : needs.sizes) {
    const auto size = std::find_if(draft.plan.launch.sizes.begin(), draft.plan.launch.sizes.end(),
                                   [&](const LaunchSize& candidate) { return candidate.axis == axis; });
    if (size->on_device) continue;
    list.push_back({ParameterKind::size, axis, size->name});
  }
  return list;
}

// Adds a function after those that its body calls.
void use_function(const Kernel& kernel, int index, std::vector<int>& used) {
  if (std::find(used.begin(), used.end(), index) != used.end()) return;
  walk(kernel.functions[index].body, [&](const Typed& node) {
    if (const CallFunction* call = node.as<CallFunction>()) use_function(kernel, call->function, used);
  });
  used.push_back(index);
}

Requirement condition(std::vector<TypedPtr> conditions, std::string message) {
  Requirement requirement{};
  requirement.kind = RequirementKind::condition;
  requirement.conditions = std::move(conditions);
  requirement.message = std::move(message);
  return requirement;
}

TypedPtr comparison(Op op, TypedPtr a, TypedPtr b) {
  return make_typed({}, DType::boolean, {}, Apply{op, {std::move(a), std::move(b)}, {}});
}

void require_dims(Draft& draft) {
  const Kernel& kernel = *draft.kernel;
  std::vector<Requirement>& requirements = draft.plan.launch.requirements;
  std::vector<TypedPtr> not_negative, all;
  std::vector<std::string> names;
  for (size_t d = 0; d < kernel.dims.size(); ++d) {
    const TypedPtr dim = dim_symbol(kernel, static_cast<int>(d));
    if (kernel.dims[d].min == 0) not_negative.push_back(comparison(Op::greater_equal, dim, index_constant(0)));
    const bool is_small = kernel.dims[d].max && *kernel.dims[d].max <= INT32_MAX;
    if (is_small || draft.plan.launch.most.count(static_cast<int>(d)) > 0) continue;
    all.push_back(dim);
    names.push_back(kernel.dims[d].name);
  }
  if (kernel.dims.empty()) return;
  if (!not_negative.empty()) requirements.push_back(condition(not_negative, "negative extent"));
  std::map<int64_t, std::vector<int>> by_factor;
  for (size_t d = 0; d < kernel.dims.size(); ++d) {
    if (kernel.dims[d].multiple_of > 1) by_factor[kernel.dims[d].multiple_of].push_back(static_cast<int>(d));
  }
  for (const auto& [factor, dims] : by_factor) {
    std::vector<TypedPtr> conditions;
    std::vector<std::string> which;
    for (int d : dims) {
      conditions.push_back(comparison(Op::equal, index_apply(Op::modulo, dim_symbol(kernel, d), index_constant(factor)),
                                      index_constant(0)));
      which.push_back(kernel.dims[d].name);
    }
    requirements.push_back(condition(
        conditions, listed(which) + (which.size() == 1 ? " must be a multiple of " : " must be multiples of ") +
                        std::to_string(factor)));
  }
  for (size_t d = 0; d < kernel.dims.size(); ++d) {
    const Dim& dim = kernel.dims[d];
    const TypedPtr symbol = dim_symbol(kernel, static_cast<int>(d));
    if (dim.min > 0)
      requirements.push_back(condition({comparison(Op::greater_equal, symbol, index_constant(dim.min))},
                                       dim.name + " must be at least " + std::to_string(dim.min)));
    if (dim.max)
      requirements.push_back(condition({comparison(Op::less_equal, symbol, index_constant(*dim.max))},
                                       dim.name + " must be at most " + std::to_string(*dim.max)));
  }
  for (const auto& [dim, most] : draft.plan.launch.most)
    requirements.push_back(condition({comparison(Op::less_equal, dim_symbol(kernel, dim), index_constant(most))},
                                     kernel.dims[dim].name + " must be at most " + std::to_string(most)));
  if (all.empty()) return;
  Requirement fits{};
  fits.kind = RequirementKind::fits_int32;
  fits.values = all;
  fits.message = listed(names) + " must be below 2^31";
  requirements.push_back(std::move(fits));
}

// Numbers of tiles and steps are ints in the kernel. Dims fit in an int; products of them, and scalars, may not.
void require_sizes(Draft& draft) {
  SymbolFacts facts = draft.facts;
  facts.maximum = [known = draft.facts.maximum](const Symbol& symbol) {
    const std::optional<int64_t> maximum = known(symbol);
    return maximum || symbol.kind == SymbolKind::scalar ? maximum : std::optional<int64_t>(INT32_MAX);
  };
  for (const LaunchSize& size : draft.plan.launch.sizes) {
    if (size.on_device || bounds(size.value, facts).maximum.value_or(INT64_MAX) <= INT32_MAX) continue;
    Requirement fits{};
    fits.kind = RequirementKind::fits_int32;
    fits.values = {size.value};
    fits.message = "the size of " + draft.kernel->axes[size.axis].name + " must be below 2^31";
    draft.plan.launch.requirements.push_back(std::move(fits));
  }
}

// An expression that is 0 exactly if the size is: M for cdiv(M, bm) and for M // bm of whole blocks, and for the
// minimum of M and a number that is never 0.
TypedPtr counted_by(const TypedPtr& size, const SymbolFacts& facts) {
  const Apply* apply = size->as<Apply>();
  if (apply && apply->op == Op::cdiv && constant_value(apply->args[1])) return counted_by(apply->args[0], facts);
  if (apply && apply->op == Op::floor_divide) {
    const std::optional<int64_t> block = constant_value(apply->args[1]);
    const bool whole = block && *block > 0 && multiple_of(apply->args[0], facts) % *block == 0;
    return whole ? counted_by(apply->args[0], facts) : size;
  }
  if (!apply || apply->op != Op::minimum) return size;
  const auto is_positive = [&](size_t arg) { return bounds(apply->args[arg], facts).minimum.value_or(0) > 0; };
  return is_positive(0) ? counted_by(apply->args[1], facts) : is_positive(1) ? counted_by(apply->args[0], facts) : size;
}

TypedPtr empty_condition(const Plan& plan, int axis, const SymbolFacts& facts) {
  const TypedPtr& size = plan.kernel->axes[static_cast<size_t>(axis)].size;
  const TypedPtr counted = counted_by(size, facts);
  // The launcher has a name for a size that is not a single symbol.
  const bool has_name = std::any_of(plan.launch.sizes.begin(), plan.launch.sizes.end(),
                                    [&](const LaunchSize& of) { return of.axis == axis && !of.on_device; });
  const Symbol name{SymbolKind::axis_size, axis, plan.kernel->axes[static_cast<size_t>(axis)].name};
  const bool takes_name = has_name && !counted->as<Symbol>();
  return comparison(Op::equal, takes_name ? make_typed(size->span, DType::index, {}, name) : counted,
                    index_constant(0));
}

void add_factors(const TypedPtr& product, std::set<int>& dims) {
  const Apply* apply = product->as<Apply>();
  if (apply && apply->op == Op::multiply) {
    for (const TypedPtr& factor : apply->args) add_factors(factor, dims);
  } else if (const Symbol* symbol = product->as<Symbol>(); symbol && symbol->kind == SymbolKind::dim) {
    dims.insert(symbol->id);
  }
}

// The dims that are not 0 when the kernel runs: the launcher returns if an axis has no tiles.
std::set<int> dims_of_tiles(const Kernel& kernel, const SymbolFacts& facts) {
  std::set<int> dims;
  for (const Axis& axis : kernel.axes) {
    if (!axis.sequential) add_factors(counted_by(axis.size, facts), dims);
  }
  return dims;
}

void find_empty_stores(Draft& draft) {
  const std::set<int> dims = dims_of_tiles(*draft.kernel, draft.facts);
  SymbolFacts facts = draft.facts;
  facts.minimum = [&dims, known = draft.facts.minimum](const Symbol& symbol) {
    const std::optional<int64_t> least = known(symbol);
    const bool has_tiles = symbol.kind == SymbolKind::dim && dims.count(symbol.id) > 0;
    return has_tiles ? std::max<int64_t>(least.value_or(1), 1) : least;
  };
  for (TensorMapPlan& map : draft.plan.maps) {
    map.may_be_empty = map.is_store && std::any_of(map.extents.begin(), map.extents.end(), [&](const TypedPtr& extent) {
                         return bounds(extent, facts).minimum.value_or(0) < 1;
                       });
  }
}

}  // namespace

void finish_roles(Draft& draft) {
  Plan& plan = draft.plan;
  add_own_parts(plan);
  const Kernel& kernel = *draft.kernel;
  for (RolePlan& role : plan.roles) declare_in_tiles(draft, role.program);
  std::set<int> size_used;
  for (RolePlan& role : plan.roles) {
    Needs needs = needs_of(plan, role);
    role.needs_row0 = needs.variables.count("row0") > 0;
    role.needs_group = role.needs_row0 || needs.variables.count("wg") > 0;
    role.needs_leader = needs.variables.count("leader") > 0;
    role.needs_first_lane = needs.variables.count("first_lane") > 0;
    role.needs_first_warp = needs.variables.count("first_warp") > 0;
    role.parameters = parameters(draft, needs, true);
    size_used.insert(needs.sizes.begin(), needs.sizes.end());
    for_each_statement(role.program, [&](const Statement& statement) {
      for_each_expression(plan, statement, [&](const TypedPtr& expr) {
        walk(expr, [&](const Typed& node) {
          if (const CallFunction* call = node.as<CallFunction>()) use_function(kernel, call->function, plan.functions);
        });
      });
    });
  }
  std::erase_if(plan.launch.sizes, [&](const LaunchSize& size) {
    return size_used.count(size.axis) == 0 && kernel.axes[size.axis].sequential;
  });
}

void finish_launch(Draft& draft) {
  Plan& plan = draft.plan;
  const Kernel& kernel = *draft.kernel;
  Needs all;
  for (const RolePlan& role : plan.roles) {
    const Needs needs = needs_of(plan, role);
    all.maps.insert(needs.maps.begin(), needs.maps.end());
    all.refs.insert(needs.refs.begin(), needs.refs.end());
    all.parts.insert(needs.parts.begin(), needs.parts.end());
    all.dims.insert(needs.dims.begin(), needs.dims.end());
    all.scalars.insert(needs.scalars.begin(), needs.scalars.end());
    all.sizes.insert(needs.sizes.begin(), needs.sizes.end());
    all.num_sms = all.num_sms || needs.num_sms;
  }
  plan.launch.num_sms = all.num_sms;
  for (const LaunchSize& size : plan.launch.sizes)
    plan.launch.num_sms = plan.launch.num_sms || (!size.on_device && mentions(size.value, SymbolKind::num_sms, 0));
  plan.launch.arguments = parameters(draft, all, false);
  for (size_t ref = 0; ref < kernel.refs.size(); ++ref) {
    const RefRole role = kernel.refs[ref].role;
    if ((role == RefRole::input || role == RefRole::output) && !kernel.refs[ref].alias_of)
      plan.launch.parameters.push_back(
          {ParameterKind::ref, static_cast<int>(ref), kernel.identifiers.of(kernel.refs[ref].name)});
  }
  for (size_t dim = 0; dim < kernel.dims.size(); ++dim)
    plan.launch.parameters.push_back(
        {ParameterKind::dim, static_cast<int>(dim), kernel.identifiers.of(kernel.dims[dim].name)});
  for (size_t scalar = 0; scalar < kernel.scalars.size(); ++scalar)
    plan.launch.parameters.push_back(
        {ParameterKind::scalar, static_cast<int>(scalar), kernel.identifiers.of(kernel.scalars[scalar].name)});
  plan.launch.most = dims_of_last_blocks(draft);
  require_dims(draft);
  const size_t dims_end = plan.launch.requirements.size();
  require_sizes(draft);
  plan_operands(draft);
  require_products(draft, dims_end);
  if (!plan.launch.workspace.empty()) {
    plan.launch.parameters.push_back({ParameterKind::workspace, -1, "workspace"});
    plan.launch.parameters.push_back({ParameterKind::workspace_bytes, -1, "workspace_bytes"});
  }
  plan.launch.parameters.push_back({ParameterKind::stream, -1, "stream"});
  for (size_t axis = 0; axis < kernel.axes.size(); ++axis) {
    if (kernel.axes[axis].sequential || bounds(kernel.axes[axis].size, draft.facts).minimum.value_or(0) > 0) continue;
    const TypedPtr empty = empty_condition(plan, static_cast<int>(axis), draft.facts);
    const auto known = [&](const TypedPtr& other) { return equal(other, empty); };
    if (std::none_of(plan.launch.empty_when.begin(), plan.launch.empty_when.end(), known))
      plan.launch.empty_when.push_back(empty);
  }
  find_empty_stores(draft);
  require_pointers(draft);
  plan.launch.persistent = plan.work.is_loop();
  plan.launch.ctas = kernel.schedule.num_ctas.value.value_or(0);
  plan.launch.cooperative = kernel.schedule.cooperative.value;
  plan.launch.dependent = kernel.schedule.dependent_launch.value;
}

}  // namespace pallasgen
