#include "questions/clusters.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "layout/rows.h"
#include "layout/warps.h"
#include "plan/exchanges.h"
#include "program/constant_names.h"
#include "program/memory.h"
#include "program/program_walk.h"
#include "tile/walk.h"

namespace pallasgen {

namespace {

// Threads of each CTA of a cluster, if there are enough CTAs: two such CTAs share an SM with 64 registers a thread, so
// that one row is loaded while another is reduced.
constexpr int64_t kThreadsOfCta = 512;

// The part of the spec that gives each tile to one CTA; null if there is none.
const char* why_own_tiles(const Kernel& kernel) {
  const ScheduleSettings& schedule = kernel.schedule;
  if (tile::work_kind(kernel) != tile::WorkKind::one_per_cta) return "the tiles that a persistent CTA takes in turn";
  if (schedule.cooperative.value) return "a barrier of the whole grid";
  if (schedule.tile_order.kind != TileOrderKind::row) return "this `tile_order`";
  return kernel.skip ? "tiles of which some are skipped" : nullptr;
}

// True if the role's own threads make the copies that it reads through channels; each CTA can then copy its part.
bool copies_by_threads(const tile::Program& program) {
  bool all = true;
  for_each_statement(computing_role(program).body, [&](const tile::Statement& statement) {
    const auto* put = statement.as<tile::Put>();
    all = all && (!put || (!put->value && put->path.kind == tile::PathKind::async));
  });
  return all;
}

// Null if each thread does its own part of the statement, or all of them do the same.
const char* why_only_one_cta(const Plan& plan, const program::Statement& statement) {
  using namespace program;
  if (const auto* reduce = std::get_if<ReduceFragment>(&statement.node)) {
    if (reduce->part == ReducePart::running || reduce->part == ReducePart::picked)
      return "a scan or one column of each row";
    if (reduce->axis != 1) return "a reduction of columns";
    return reduce->strategy == ReduceStrategy::shuffle ? nullptr : "a reduction in shared memory";
  }
  if (const auto* store = std::get_if<StoreGlobal>(&statement.node))
    return store->combine ? "an update of memory by atomics" : nullptr;
  if (const auto* load = std::get_if<Load>(&statement.node)) {
    const bool shared = threads_share_elements(plan.fragments[static_cast<size_t>(load->fragment)].layout);
    return shared && is_written(*plan.kernel, load->access.ref) ? "what threads of several CTAs load and one stores"
                                                                : nullptr;
  }
  if (const auto* load = std::get_if<LoadShared>(&statement.node))
    return plan.rings[static_cast<size_t>(load->ring)].own ? nullptr : "copies that other threads read";
  if (const auto* copy = std::get_if<AsyncCopy>(&statement.node)) {
    if (!plan.rings[static_cast<size_t>(copy->ring)].own) return "copies that other threads read";
    int64_t elements = 1;
    for (const Number& size : copy->shape) elements *= size.value;
    const int64_t at_once = plan.launch.cluster.value * plan.launch.threads.value * copy->access.vector.value;
    return elements % at_once == 0 ? nullptr : "copies of which CTAs have parts of several sizes";
  }
  const bool own = is_one_of<ForTiles, ForSteps, Prefetch, CommitCopies, WaitCopies, AdvanceRing, DeclareSteps,
                             DeclareLet, DeclareFragment, BindScalar, FillIfNoStep, Elementwise, UnpackAgain, If,
                             ForRange, SetScalar, RoleSync, OpenExchange>(statement);
  return own ? nullptr : "a statement of one CTA's threads";
}

}  // namespace

// The reason that clusters cannot share tiles; empty if none is known yet.
std::string why_tiles_cannot_be_shared(const tile::Program& program) {
  if (const auto* known = tile::given_up(program, tile::ChoiceKind::cluster)) return known->why;
  if (const char* own = why_own_tiles(*program.declarations)) return own;
  if (has_several_roles(program)) return "what a producer copies";
  return copies_by_threads(program) ? "" : "copies that other threads read";
}

void give_threads(const tile::Program& program, const Target& target, int64_t threads, Spread spread,
                  tile::Role& role) {
  const bool together = why_tiles_cannot_be_shared(program).empty();
  const int64_t alone = spread == Spread::where_needed ? kMostLanesOfCta : kThreadsOfCta;
  if (together && threads > alone && std::has_single_bit(static_cast<uint64_t>(threads)))
    role.ctas = std::min<int64_t>(threads / kThreadsOfCta, target.max_cluster);
  // With other roles, as many as keep the number of threads of a row a power of two.
  const int64_t left = kMostLanesOfCta - total_warps(program) * kWarp;
  const auto most = static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(std::max(kWarp, left))));
  role.warps = (std::min(threads, role.ctas * most) + kWarp - 1) / kWarp;
}

