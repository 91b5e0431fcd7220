#include "plan_program.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "blocks.h"
#include "box_access.h"
#include "channel_rings.h"
#include "cost.h"
#include "diagnostics/assert.h"
#include "element_fusion.h"
#include "elements/lowering.h"
#include "finish.h"
#include "first_turns.h"
#include "fragment_values.h"
#include "instructions.h"
#include "memory.h"
#include "packed_operands.h"
#include "paragraphs.h"
#include "prints.h"
#include "ring_moves.h"
#include "role_plans.h"
#include "role_rings.h"
#include "role_sync.h"
#include "shared_scopes.h"
#include "staged_stores.h"
#include "steps_fill.h"
#include "tickets.h"
#include "tile/walk.h"
#include "tile_body.h"
#include "work.h"

namespace pallasgen {

namespace planning {

// Not all of either: tile programs and the programs of plans have statements of the same names.
using program::Access, program::AtomicKind, program::Statements, program::StoreGlobal;
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
  Lowering(Draft& draft, const Program& program, const Role& role, const Number& threads, const Number& groups,
           const RoleRings& between)
      : draft_(draft),
        program_(program),
        role_(role),
        consumers_(groups),
        values_(draft, program, role, threads, groups),
        packed_(role, values_),
        stores_(draft, program, values_, groups),
        rings_(draft, program, role),
        between_(between),
        elements_(draft, program, role, values_, declared_) {
    for_each_statement(role.body, [&](const Statement& statement) {
      if (const auto value = defined_by(statement)) ++definitions_[value->index];
      const auto* dot = statement.as<tile::Dot>();
      if (dot && !dot->family.empty()) dots_.emplace(dot->value.index, statement.origin);
    });
  }

  Statements run(const Block& block) {
    const std::set<int> outside = declared_;
    Statements out;
    std::optional<ElementLowering::Body> body(std::in_place, elements_, out);
    for (size_t i = 0; i < block.size(); ++i) {
      if (const Sync* sync = block[i].as<Sync>(); sync && !sync->warpgroup) {
        const bool waited = i > 0 && block[i - 1].as<WaitCopies>();
        out.push_back(rings_.meeting(waited, i + 1 < block.size() && block[i + 1].as<Put>()));
      } else if (const WaitCopies* wait = block[i].as<WaitCopies>()) {
        out.push_back(rings_.wait(*wait, i + 1 < block.size() && block[i + 1].as<Sync>()));
      } else {
        waited_ = i > 0 && block[i - 1].as<tile::WaitMma>();
        freed_next_ = i + 1 < block.size() ? block[i + 1].as<tile::Release>() : nullptr;
        next_entry_ = next_entry(block, i);
        next_ = i + 1 < block.size() ? &block[i + 1] : nullptr;
        lower(block[i], out);
      }
    }
    declared_ = outside;
    body.reset();
    return in_paragraphs(draft_.plan, std::move(out), !values_.forms().matrices().empty());
  }
  // Moved from and to global memory, each access once.
  double bytes() const { return bytes_ + elements_.bytes(); }
  const ElementLowering& elements() const { return elements_; }
  const std::vector<int>& rings() const { return rings_.rings(); }
  std::vector<int> stores() const { return stores_.stores(); }
  // What the file says of the first dot by instructions; null: there is none.
  const std::optional<MmaNumbers>& multiplied() const { return multiplied_; }

 private:
  static void append(Statements& to, Statements from) { std::move(from.begin(), from.end(), std::back_inserter(to)); }

  bool is_fragment(ValueId value) { return values_.form(value).kind != FormKind::scalar; }
  void declare(ValueId value, Statements& out) {
    if (!declared_.insert(value.index).second || !is_fragment(value)) return;
    if (packed_.has(value)) return out.push_back({"", false, program::DeclareFragment{packed_.fragment(value)}});
    out.push_back(values_.declaration(value));
    // The words of the dot that makes it.
    const auto dot = dots_.find(value.index);
    if (dot != dots_.end()) out.back().comment = dot->second, out.back().quotes = true;
  }

  // A value that begins here, undefined: in a block that is around those which define it, or before them.
  void begin(ValueId value, Statements& out) {
    const tile::Home home = program_.value(value).home;
    const bool by_elements = home == tile::Home::shared || home == tile::Home::scalar;
    if (by_elements || !is_fragment(value))
      elements_.declare(value);
    else
      declare(value, out);
  }

