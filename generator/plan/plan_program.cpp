#include "plan_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "blocks.h"
#include "box_access.h"
#include "channel_rings.h"
#include "cost.h"
#include "diagnostics/assert.h"
#include "finish.h"
#include "first_turns.h"
#include "fragment_values.h"
#include "memory.h"
#include "registers.h"
#include "role_rings.h"
#include "role_sync.h"
#include "tile/walk.h"
#include "work.h"

namespace pallasgen {

namespace planning {

// Not all of either: tile programs and the programs of plans have statements of the same names.
using program::Access, program::AtomicKind, program::DeclareFragment, program::Elementwise, program::Load,
    program::ReduceFragment, program::Statements, program::StoreGlobal;
using tile::Advance, tile::Assign, tile::Block, tile::Box, tile::Commit, tile::For, tile::ForTiles, tile::Get, tile::If,
    tile::Path, tile::Program, tile::Put, tile::Read, tile::Role, tile::Statement, tile::Sync, tile::ValueId,
    tile::WaitCopies, tile::Write;

AtomicKind kind_of(const std::string& reduction) {
  return reduction == "add" ? AtomicKind::add : reduction == "min" ? AtomicKind::min : AtomicKind::max;
}

// The statements of a role of a tile program as those of a plan: names are variables, declared where they are defined
// first or where a loop or a branch takes them out of its block.
class Lowering {
 public:
  Lowering(Draft& draft, const Program& program, const Role& role, const Number& threads, const RoleRings& between)
      : draft_(draft),
        program_(program),
        values_(draft, program, role, threads),
        rings_(draft, program, role),
        between_(between),
        hands_(between.hands()) {
    for_each_statement(role.body, [&](const Statement& statement) {
      if (const auto value = defined_by(statement)) ++definitions_[value->index];
    });
  }

  Statements run(const Block& block) {
    const std::set<int> outside = declared_;
    Statements out;
    for (size_t i = 0; i < block.size(); ++i) {
      if (const Sync* sync = block[i].as<Sync>(); sync && !sync->warpgroup) {
        const bool waited = i > 0 && block[i - 1].as<WaitCopies>();
        out.push_back(rings_.meeting(waited, i + 1 < block.size() && block[i + 1].as<Put>()));
      } else if (const WaitCopies* wait = block[i].as<WaitCopies>()) {
        out.push_back(rings_.wait(*wait, i + 1 < block.size() && block[i + 1].as<Sync>()));
      } else {
        lower(block[i], out);
      }
    }
    declared_ = outside;
    return in_paragraphs(std::move(out));
  }
  // Moved from and to global memory, each access once.
  double bytes() const { return bytes_; }
  const std::vector<int>& rings() const { return rings_.rings(); }

 private:
  static void append(Statements& to, Statements from) { std::move(from.begin(), from.end(), std::back_inserter(to)); }

  bool is_fragment(ValueId value) { return values_.form(value).kind != FormKind::scalar; }
  void declare(ValueId value, Statements& out) {
    if (declared_.insert(value.index).second && is_fragment(value)) out.push_back(values_.declaration(value));
  }

  int ring_of(tile::ChannelId channel) const {
    const std::optional<int> between = between_.ring_of(channel);
    return between ? *between : rings_.ring_of(channel);
  }
  std::vector<int> advancing(const Block& body) const {
    std::vector<int> rings;
    for (const Statement& statement : body) {
      if (const Advance* advance = statement.as<Advance>()) rings.push_back(ring_of(advance->channel));
    }
    return rings;
  }