bool has_full_cta(const tile::Program& program) {
  const tile::Role& role = computing_role(program);
  return !has_several_roles(program) && role.ctas == 1 && role.threads() == kMostLanesOfCta;
}

std::string cluster_remedy(const tile::Program& program) {
  const std::string why = why_tiles_cannot_be_shared(program);
  if (!has_full_cta(program) || why.empty()) return {};
  return fmt::format("; a cluster, whose CTAs have more together, cannot share {}", why);
}

std::optional<std::string> why_clusters_fail(const Plan& plan) {
  if (plan.launch.cluster.value == 1) return std::nullopt;
  std::optional<std::string> why;
  for_each_statement(computing_role(plan).program, [&](const program::Statement& statement) {
    if (const char* what = why_only_one_cta(plan, statement); what && !why) why = what;
    for_each_binding(statement, [&](const program::Binding& binding) {
      if (binding.kind == program::SlotKind::shared && !why) why = "a value in shared memory";
      if (binding.order && !why) why = "an ordered access";
    });
  });
  return why;
}

void decide_cluster(Draft& draft, const tile::Program& program) {
  const int64_t ctas = computing_role(program).ctas;
  Plan& plan = draft.plan;
  const bool given_up = tile::given_up(program, tile::ChoiceKind::cluster) != nullptr;
  if (const std::string why = why_tiles_cannot_be_shared(program); given_up || (has_full_cta(program) && !why.empty()))
    draft.decide("CTAs of a tile", "1", fmt::format("a cluster cannot share {}", why));
  plan.launch.cluster = number(1);
  if (ctas == 1) return;
  plan.launch.cluster = draft.constant(constant_name::cluster, ctas, constant_line::threads);
  plan.headers.insert("cluster.cuh");
  draft.decide("CTAs of a tile", fmt::format("{}, a cluster", ctas),
               "the threads of one have too few registers for its rows");
}

void open_exchange(Draft& draft, program::Statements& statements) {
  if (draft.plan.launch.cluster.value == 1) return;
  const LaunchPlan& launch = draft.plan.launch;
  const auto exchanges = [&launch](const program::Statement& statement) {
    bool found = false;
    for_each_statement({statement}, [&](const program::Statement& inner) {
      const auto* reduce = std::get_if<program::ReduceFragment>(&inner.node);
      found = found || (reduce && is_exchange(launch, *reduce));
    });
    return found;
  };
  const auto first = std::find_if(statements.begin(), statements.end(), exchanges);
  if (first == statements.end()) return;
  if (auto* tiles = std::get_if<program::ForTiles>(&first->node)) return open_exchange(draft, tiles->body);
  SharedField field;
  field.name = "arrived";
  field.is_barrier = true;
  field.dims = {number(2)};
  field.alignment = kBarrierBytes;
  field.purpose = "barriers";
  statements.insert(first, {"every CTA of the cluster runs", false, program::OpenExchange{add_field(draft, field)}});
}

std::string layout_over_cluster(const Plan& plan, std::string text) {
  const Number& ctas = plan.launch.cluster;
  return ctas.value == 1 ? text : fmt::format("OfCluster<{}, {}>", ctas.text, text);
}

}  // namespace pallasgen
