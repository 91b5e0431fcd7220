// Lowers the statements of a role in their order.
#include "driver/lowering.h"

#include <algorithm>
#include <utility>

#include "diagnostics/assert.h"
#include "elements/prints.h"
#include "fragments/paragraphs.h"
#include "fragments/slot_loads.h"
#include "launch/tickets.h"
#include "program/index_terms.h"
#include "proofs/tensor_copies.h"
#include "questions/first_turns.h"
#include "questions/steps_fill.h"
#include "questions/tile_body.h"
#include "tile/walk.h"

namespace pallasgen {

namespace planning {

Lowering::Lowering(Draft& draft, const Program& program, const Role& role, const Number& threads, const Number& groups,
                   const RoleRings& between)
    : draft_(draft),
      program_(program),
      role_(role),
      consumers_(groups),
      values_(draft, program, role, threads, groups),
      packed_(role, values_),
      stores_(draft, program, values_, groups, between),
      delegated_(draft, program, between),
      channels_(draft, program, role, values_, between),
      elements_(draft, program, role, values_, declared_),
      blocks_(draft, program, role, channels_, elements_),
      moves_through_tiles_(draft, program, role, values_, elements_) {
  for_each_statement(role.body, [&](const Statement& statement) {
    if (const auto value = defined_by(statement)) ++definitions_[value->index];
    const auto* dot = dot_if(statement, &tile::Product::runs_on);
    if (dot) dots_.emplace(dot->value.index, statement.origin);
  });
}

namespace {

// For copies ahead under the condition that their iteration exists: 0. For prefetches: how many steps ahead they go.
std::optional<int64_t> steps_ahead(const If& branch) {
  if (branch.then.empty()) return std::nullopt;
  if (const auto* ask = branch.then.front().as<tile::Prefetch>()) return ask->ahead;
  const Put* put = branch.then.front().as<Put>();
  return put && !put->value && put->ahead ? std::optional<int64_t>(0) : std::nullopt;
}

// True if a wait for the readers of an entry precedes the statement, with only other releases between.
bool ends_reads(const Block& block, size_t at) {
  while (at > 0 && block[at - 1].as<tile::Release>()) --at;
  return at > 0 &&
         (block[at - 1].as<tile::WaitMma>() || block[at - 1].as<tile::WaitStores>() || block[at - 1].as<Sync>());
}

}  // namespace

Statements Lowering::run(const Block& block) {
  const std::set<int> outside = declared_;
  Statements out;
  std::optional<ElementLowering::Body> body(std::in_place, elements_, out);
  for (size_t i = 0; i < block.size(); ++i) {
    const Statement* behind = i + 1 < block.size() ? &block[i + 1] : nullptr;
    if (std::optional<Statements> stored = delegated_.lower(block[i])) {
      append(out, std::move(*stored));
    } else if (std::optional<Statements> own = channels_.lower_own(block[i])) {
      append(out, std::move(*own));
    } else {
      waited_ = i > 0 && block[i - 1].as<tile::WaitMma>();
      behind_reads_ = ends_reads(block, i);
      freed_next_ = behind ? behind->as<tile::Release>() : nullptr;
      next_entry_ = next_entry(block, i);
      next_ = behind;
      lower(block[i], out);
    }
  }
  declared_ = outside;
  body.reset();
  return in_paragraphs(draft_.plan, std::move(out), !values_.forms().matrices().empty());
}

void Lowering::declare(ValueId value, Statements& out) {
  if (!declared_.insert(value.index).second || !is_fragment(value)) return;
  if (packed_.has(value)) return out.push_back({"", false, program::DeclareFragment{packed_.fragment(value)}});
  out.push_back(values_.declaration(value));
  // The comment quotes the dot that makes the value.
  const auto dot = dots_.find(value.index);
  if (dot != dots_.end()) out.back().comment = dot->second, out.back().quotes = true;
}

void Lowering::begin(ValueId value, Statements& out) {
  const tile::Home home = program_.value(value).home;
  const bool by_elements = home == tile::Home::shared || home == tile::Home::scalar;
  if (by_elements || !is_fragment(value))
    elements_.declare(value);
  else
    declare(value, out);
}

std::vector<int> Lowering::advancing(const Block& body) {
  return moves_.with_turns(body, [this](tile::ChannelId channel) { return channels_.ring_of(channel); });
}

namespace {

// Sets the place that a block is copied from to where the integers of a gather or the results of a check put it.
program::Statement at_places(const Plan& plan, ElementBoxes& boxes, program::Statement copy, const Statement& put,
                             const std::vector<TypedPtr>& places) {
  if (put.as<Put>()) copy = boxes.gathered(put.as<Put>()->box, std::move(copy));
  if (places.empty()) return copy;
  if (auto* async = std::get_if<program::AsyncCopy>(&copy.node)) {
    std::vector<program::AccessDim>& dims = async->access.dims;
    for (size_t d = 0; d < std::min(dims.size(), places.size()); ++d)
      if (places[d]) dims[d].offset = places[d];
  }
  if (auto* load = std::get_if<program::TensorLoad>(&copy.node)) {
    std::vector<TypedPtr> first;
    const Box& box = put.as<Put>()->box;
    for (size_t d = 0; d < places.size(); ++d) first.push_back(places[d] ? places[d] : box.dims[d].first);
    const RingPlan& ring = plan.rings[static_cast<size_t>(load->ring)];
    load->coordinates = box_coordinates(ring.operands[static_cast<size_t>(load->operand)], std::move(first));
  }
  return copy;
}

}  // namespace

bool Lowering::lower_between(const Statement& statement, const std::vector<TypedPtr>& places, Statements& out) {
  Statements made = channels_.between().lower(statement, waited_, next_entry_);
  if (made.empty()) return false;
  made.front() = at_places(draft_.plan, elements_.boxes(), std::move(made.front()), statement, places);
  if (statement.as<tile::WaitFull>() && !next_ && in_step_)
    made.front().comment += "; the branch keeps the wait below from moving up";
  const auto* release = statement.as<tile::Release>();
  if (release && release->which == tile::Freed::entry && !behind_reads_)
    made.front().comment = "the stage is free again";
  channels_.between().append(statement, std::move(made), out);
  return true;
}

namespace {

// True if the condition reads more than steps and sizes, whose operations all have one element.
bool takes_values(const TypedPtr& expr, bool in_first_turns) {
  bool takes = false;
  walk(expr, [&](const Typed& node) {
    const Symbol* symbol = node.as<Symbol>();
    takes = takes || (symbol && symbol->kind == SymbolKind::loop && !in_first_turns);
    const Apply* apply = node.as<Apply>();
    const bool reduces = apply && operation(apply->op).group == OpGroup::reduce;
    const auto* use = node.as<LocalUse>();
    takes = takes || (use && node.dtype != DType::index) || node.as<RefRead>() || !node.shape.empty() || reduces;
  });
  return takes;
}

// Replaces the variable of the loop over the first iterations by the one that the kernel declares.
TypedPtr in_first_turns(const TypedPtr& expr) {
  if (!expr) return nullptr;
  return substitute(expr, [](const Symbol& symbol) -> TypedPtr {
    return symbol.kind == SymbolKind::loop ? variable(symbol.name) : nullptr;
  });
}

Box in_first_turns(Box box) {
  for (tile::BoxDim& dim : box.dims) {
    for (TypedPtr* expr : {&dim.first, &dim.limit}) *expr = in_first_turns(*expr);
  }
  return box;
}

// Checks the boxes of a statement before it. For a copy, returns the places that the checks have computed.
std::vector<TypedPtr> check_boxes(const Statement& statement, bool first_turns, ElementBoxes& boxes,
                                  RunTimeChecks& checks) {
  if (const auto* read = statement.as<Read>()) boxes.check(read->box);
  if (const auto* write = statement.as<Write>()) boxes.check(write->box);
  if (const auto* fetch = statement.as<tile::Fetch>()) boxes.check(fetch->box);
  if (const auto* flush = statement.as<tile::Flush>()) boxes.check(flush->box);
  const auto* put = statement.as<Put>();
  if (!put || put->value) return {};
  checks.set_steps_ahead(first_turns ? in_first_turns(put->ahead) : put->ahead);
  std::vector<TypedPtr> places = boxes.check(first_turns ? in_first_turns(put->box) : put->box);
  checks.set_steps_ahead(nullptr);
  return places;
}

// Checks the boxes of all chunks together: they begin at the first chunk and have the sizes of their blocks.
void check_staged(const StagedStore& staged, ElementBoxes& boxes) {
  std::vector<Box> all{staged.write->box};
  for (const Read* read : staged.reads) all.push_back(read->box);
  for (Box& box : all) {
    for (tile::BoxDim& dim : box.dims) {
      dim.first = substitute(dim.first, [&](const Symbol& symbol) -> TypedPtr {
        const Symbol& chunk = staged.loop->variable;
        return symbol.kind == chunk.kind && symbol.id == chunk.id ? index_constant(0) : nullptr;
      });
    }
    boxes.check(box);
  }
}

}  // namespace

void Lowering::lower(const Statement& statement, Statements& out) {
  elements_.begin_statement(statement);
  const auto places = check_boxes(statement, in_first_turns_, elements_.boxes(), elements_.run_time_checks());
  if (const auto staged = staged_store(program_, statement)) {
    check_staged(*staged, elements_.boxes());
    return append(out, stores_.lower(*staged));
  }
  if (lower_between(statement, places, out)) return;
  if (goes_by_elements(program_, statement))
    return elements_.lower(statement);  // its refusals are among the diagnostics
  if (const auto* dot = statement.as<tile::Dot>())
    return dot->by->has_blocks() ? multiply_blocks(*dot, statement.origin, out)
                                 : multiply_add(*dot, statement.origin, out);
  if (const auto* wait = statement.as<tile::WaitMma>()) return wait_for(*wait, out);
  if (const auto* wait = statement.as<tile::WaitStores>()) {
    // One wait is for the stores of all channels.
    if (out.empty() || !std::holds_alternative<program::StoreDrain>(out.back().node))
      out.push_back(stores_.wait_for_all_stores(*wait));
    return;
  }
  if (const auto* print = statement.as<PrintStmt>()) return append(out, print_of(*print, values_));
  if (const Read* read = statement.as<Read>()) return load(*read, out);
  if (const Write* write = statement.as<Write>()) return store(*write, statement.origin, out);
  if (const Assign* assign = statement.as<Assign>()) return compute(*assign, statement.origin, out);
  if (const ForTiles* tiles = statement.as<ForTiles>()) {
    const Block& body = tile_body(program_, *tiles);
    std::vector<int> rings = advancing(body);
    Statements made = run(body);
    // Successive tiles of a CTA are a loop too.
    if (draft_.plan.work.is_loop()) elements_.run_time_checks().leave_on_fault(made);
    if (role_.duties.computes) take_ticket(draft_, made);
    return out.push_back({"", false, program::ForTiles{std::move(made), std::move(rings)}});
  }
  if (const For* loop = statement.as<For>()) return loop_over(*loop, out);
  if (const Put* put = statement.as<Put>())
    return out.push_back(at_places(draft_.plan, elements_.boxes(), channels_.copied().copy(*put), statement, places));
  if (const auto* ask = statement.as<tile::Prefetch>())
    return out.push_back(elements_.boxes().gathered(ask->box, channels_.copied().prefetch(*ask)));
  if (const Get* get = statement.as<Get>()) {
    got_[get->value.index] = get->entry;
    values_.hold_in_slot(get->value, channels_.ring_of(get->entry.channel), get->entry.member);
    elements_.hold_in_ring(get->value, channels_.ring_of(get->entry.channel), get->entry.member);
    last_got_[get->entry.channel.index] = get->entry;
    if (get->rows) rows_[get->value.index] = get->rows;
    return;
  }
  if (const auto* cleared = statement.as<tile::Clear>()) {
    const tile::Entry& entry = got_.at(cleared->value.index);
    const TypedPtr rows = values_.with_indices(rows_.at(cleared->value.index));
    return clear_slot(draft_.plan, channels_.ring_of(entry.channel), entry.member, rows, out);
  }
  if (const tile::While* loop = statement.as<tile::While>()) return loop_while(*loop, out);
  if (statement.as<Commit>()) return out.push_back(channels_.copied().commit(in_first_turns_));
  if (const Advance* advance = statement.as<Advance>()) {
    if (!moves_.in_header(statement)) channels_.advance(advance->channel, out);
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
  if (takes_values(branch->condition, in_first_turns_))
    made.condition = elements_.condition(branch->condition, "condition", made.bindings);
  else if (const std::optional<int64_t> steps = steps_ahead(*branch))
    made.condition = channels_.copied().named(values_.with_indices(branch->condition), *steps);
  else
    made.condition = values_.with_indices(branch->condition);
  made.then = run(branch->then);
  made.otherwise = run(branch->otherwise);
  if (made.condition && !(made.then.empty() && made.otherwise.empty() && made.bindings.empty()))
    out.push_back({"", false, std::move(made)});
}

}  // namespace planning

}  // namespace pallasgen