  // What fills an entry, by those of the role's threads that the ring asks for.
  void fill(tile::ChannelId channel, program::Statement statement, Statements& out) const {
    const Hands hands = draft_.plan.rings[static_cast<size_t>(*between_.ring_of(channel))].filled_by;
    if (hands == hands_) {
      out.push_back(std::move(statement));
      return;
    }
    const TypedPtr some = variable(hands == Hands::one_thread ? "leader" : "first_warp");
    program::If* same = out.empty() ? nullptr : std::get_if<program::If>(&out.back().node);
    if (!same || !equal(same->condition, some)) {
      out.push_back({"", false, program::If{some, {}, {}}});
      same = std::get_if<program::If>(&out.back().node);
    }
    same->then.push_back(std::move(statement));
  }
  bool lower_between(const Statement& statement, Statements& out) {
    Statements made = between_.lower(statement);
    if (made.empty()) return false;
    const auto* wait = statement.as<tile::WaitFree>();
    const auto* expect = statement.as<tile::Expect>();
    const auto* put = statement.as<Put>();
    const auto* filled = statement.as<tile::Fill>();
    if (put) count_bytes(put->box);
    for (program::Statement& each : made) {
      if (wait || expect || put || filled)
        fill(wait     ? wait->channel
             : expect ? expect->channel
             : put    ? put->entry.channel
                      : filled->channel,
             std::move(each), out);
      else
        out.push_back(std::move(each));
    }
    return true;
  }

  void lower(const Statement& statement, Statements& out) {
    if (lower_between(statement, out)) return;
    if (const Read* read = statement.as<Read>()) return load(*read, out);
    if (const Write* write = statement.as<Write>()) return store(*write, out);
    if (const Assign* assign = statement.as<Assign>()) return compute(*assign, statement.origin, out);
    if (const ForTiles* tiles = statement.as<ForTiles>()) {
      out.push_back({"", false, program::ForTiles{run(tiles->body), advancing(tiles->body)}});
      return;
    }
    if (const For* loop = statement.as<For>()) return loop_over(*loop, out);
    if (const Put* put = statement.as<Put>()) {
      count_bytes(put->box);
      out.push_back(rings_.copy(*put));
      return;
    }
    if (const Get* get = statement.as<Get>()) {
      got_[get->value.index] = get->entry;
      return;
    }
    if (statement.as<Commit>()) {
      out.push_back(rings_.commit(in_first_turns_));
      return;
    }
    if (statement.as<Advance>()) return;  // the loop around it does
    const If* branch = statement.as<If>();
    PALLASGEN_ASSERT(branch, statement.span);
    for (ValueId value : branch->carry) declare(value, out);
    out.push_back({"", false, program::If{rings_.named(branch->condition), run(branch->then), run(branch->otherwise)}});
  }

  void loop_over(const For& loop, Statements& out) {
    for (ValueId value : loop.carry) declare(value, out);
    if (are_first_turns(loop)) {
      in_first_turns_ = true;
      program::ForRange node{loop.variable.name, loop.first, to_index(rings_.most_ahead()), loop.step, run(loop.body)};
      in_first_turns_ = false;
      out.push_back({rings_.comment_of_first_turns(), false, std::move(node)});
      return;
    }
    out.push_back({"", false, program::ForSteps{loop.variable.id, advancing(loop.body), run(loop.body)}});
  }

  void compute(const Assign& assign, const std::string& origin, Statements& out) {
    const bool first = !declared_.count(assign.value.index);
    if (!assign.expr) return declare(assign.value, out);
    const auto* use = assign.expr->as<LocalUse>();
    if (use && program_.value({use->id}).home == tile::Home::shared) {
      declare(assign.value, out);
      const Form& form = values_.form(assign.value);
      const tile::Entry& entry = got_.at(use->id);
      out.push_back({"", false,
                     program::LoadShared{values_.fragment(assign.value), ring_of(entry.channel), entry.member, nullptr,
                                         number(form.vector)}});
      return;
    }
    const bool constant = definitions_.at(assign.value.index) == 1;
    Statements computed = values_.assign(assign.value, assign.expr, origin, first, constant);
    // The declaration stands before the last statement, behind what its operands are computed by.
    Statements declaration;
    declare(assign.value, declaration);
    computed.insert(computed.end() - 1, std::make_move_iterator(declaration.begin()),
                    std::make_move_iterator(declaration.end()));
    append(out, std::move(computed));
  }