  int ring_of(tile::ChannelId channel) const {
    const std::optional<int> between = between_.ring_of(channel);
    return between ? *between : rings_.ring_of(channel);
  }
  std::vector<int> advancing(const Block& body) {
    return moves_.with_turns(body, [this](tile::ChannelId channel) { return ring_of(channel); });
  }

  bool lower_between(const Statement& statement, Statements& out) {
    Statements made = between_.lower(statement, waited_, next_entry_);
    if (made.empty()) return false;
    if (const auto* put = statement.as<Put>()) count_bytes(put->box);
    if (statement.as<tile::WaitFull>() && !next_entry_ && in_step_)
      made.front().comment += "; the branch keeps the wait below from moving up";
    between_.append(statement, std::move(made), out);
    return true;
  }

  void lower(const Statement& statement, Statements& out) {
    if (const auto staged = staged_store(program_, statement)) {
      count_bytes(staged->write->box);
      for (const Read* read : staged->reads) count_bytes(read->box);
      out.push_back(stores_.lower(*staged));
      return;
    }
    if (lower_between(statement, out)) return;
    if (goes_by_elements(program_, statement)) {
      elements_.lower(statement, next_);  // what it refuses is among the diagnostics
      return;
    }
    if (const auto* dot = statement.as<tile::Dot>()) return multiply_add(*dot, statement.origin, out);
    if (const auto* wait = statement.as<tile::WaitMma>()) return wait_for(*wait, out);
    if (const auto* wait = statement.as<tile::WaitStores>()) return out.push_back(stores_.drained(*wait));
    if (const auto* print = statement.as<PrintStmt>()) return append(out, print_of(*print, values_));
    if (const Read* read = statement.as<Read>()) return load(*read, out);
    if (const Write* write = statement.as<Write>()) return store(*write, out);
    if (const Assign* assign = statement.as<Assign>()) return compute(*assign, statement.origin, out);
    if (const ForTiles* tiles = statement.as<ForTiles>()) {
      const Block& body = tile_body(program_, *tiles);
      std::vector<int> rings = advancing(body);
      Statements made = run(body);
      if (&role_ == &program_.roles.back()) take_ticket(draft_, made);
      return out.push_back({"", false, program::ForTiles{std::move(made), std::move(rings)}});
    }
    if (const For* loop = statement.as<For>()) return loop_over(*loop, out);
    if (const Put* put = statement.as<Put>()) {
      count_bytes(put->box);
      out.push_back(rings_.copy(*put));
      return;
    }
    if (const Get* get = statement.as<Get>()) {
      got_[get->value.index] = get->entry;
      elements_.hold_in_ring(get->value, ring_of(get->entry.channel), get->entry.member);
      last_got_[get->entry.channel.index] = get->entry;
      return;
    }
    if (const tile::While* loop = statement.as<tile::While>()) return loop_while(*loop, out);
    if (statement.as<Commit>()) return out.push_back(rings_.commit(in_first_turns_));
    if (const Advance* advance = statement.as<Advance>()) {
      if (!moves_.in_header(statement) && between_.ring_of(advance->channel))
        out.push_back({"", false, program::AdvanceRing{ring_of(advance->channel)}});
      return;
    }
    const If* branch = statement.as<If>();
    PALLASGEN_ASSERT(branch, statement.span);
    const std::optional<StepsFill> fill = steps_fill(program_, statement);
    if (fill && !goes_by_elements(program_, branch->then.front())) {
      out.push_back({"", false, program::FillIfNoStep{values_.fragment(fill->value), fill->axis, fill->constant}});
      return;
    }
    for (ValueId value : branch->carry) begin(value, out);
    program::If made{};
    if (takes_values(branch->condition))
      made.condition = elements_.condition(branch->condition, "condition", made.bindings);
    else
      made.condition = rings_.named(values_.with_indices(branch->condition));
    made.then = run(branch->then);
    made.otherwise = run(branch->otherwise);
    if (made.condition) out.push_back({"", false, std::move(made)});
  }

