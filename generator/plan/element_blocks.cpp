#include <fmt/format.h>

#include <algorithm>

#include "blocks.h"
#include "body.h"
#include "cost.h"
#include "element_fusion.h"
#include "element_planner.h"
#include "finish.h"
#include "memory.h"
#include "role_sync.h"
#include "shared_scopes.h"
#include "tickets.h"

namespace pallasgen {

namespace {

using namespace program;

int64_t choose_element_threads(Draft& draft, int64_t elements, int64_t warps) {
  const int64_t threads = whole_warps(std::max(elements, kWarp * warps));
  draft.decide("threads", std::to_string(threads),
               kWarp * warps > elements ? fmt::format("the largest reduction takes {}", counted(warps, "warp"))
                                        : fmt::format("the largest statement computes {}; each thread takes every {}th",
                                                      counted(elements, "element"), threads));
  return threads;
}

// Bytes of the inputs' blocks.
double bytes_read(const Kernel& kernel) {
  double bytes = 0;
  for (const Ref& ref : kernel.refs) {
    int64_t elements = 1;
    for (int64_t size : ref.shape) elements *= std::max<int64_t>(size, 1);
    if (ref.role == RefRole::input) bytes += static_cast<double>(bytes_of(ref.dtype, elements));
  }
  return bytes;
}

// A dot of a dtype that the target's tensor cores take is worth a word.
void warn_of_dots(Draft& draft) {
  if (draft.target->mma == MmaPath::none) return;
  bool told = false;
  for_each_value(draft.kernel->body, [&](const TypedPtr& value) {
    walk(value, [&](const Typed& node) {
      const Apply* dot = node.applies(Op::dot);
      if (!dot || told) return;
      const DType dtype = dot->args[0]->dtype;
      if (dtype != DType::bf16 && dtype != DType::f16) return;
      told = true;
      draft.diagnostics
          .warning(kPlanScalarDot, node.span,
                   fmt::format("a dot of {} goes element by element, without tensor cores", name_of(dtype)))
          .note(
              "tensor cores take `acc[...] += dot(a, b)` on whole blocks of inputs along one sequential axis, with "
              "`pipeline: {warp_specialized: true}`");
    });
  });
}

}  // namespace

bool plan_element_blocks(Draft& draft, const std::string& why) {
  const Kernel& kernel = *draft.kernel;
  Plan& plan = draft.plan;
  warn_of_dots(draft);
  ElementPlanner planner(draft);
  std::optional<Statements> tile = planner.run();
  if (!tile) return false;
  decide_values(draft, planner.warps(), why);
  const int64_t threads = choose_element_threads(draft, planner.largest(), planner.warps());
  plan.launch.threads = draft.constant(constant_name::threads, threads, constant_line::threads);
  RolePlan role;
  role.purpose = "each computes every so many elements of each statement";
  role.warps = static_cast<int>(threads / kWarp);
  role.groups = number(1);
  fuse_element_loops(draft, *tile);
  // Tiles that follow one another in a CTA are a loop too.
  if (!plan.faults.empty() && plan.work.kind == WorkKind::static_persistent && !planner.stays())
    tile->insert(tile->begin(), {"a fault was found: what comes is of no use", false, LeaveOnFault{}});
  take_ticket(draft, *tile);
  role.program.push_back({"", false, ForTiles{std::move(*tile), {}}});
  share_scopes(draft, role.program);
  insert_role_syncs(draft, role.program);
  plan.roles.push_back(std::move(role));
  plan_memory(draft);
  if (!plan.shared.fields.empty() && !check_memory(draft, kernel.span, "", memory_remedies(plan))) return false;
  finish_roles(draft);
  finish_launch(draft);
  finish_constants(draft);
  plan.cost = streaming_cost(draft, bytes_read(kernel) + planner.bytes(), 0, 1);
  return true;
}

}  // namespace pallasgen