  Access access(const Box& box, const Path& path, ValueId value) {
    const Form& form = values_.form(value);
    const bool vectors =
        form.kind == FormKind::strided || form.kind == FormKind::matrix || form.kind == FormKind::columns;
    std::vector<int> dims;
    size_t kept = 0;
    for (const tile::BoxDim& dim : box.dims) dims.push_back(dim.size ? form.dims[kept++] : -1);
    ProvedVector vector{1, "its rows do not run along the rows of the block"};
    const Shape& held = draft_.plan.fragments[static_cast<size_t>(values_.fragment(value))].layout.shape;
    if (vectors && !dims.empty() && dims.back() == static_cast<int>(held.size()) - 1) {
      vector = proved_vector(draft_, box.ref, box.dims.back().first, held.back());
      vector.elements = std::min({vector.elements, form.vector, path.vector});
    }
    count_bytes(box);
    return box_access(draft_, box, dims, std::move(vector));
  }

  void count_bytes(const Box& box) {
    double bytes = info(draft_.ref(box.ref).dtype).bits / 8.0;
    for (const tile::BoxDim& dim : box.dims) bytes *= static_cast<double>(dim.size.value_or(1));
    bytes_ += bytes;
  }

  void load(const Read& read, Statements& out) {
    const Ref& ref = draft_.ref(read.box.ref);
    declare(read.value, out);
    Load node{};
    node.fragment = values_.fragment(read.value);
    node.access = access(read.box, read.path, read.value);
    if (ref.fill) node.fill = typed_constant(ref.dtype, *ref.fill);
    out.push_back({"", false, std::move(node)});
  }

  void store(const Write& write, Statements& out) {
    Access to = access(write.box, write.path, write.value);
    const std::string comment = to.masked ? "past the end: dropped" : "";
    StoreGlobal node{values_.fragment(write.value), std::move(to), {}};
    if (const auto& reduce = draft_.ref(write.box.ref).reduce) {
      node.combine = kind_of(*reduce);
      node.access.vector = number(1);
    }
    out.push_back({comment, false, std::move(node)});
  }

  // Neighbouring statements of one layout share a loop, but where rows are reduced a statement is a paragraph. What a
  // declaration and the statement behind it both come from stands above the two.
  Statements in_paragraphs(Statements statements) const {
    const bool rows = !values_.forms().matrices().empty();
    Statements out;
    for (program::Statement& statement : statements) {
      Elementwise* next = std::get_if<Elementwise>(&statement.node);
      size_t last = out.size();
      while (last > 0 && std::holds_alternative<DeclareFragment>(out[last - 1].node)) --last;
      Elementwise* shared = last > 0 ? std::get_if<Elementwise>(&out[last - 1].node) : nullptr;
      const bool joins = next && shared && (!rows || next->statements[0].quoted.empty());
      if (joins && type_of(*next) == type_of(*shared)) {
        std::move(next->statements.begin(), next->statements.end(), std::back_inserter(shared->statements));
        const auto at = out.begin() + static_cast<std::ptrdiff_t>(last);
        std::rotate(at - 1, at, out.end());
      } else {
        out.push_back(std::move(statement));
      }
    }
    for (size_t i = 0; i + 1 < out.size(); ++i) {
      if (!std::holds_alternative<DeclareFragment>(out[i].node)) continue;
      std::string* quoted = nullptr;
      if (auto* reduce = std::get_if<ReduceFragment>(&out[i + 1].node)) quoted = &reduce->quoted;
      if (auto* each = std::get_if<Elementwise>(&out[i + 1].node); each && each->statements.size() == 1)
        quoted = &each->statements[0].quoted;
      if (quoted && !quoted->empty()) out[i].comment = std::exchange(*quoted, {}), out[i].quotes = true;
    }
    return out;
  }
  const std::string& type_of(const Elementwise& loop) const {
    return draft_.plan.fragments[static_cast<size_t>(loop.layout_of)].layout_text;
  }