  // Whether the condition takes more than steps and sizes, whose operations all have one element.
  bool takes_values(const TypedPtr& expr) const {
    bool takes = false;
    walk(expr, [&](const Typed& node) {
      const Symbol* symbol = node.as<Symbol>();
      takes = takes || (symbol && symbol->kind == SymbolKind::loop && !in_first_turns_);
      const Apply* apply = node.as<Apply>();
      const bool reduces = apply && operation(apply->op).group == OpGroup::reduce;
      const auto* use = node.as<LocalUse>();
      takes = takes || (use && node.dtype != DType::index) || node.as<RefRead>() || !node.shape.empty() || reduces;
    });
    return takes;
  }

  void loop_while(const tile::While& loop, Statements& out) {
    for (ValueId value : loop.carry) begin(value, out);
    program::WhileLoop turns{};
    Statements before;
    turns.condition = elements_.condition_in(before, loop.condition, turns.bindings);
    if (!turns.condition) return;
    if (before.empty()) {
      turns.body = run(loop.body);
      out.push_back({"", false, std::move(turns)});
      return;
    }
    // A condition that takes statements is evaluated inside, and the rest of the turn stands under it.
    const int holds = elements_.add_variable("goes_on", DType::boolean, typed_constant(DType::boolean, true));
    before.push_back(elements_.set_scalar(holds, turns.condition, std::move(turns.bindings), false, false));
    turns.bindings.clear();
    ElementSite test{out, turns.bindings, 1};
    turns.condition = elements_.bind_scalar(holds, loop.condition->span, test);
    program::If goes_on{turns.condition, run(loop.body), {}, turns.bindings};
    turns.body = std::move(before);
    turns.body.push_back({"", false, std::move(goes_on)});
    out.push_back({"", false, std::move(turns)});
  }

  void count(const For& loop, Statements& out) {
    program::ForRange range{};
    range.variable = draft_.names().of(loop.variable.name);
    range.start = elements_.bound_of(loop.first, range.variable, range.bindings);
    range.stop = elements_.bound_of(loop.last, range.variable, range.bindings);
    range.step = elements_.bound_of(loop.step, range.variable, range.bindings);
    if (!range.start || !range.stop || !range.step) return;
    if (loop.unroll) range.unroll = static_cast<int>(*loop.unroll);
    elements_.enter_loop(loop);
    range.body = run(loop.body);
    elements_.leave_loop(loop);
    out.push_back({"", false, std::move(range)});
  }

  void loop_over(const For& loop, Statements& out) {
    for (ValueId value : loop.carry) begin(value, out);
    if (are_first_turns(loop)) {
      in_first_turns_ = true;
      program::ForRange node{loop.variable.name, loop.first, to_index(rings_.most_ahead()), loop.step, run(loop.body)};
      in_first_turns_ = false;
      out.push_back({rings_.comment_of_first_turns(), false, std::move(node)});
      return;
    }
    if (loop.variable.kind != SymbolKind::axis) return count(loop, out);
    const std::optional<std::string> around = std::exchange(in_step_, loop.variable.name);
    program::ForSteps steps{loop.variable.id, advancing(loop.body), {}};
    steps.body = run(loop.body);
    if (constant_value(loop.first) != 0) steps.first = values_.with_indices(loop.first);
    const Symbol* last = loop.last->as<Symbol>();
    if (!last || last->kind != SymbolKind::axis_size) steps.last = values_.with_indices(loop.last);
    out.push_back({"", false, std::move(steps)});
    in_step_ = around;
  }

  void multiply_add(const tile::Dot& dot, const std::string& origin, Statements& out) {
    const MmaOperands operands = *mma_operands(role_, dot);
    const std::vector<Number>& b = between_.sizes(operands.b);
    const bool trans_b = dot.product->as<Apply>()->attributes.trans_b;
    MmaPlace place{0, -1, operands.a ? ring_of(operands.a->channel) : -1, ring_of(operands.b.channel)};
    const MmaNumbers numbers{values_.rows_per_group(dot.value),
                             values_.columns(dot.value),
                             trans_b ? b.back() : b.front(),
                             consumers_,
                             place.ring_b,
                             dot.product->as<Apply>()->args[1]->dtype};
    if (!multiplied_) multiplied_ = numbers;
    if (starts_from_another(dot))
      compute({dot.value, dot.start}, origin, out);
    else
      declare(dot.value, out);
    place.accumulator = values_.fragment(dot.value);
    const ValueId a = operands.in_registers;
    if (!operands.a) place.a = packed_.has(a) ? packed_.fragment(a) : values_.fragment(a);
    out.push_back({"", false, mma_of(draft_, dot, place, operands, numbers)});
  }
  void wait_for(const tile::WaitMma& wait, Statements& out) {
    program::MmaWait node{number(wait.pending)};
    for (ValueId value : wait.values) {
      if (dots_.count(value.index))
        node.accumulators.push_back(values_.fragment(value));
      else if (packed_.has(value))
        node.accumulators.push_back(packed_.fragment(value));
    }
    out.push_back({in_step_ && freed_next_ ? step_read(wait) + " has read its stage ..." : "", false, std::move(node)});
  }

