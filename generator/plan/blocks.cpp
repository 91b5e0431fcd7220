#include "blocks.h"

#include <fmt/format.h>

#include <algorithm>

#include "body.h"
#include "copies_ahead.h"
#include "cost.h"
#include "finish.h"
#include "matmul_form.h"
#include "memory.h"
#include "program_walk.h"
#include "role_sync.h"
#include "slabs.h"
#include "tensor_copies.h"
#include "work.h"

namespace pallasgen {

namespace {

using namespace program;

int64_t choose_threads(Draft& draft, int64_t elements, int64_t vector) {
  const int64_t vectors = (elements + vector - 1) / vector;
  const int64_t wanted = (vectors + kVectorsInFlight - 1) / kVectorsInFlight;
  const int64_t threads = whole_warps(wanted);
  draft.decide("threads", std::to_string(threads),
               fmt::format("a block is {} of {}; {} for each thread keep loads under way", counted(vectors, "access"),
                           counted(vector, "element"), counted((vectors + threads - 1) / threads, "access")));
  return threads;
}

int64_t choose_row_threads(Draft& draft, const RowsFrame& rows) {
  const int64_t threads = threads_of_rows(rows), together = threads / rows.lanes;
  draft.decide("threads", std::to_string(threads),
               fmt::format("{} of {} at a time, {} in turn", counted(std::min(together, rows.rows.value), "row"),
                           rows.rows.value, (rows.rows.value + together - 1) / together));
  return threads;
}

bool check_pipeline(Draft& draft) {
  const PipelineSettings& pipeline = draft.kernel->pipeline;
  if (pipeline.compute_warpgroups.value) {
    draft.refuse(kPlanSetting, pipeline.compute_warpgroups.span, "compute_warpgroups without `warp_specialized: true`")
        .note("without it the plan chooses the threads");
    return false;
  }
  return true;
}

// Slots that the settings ask for and a body that goes element by element has no use for. `why`: it does.
bool refuse_stages_by_elements(Draft& draft, const std::string& why) {
  const Kernel& kernel = *draft.kernel;
  const Ref* own = nullptr;
  for (const Ref& ref : kernel.refs) {
    if (ref.stages && !own) own = &ref;
  }
  const int64_t stages = kernel.pipeline.stages.value.value_or(0);
  if (stages == 0 && !own) return false;
  draft
      .refuse(kPlanSetting, stages > 0 ? kernel.pipeline.stages.span : own->span,
              fmt::format("stages: {} of a body that goes element by element ({}) is not planned yet without a "
                          "producer",
                          stages > 0 ? stages : *own->stages, why))
      .note("`stages: 0` works");
  return true;
}

}  // namespace

void tell_accesses(Draft& draft, const RolePlan& role) {
  std::set<int> told;
  for_each_statement(role.program, [&](const Statement& statement) {
    const Access* access = nullptr;
    int fragment = -1;
    if (const auto* node = std::get_if<Load>(&statement.node)) access = &node->access, fragment = node->fragment;
    if (const auto* node = std::get_if<StoreGlobal>(&statement.node)) access = &node->access, fragment = node->fragment;
    if (!access || !told.insert(access->ref).second) return;
    const Ref& ref = draft.ref(access->ref);
    const int64_t bytes = access->vector.value * info(ref.dtype).bits / 8;
    draft.decide("access to " + ref.name, fmt::format("{} bytes at a time{}", bytes, access->masked ? ", masked" : ""),
                 access->reason);
    const int64_t most = needed_multiple(ref), width = ref.shape.empty() ? 1 : ref.shape.back();
    // Only rows that run along the rows of the fragment could go by vectors; a value for each row does not.
    const FragmentPlan& held = draft.plan.fragments[fragment];
    const int last = static_cast<int>(held.layout.shape.size()) - 1;
    if (held.layout_text.starts_with("RowSlice<")) return;
    if (access->vector.value > 1 || most == 1 || width % most != 0 || access->dims.empty()) return;
    if (last < 0 || access->dims.back().fragment_dim != last) return;
    const int64_t known = multiple_of(ref.array_shape.back(), draft.facts);
    if (known % most == 0) return;
    draft.diagnostics
        .warning(kPlanScalarAccess, ref.type_span.source ? ref.type_span : ref.span,
                 fmt::format("'{}' is accessed element by element: nothing says that its rows of {} elements are whole "
                             "16-byte units",
                             ref.name, to_string(ref.array_shape.back())))
        .note(pitch_remedy(draft, access->ref));
  });
}

int64_t whole_warps(int64_t wanted) { return std::clamp((wanted + kWarp - 1) / kWarp * kWarp, kWarp, kMostThreads); }

void decide_values(Draft& draft, int64_t warps, const std::string& why) {
  draft.decide("values", "in tiles of shared memory, an element per thread and turn", why);
  if (warps > 0)
    draft.decide("reductions", "a warp for each result, its lanes take the terms in turn",
                 "few results of many terms would leave threads idle");
}

int64_t largest_block(const Kernel& kernel) {
  int64_t largest = 1;
  for (const Ref& ref : kernel.refs) {
    if (ref.role != RefRole::output) continue;
    int64_t elements = 1;
    for (int64_t size : ref.shape) elements *= size;
    largest = std::max(largest, elements);
  }
  return largest;
}

std::vector<Number> stored_tile(const Kernel& kernel) {
  const Ref* largest = nullptr;
  int64_t most = 0;
  for (const Ref& ref : kernel.refs) {
    int64_t elements = 1;
    for (int64_t size : ref.shape) elements *= size;
    if (ref.role == RefRole::output && elements > most) largest = &ref, most = elements;
  }
  std::vector<Number> tile;
  for (size_t d = 0; largest && d < largest->block.size(); ++d) {
    if (largest->block[d].kind != BlockKind::squeezed) tile.push_back(number_of(largest->block[d]));
  }
  return tile;
}

int64_t widest_vector(const Draft& draft) {
  int64_t widest = 1;
  for (size_t ref = 0; ref < draft.kernel->refs.size(); ++ref) {
    const Ref& r = draft.ref(static_cast<int>(ref));
    if ((r.role != RefRole::input && r.role != RefRole::output) || r.block.empty()) continue;
    if (r.block.back().kind == BlockKind::squeezed) continue;
    const std::vector<TypedPtr> offsets = block_coordinates(draft, static_cast<int>(ref));
    widest =
        std::max(widest, proved_vector(draft, static_cast<int>(ref), offsets.back(), r.block.back().size).elements);
  }
  return widest;
}

namespace {

// The statement of the body at this place of the file; empty where there is none.
std::string statement_at(const Kernel& kernel, Span span) {
  std::string found;
  for_each_statement(kernel.body, [&](const KernelStmt& statement) {
    if (span.source && statement.span.begin <= span.begin && span.end <= statement.span.end) found = statement.text;
  });
  return found;
}

}  // namespace

std::string beyond_fragments(const Kernel& kernel) {
  for (const Ref& ref : kernel.refs) {
    if (info(ref.dtype).bits < 8)
      return fmt::format("elements of 4 bits, as in '{}', are reached one by one", ref.name);
  }
  bool by_elements = !kernel.checks.empty();
  for_each_value(kernel.body, [&](const TypedPtr& value) {
    walk(value, [&](const Typed& node) {
      const Symbol* symbol = node.as<Symbol>();
      const RefRead* read = node.as<RefRead>();
      by_elements = by_elements || node.applies(Op::random_bits) || (symbol && symbol->kind == SymbolKind::ticket) ||
                    (read && read->order != pallasgen::MemoryOrder::weak);
    });
  });
  if (by_elements) return "random bits, tickets, ordered loads and run-time checks are not planned in registers";
  return has_dot(kernel) ? "a dot without MMA is not planned in registers" : "";
}

std::string reason_of(const Kernel& kernel, const Diagnostic& refusal) {
  const std::string statement = statement_at(kernel, refusal.span);
  return (statement.empty() ? "" : fmt::format("`{}`: ", statement)) + refusal.message;
}

bool suits_fragments(const Draft& draft, BlockFrame& frame, std::string& why) {
  frame.vector = widest_vector(draft);
  frame.rows = rows_of(*draft.kernel, frame.vector);
  why = beyond_fragments(*draft.kernel);
  if (!why.empty()) return false;
  Diagnostics unsaid;
  Draft trial(draft.kernel, *draft.target, unsaid);
  BlockFrame widest = frame;
  widest.threads = number(frame.rows ? threads_of_rows(*frame.rows) : kMostThreads);
  if (choose_slabs(trial, widest)) return true;
  why = reason_of(*draft.kernel, unsaid.all().front());
  return false;
}

bool plan_blocks(Draft& draft) {
  const Kernel& kernel = *draft.kernel;
  if (kernel.pipeline.warp_specialized.value) return plan_pipelined_blocks(draft);
  if (!check_pipeline(draft) || !plan_work(draft)) return false;
  Plan& plan = draft.plan;
  plan.work.tile = stored_tile(kernel);
  BlockFrame frame;
  std::string why;
  if (!suits_fragments(draft, frame, why))
    return !refuse_stages_by_elements(draft, why) && plan_element_blocks(draft, why);
  const int64_t threads =
      frame.rows ? choose_row_threads(draft, *frame.rows) : choose_threads(draft, largest_block(kernel), frame.vector);
  frame.threads = plan.launch.threads = draft.constant(constant_name::threads, threads, constant_line::threads);
  const std::optional<CopiesAhead> copies = plan_copies_ahead(draft, frame);
  if (!copies || !choose_slabs(draft, frame)) return false;
  std::optional<PlannedBody> body = plan_body(draft, frame);
  if (!body) return false;
  if (frame.rows)
    name_rows_layout(draft, *frame.rows, frame.threads, frame.splits() ? frame.part_rows : frame.rows->rows);

  const bool ahead = !copies->rings.empty();
  Statements tile, steps;
  const auto append = [](Statements& to, Statements from) {
    for (Statement& statement : from) to.push_back(std::move(statement));
  };
  if (ahead) {
    StepsWithCopies with_copies = steps_with_copies(draft, frame, *copies, std::move(body->step));
    // The first copies are under way before anything else, unless each step of an outer axis has its own.
    append(kernel.sequential_axes() == 1 ? tile : steps, std::move(with_copies.first));
    append(steps, std::move(with_copies.loop));
  } else {
    steps = in_slabs(frame, in_order(std::move(body->step)));
  }
  for (size_t axis = kernel.axes.size(); axis-- > 0;) {
    if (!kernel.axes[axis].sequential || (ahead && static_cast<int>(axis) == copies->axis)) continue;
    Statements outer;
    outer.push_back({"", false, ForSteps{static_cast<int>(axis), {}, std::move(steps)}});
    steps = std::move(outer);
  }
  append(tile, in_order(std::move(body->before)));
  append(tile, std::move(steps));
  append(tile, in_order(std::move(body->after)));
  RolePlan role;
  role.purpose = copies->rings.empty() ? "every thread loads, computes and stores its part of the block"
                                       : "every thread copies ahead, computes and stores its part of the block";
  role.warps = static_cast<int>(threads / 32);
  role.groups = number(1);
  for (const CopiesAhead::Ring& ring : copies->rings) role.rings.push_back(ring.ring);
  role.program.push_back({"", false, ForTiles{std::move(tile), {}}});
  insert_role_syncs(draft, role.program);
  plan.roles.push_back(std::move(role));
  tell_accesses(draft, plan.roles.front());
  plan_memory(draft);
  if (!check_slots_fit(draft, *copies)) return false;
  finish_roles(draft);
  finish_launch(draft);
  finish_constants(draft);
  int64_t stages = 1;
  for (const RingPlan& ring : plan.rings) stages = std::max(stages, 1 + ring.ahead.value);
  plan.cost = streaming_cost(draft, body->bytes * static_cast<double>(frame.slabs.value), 0, stages);
  return true;
}

}  // namespace pallasgen