  Draft& draft_;
  const Program& program_;
  FragmentValues values_;
  ChannelRings rings_;
  const RoleRings& between_;
  const Hands hands_;
  std::map<int, tile::Entry> got_;  // by value
  bool in_first_turns_ = false;
  std::map<int, int> definitions_;  // by value: statements
  std::set<int> declared_;          // values that have a variable here
  double bytes_ = 0;
};

}  // namespace planning

namespace {

constexpr int64_t kWarpsOfGroup = 4;

const char* purpose_of(const RolePlan& role, bool only) {
  if (only)
    return role.rings.empty() ? "every thread loads, computes and stores its part of the block"
                              : "every thread copies ahead, computes and stores its part of the block";
  if (role.first_warp > 0) return "each thread computes its part of every value";
  if (role.run_by == Hands::all) return "its threads copy";
  return role.run_by == Hands::one_warp ? "one warp issues the copies" : "one thread issues the copies";
}

// Registers of the role's threads, where they are not those at launch.
void change_registers(const tile::Role& role, const Target& target, int64_t threads, RolePlan& planned) {
  const int64_t at_launch = registers_at_entry(target, threads);
  planned.registers = number(role.registers > 0 ? role.registers : at_launch);
  if (role.registers == 0 || role.registers == at_launch) return;
  planned.change = role.registers < at_launch ? RegisterChange::down : RegisterChange::up;
}

}  // namespace

bool plan_program(Draft& draft, const tile::Program& program) {
  if (!plan_work(draft)) return false;
  Plan& plan = draft.plan;
  plan.work.tile = stored_tile(*draft.kernel);
  const bool only = program.roles.size() == 1;
  const int64_t groups = program.roles.back().warps / kWarpsOfGroup;
  const Number consumers =
      only ? number(1) : draft.constant(constant_name::consumers, groups, constant_line::consumers);
  plan.launch.threads = draft.constant(
      constant_name::threads, only ? program.roles[0].threads() : threads_with_producer(static_cast<int>(groups)),
      constant_line::threads, only ? "" : "128 * (1 + kConsumers)");
  for (const tile::Decision& decision : program.decisions)
    draft.decide(decision.subject, decision.choice, decision.reason);
  const RoleRings between(draft, program, consumers);
  double bytes = 0;
  for (const tile::Role& role : program.roles) {
    const bool last = &role == &program.roles.back();
    const Number threads = only   ? plan.launch.threads
                           : last ? product(number(kWarpsOfGroup * 32), groups == 1 ? number(1) : consumers)
                                  : number(kWarpsOfGroup * 32);
    planning::Lowering lowering(draft, program, role, threads, between);
    RolePlan planned;
    planned.rings = between.rings();
    planned.rings.insert(planned.rings.end(), lowering.rings().begin(), lowering.rings().end());
    planned.groups = last ? consumers : number(1);
    planned.warps = static_cast<int>(role.warps);
    planned.rows_per_group = number(1);
    if (!only) {
      planned.name = role.name;
      planned.first_warp = last ? kWarpsOfGroup : 0;
      planned.warps = static_cast<int>((role.warps + kWarpsOfGroup - 1) / kWarpsOfGroup * kWarpsOfGroup);
      if (!last) planned.run_by = between.hands();
      change_registers(role, *draft.target, plan.launch.threads.value, planned);
    }
    planned.purpose = purpose_of(planned, only);
    planned.program = lowering.run(role.body);
    if (last) insert_role_syncs(draft, planned.program);
    plan.roles.push_back(std::move(planned));
    bytes += lowering.bytes();
  }
  tell_accesses(draft, plan.roles.back());
  plan_memory(draft);
  finish_roles(draft);
  finish_launch(draft);
  finish_constants(draft);
  int64_t stages = 1;
  for (const RingPlan& ring : plan.rings)
    stages = std::max(stages, ring.full < 0 ? 1 + ring.ahead.value : ring.slots.value);
  plan.cost = streaming_cost(draft, bytes, 0, stages);
  return true;
}

}  // namespace pallasgen