  std::string step_read(const tile::WaitMma& wait) const {
    const auto got = last_got_.find(freed_next_->channel.index);
    const bool known = got != last_got_.end() && got->second.at.size() == 1 && !wait.values.empty();
    return known ? between_.step_of(got->second) : "step " + *in_step_ + (wait.pending > 0 ? " - 1" : "");
  }

  void compute(const Assign& assign, const std::string& origin, Statements& out) {
    const bool first = !declared_.count(assign.value.index);
    if (!assign.expr) return begin(assign.value, out);
    if (program_.value(assign.value).dtype == DType::index) {
      out.push_back(values_.index(assign));
      return;
    }
    const auto* use = assign.expr->as<LocalUse>();
    if (use && program_.value({use->id}).home == tile::Home::shared && got_.count(use->id) == 0)
      return load_tile(elements_.tile_of({use->id}), assign.value, out);
    if (use && program_.value({use->id}).home != tile::Home::shared && moves({use->id}, assign.value)) {
      const int tile = elements_.tile_of(assign.value);
      out.push_back(
          {"", false, program::StoreTile{tile, values_.fragment({use->id}), values_.offset_in_tile({use->id})}});
      return load_tile(tile, assign.value, out);
    }
    if (use && program_.value({use->id}).home == tile::Home::shared) {
      declare(assign.value, out);
      const Form& form = values_.form(assign.value);
      const tile::Entry& entry = got_.at(use->id);
      TypedPtr offset = values_.first_row(form);
      if (offset && form.kind == FormKind::matrix) offset = multiply(offset, to_index(values_.columns(assign.value)));
      out.push_back({"", false,
                     program::LoadShared{values_.fragment(assign.value), ring_of(entry.channel), entry.member,
                                         std::move(offset), number(form.vector)}});
      return;
    }
    const bool constant = definitions_.at(assign.value.index) == 1;
    Statements computed = values_.assign(assign.value, assign.expr, origin, first, constant);
    // The declaration stands before what sets the value, behind what its operands are computed by.
    Statements declaration;
    declare(assign.value, declaration);
    if (packed_.has(assign.value)) declaration.push_back(values_.declaration(assign.value));
    const auto* last = std::get_if<program::ReduceFragment>(&computed.back().node);
    const int own = last && last->part == program::ReducePart::lanes ? 2 : 1;
    computed.insert(computed.end() - own, std::make_move_iterator(declaration.begin()),
                    std::make_move_iterator(declaration.end()));
    append(out, std::move(computed));
    if (packed_.has(assign.value)) out.push_back(packed_.packed(assign.value));
  }

  void load_tile(int tile, ValueId value, Statements& out) {
    declare(value, out);
    out.push_back({"", false, program::LoadTile{values_.fragment(value), tile, values_.offset_in_tile(value)}});
  }
  // Whether one layout becomes another, through a tile.
  bool moves(ValueId from, ValueId to) {
    const Form &held = values_.form(from), &wanted = values_.form(to);
    const bool numbers = held.kind == FormKind::scalar || wanted.kind == FormKind::scalar;
    if (numbers || held.partial || wanted.partial || program_.value(from).shape != program_.value(to).shape)
      return false;
    return !held.same_type(wanted) || (held.kind == FormKind::strided && held.vector != wanted.vector);
  }

  void count_bytes(const Box& box) {
    double bytes = info(draft_.ref(box.ref).dtype).bits / 8.0;
    for (const tile::BoxDim& dim : box.dims) bytes *= static_cast<double>(dim.size.value_or(1));
    bytes_ += bytes;
  }

  void load(const Read& read, Statements& out) {
    if (!is_fragment(read.value)) {
      count_bytes(read.box);
      out.push_back(
          values_.load_one(read, declared_.insert(read.value.index).second, definitions_.at(read.value.index) == 1));
      return;
    }
    declare(read.value, out);
    count_bytes(read.box);
    out.push_back({"", false, values_.load(read)});
  }

  void store(const Write& write, Statements& out) {
    if (!is_fragment(write.value)) {
      count_bytes(write.box);
      out.push_back(values_.store_one(write));
      return;
    }
    count_bytes(write.box);
    Access to = values_.access(write.box, write.value, write.path.vector);
    const std::string comment = to.masked ? "past the end: dropped" : "";
    StoreGlobal node{values_.fragment(write.value), std::move(to), {}};
    if (const auto& reduce = draft_.ref(write.box.ref).reduce) {
      node.combine = kind_of(*reduce);
      node.access.vector = number(1);
    }
    out.push_back({comment, false, std::move(node)});
  }

  Draft& draft_;
  const Program& program_;
  const Role& role_;
  const Number consumers_;
  FragmentValues values_;
  PackedOperands packed_;
  RingMoves moves_;
  StagedStores stores_;
  ChannelRings rings_;
  const RoleRings& between_;
  std::set<int> declared_;  // values that have a variable here
  ElementLowering elements_;
  std::map<int, tile::Entry> got_;  // by value
  bool in_first_turns_ = false;
  const Statement* next_ = nullptr;            // behind the statement under way
  std::map<int, tile::Entry> last_got_;        // by channel
  bool waited_ = false;                        // a wait stands before the statement under way
  const tile::Release* freed_next_ = nullptr;  // what stands behind it
  const tile::Entry* next_entry_ = nullptr;    // that is got from it on
  std::optional<std::string> in_step_;         // the axis
  std::optional<MmaNumbers> multiplied_;
  std::map<int, std::string> dots_;  // by value, of those that instructions make: the words of the spec
  std::map<int, int> definitions_;   // by value: statements
  double bytes_ = 0;
};

}  // namespace planning

namespace {

constexpr int64_t kWarpsOfGroup = 4;

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
  std::optional<MmaNumbers> multiplied;
  for (const tile::Role& role : program.roles) {
    const bool last = &role == &program.roles.back();
    const Number threads = only   ? plan.launch.threads
                           : last ? product(number(kWarpsOfGroup * 32), groups == 1 ? number(1) : consumers)
                                  : number(kWarpsOfGroup * 32);
    planning::Lowering lowering(draft, program, role, threads, last ? consumers : number(1), between);
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
    fuse_element_loops(draft, planned.program);
    if (last) share_scopes(draft, planned.program);
    if (last) insert_role_syncs(draft, planned.program);
    planned.stores = lowering.stores();
    if (const std::optional<MmaNumbers>& dot = lowering.multiplied()) {
      planned.rows_per_group = dot->rows;
      planned.purpose = purpose_of_dots(*dot, program.declarations->schedule.take_turns.names);
      multiplied = dot;
    }
    plan.roles.push_back(std::move(planned));
    bytes += lowering.bytes();
  }
  tell_accesses(draft, plan.roles.back());
  plan_memory(draft);
  if (!check_memory(draft, draft.kernel->span, "", memory_remedies(plan))) return false;
  finish_roles(draft);
  finish_launch(draft);
  finish_constants(draft);
  int64_t stages = 1;
  for (const RingPlan& ring : plan.rings)
    stages = std::max(stages, ring.full < 0 ? 1 + ring.ahead.value : ring.slots.value);
  if (!multiplied) {
    plan.cost = streaming_cost(draft, bytes, 0, stages);
    return true;
  }
  plan.work.tile.push_back(multiplied->depth);
  const RingPlan& ring = plan.rings[static_cast<size_t>(multiplied->ring)];
  const int64_t rows = multiplied->rows.value * consumers.value;
  int steps = -1;  // of whichever operand moves
  for (const RingPlan& each : plan.rings) steps = each.moves_on.empty() ? steps : std::max(steps, each.moves_on.back());
  plan.cost = matmul_cost(draft, {steps, rows, multiplied->columns.value, multiplied->depth.value, ring.slots.value,
                                  multiplied->dtype, ring.operands.size() > 1 ? ring.bytes.value : 0});
  return true;
}

}  // namespace pallasgen
