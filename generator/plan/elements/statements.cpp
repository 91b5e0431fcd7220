// Statements of a role whose elements are computed one by one.
#include <fmt/format.h>

#include <algorithm>

#include "box_access.h"
#include "check/aliases.h"
#include "diagnostics/assert.h"
#include "element_indexing.h"
#include "elements/lowering.h"
#include "memory.h"
#include "tile/walk.h"
#include "values.h"

namespace pallasgen {

using namespace program;

ElementLowering::ElementLowering(Draft& draft, const tile::Program& program, const tile::Role& role,
                                 FragmentValues& values, std::set<int>& declared)
    : draft_(draft),
      kernel_(*draft.kernel),
      program_(program),
      values_(values),
      declared_(declared),
      uses_(program, role),
      names_(*draft.kernel) {
  for (const tile::Value& value : program.values) names_.reserve(values.name_of(value));
  for (size_t ref = 0; ref < kernel_.refs.size(); ++ref) choose_home(static_cast<int>(ref));
}

ElementLowering::Body::Body(ElementLowering& lowering, Statements& out)
    : lowering_(lowering),
      outer_(std::exchange(lowering.body_, &out)),
      locals_(lowering.locals_),
      depth_(lowering.body_depth_),
      scope_(lowering.names_) {
  lowering.body_depth_ = lowering.names_.depth();
}

ElementLowering::Body::~Body() {
  lowering_.body_ = outer_;
  lowering_.locals_ = std::move(locals_);
  lowering_.body_depth_ = depth_;
  lowering_.computed_.clear();
}

void ElementLowering::refuse(Span span, const std::string& what, const std::string& remedy) {
  draft_.refuse(kPlanBody, span, what).note(remedy);
}

bool ElementLowering::lower(const tile::Statement& statement, const tile::Statement* next) {
  next_ = next;
  computed_.clear();
  statement_text_ = statement.origin;
  if (const auto* node = statement.as<tile::Assign>()) return assign(node->value, node->expr, statement.origin);
  if (const auto* node = statement.as<tile::Read>()) return read(*node, statement.origin);
  if (const auto* node = statement.as<tile::Write>()) return write(*node);
  if (const auto* node = statement.as<tile::Fetch>()) return fetch(*node);
  if (const auto* node = statement.as<tile::Flush>()) return flush(*node);
  if (const auto* node = statement.as<StoreStmt>()) return take_store(statement, *node);
  if (const auto* node = statement.as<AtomicStmt>()) return take_atomic(statement, *node);
  if (const auto* node = statement.as<PrintStmt>()) return print(statement, *node);
  if (const auto* node = statement.as<AssertStmt>()) return check(*node);
  if (const auto* node = statement.as<tile::Dot>()) {
    const TypedPtr& product = node->product;
    const TypedPtr sum = node->start ? make_typed(product->span, product->dtype, product->shape,
                                                  Apply{Op::add, {node->start, product}, {}})
                                     : product;
    return assign(node->value, sum, statement.origin);
  }
  if (const auto* node = statement.as<tile::Forget>()) {
    const Source& source = refs_.at(node->ref);
    if (source.home == Home::scalar)
      body_->push_back(set_scalar(source.id, zero_of(draft_.ref(node->ref).dtype), {}, true, false));
    return true;
  }
  PALLASGEN_ASSERT(statement.as<GridSyncStmt>(), statement.span);
  body_->push_back({"every program has come here; what they wrote is seen", false, GridSync{}});
  return true;
}

ElementSource ElementLowering::source_of(int id) {
  const auto known = locals_.find(id);
  if (known != locals_.end()) return known->second;
  const tile::Value& value = program_.value({id});
  Source source;
  source.name = values_.name_of(value);
  if (is_number(value)) {
    source.home = Home::scalar;
    source.id = values_.scalar({id});
    return source;
  }
  source.home = Home::tile;
  source.id = tile_of({id});
  source.name = draft_.plan.shared.fields[source.id].name;
  return source;
}

int ElementLowering::tile_of(tile::ValueId id) {
  const auto known = tiles_.find(id.index);
  if (known != tiles_.end()) return known->second;
  const tile::Value& value = program_.value(id);
  return tiles_[id.index] = add_tile(draft_.names().of(value.name), value.dtype, sizes_of(tile::use(program_, id)));
}

void ElementLowering::hold_in_ring(tile::ValueId value, int ring, int member) {
  Source source;
  source.home = Home::slot;
  source.id = ring;
  source.member = member;
  source.name = values_.name_of(program_.value(value));
  locals_[value.index] = source;
}

void ElementLowering::declare(tile::ValueId id) {
  const tile::Value& value = program_.value(id);
  if (!is_number(value)) {
    if (value.home == tile::Home::shared && uses_.got.count(id.index) == 0) tile_of(id);
    return;
  }
  if (!declared_.insert(id.index).second) return;
  body_->push_back(set_scalar(values_.scalar(id), zero_of(value.dtype), {}, true, false));
}

int ElementLowering::add_variable(const std::string& name, DType dtype, TypedPtr value) {
  const int scalar = add_scalar(names_.take({name}), dtype);
  body_->push_back(set_scalar(scalar, std::move(value), {}, true, false));
  return scalar;
}

void ElementLowering::enter_loop(const tile::For& loop) {
  if (bounds(loop.step, facts()).minimum.value_or(0) <= 0) return;
  const std::optional<int64_t> below = bounds(loop.last, facts()).maximum;
  loops_[loop.variable.id] = {bounds(loop.first, facts()).minimum, below ? std::optional(*below - 1) : std::nullopt};
}
void ElementLowering::leave_loop(const tile::For& loop) { loops_.erase(loop.variable.id); }

// What costs as little as reading it from a tile: no arithmetic but casts, comparisons and coordinates.
bool ElementLowering::is_trivial(const TypedPtr& value) const {
  bool trivial = true;
  walk(value, [&](const Typed& node) {
    if (const LocalUse* use = node.as<LocalUse>()) {
      const auto local = locals_.find(use->id);
      if (local != locals_.end() && local->second.home == Home::inlined)
        trivial = trivial && is_trivial(local->second.value);
    }
    if (node.as<CallFunction>()) trivial = false;
    const Apply* apply = node.as<Apply>();
    if (!apply) return;
    const OpGroup group = operation(apply->op).group;
    const bool compares = apply->op >= Op::logical_not && apply->op <= Op::not_equal;
    const bool moves = group == OpGroup::shape || group == OpGroup::cast || group == OpGroup::mask;
    trivial = trivial && (moves || compares || node.dtype == DType::index);
  });
  return trivial;
}

// Whether nothing that the expression reads can change before its last use.
bool ElementLowering::stays(const TypedPtr& expr) {
  bool stays = true;
  walk(expr, [&](const Typed& node) {
    if (const LocalUse* use = node.as<LocalUse>()) {
      const Source source = source_of(use->id);
      const auto defined = uses_.definitions.find(use->id);
      stays = stays && source.home != Home::slot && (defined == uses_.definitions.end() || defined->second == 1);
    }
    if (const RefRead* read = node.as<RefRead>()) {
      stays = stays && draft_.ref(read->ref).role == RefRole::input && !changes(read->ref) &&
              refs_.at(read->ref).home == Home::memory && read->order == pallasgen::MemoryOrder::weak;
    }
  });
  return stays;
}

// Written where it is used instead of kept: used once, or trivial; and nothing that it reads can change in between.
bool ElementLowering::can_inline(tile::ValueId value, const TypedPtr& expr) {
  if (uses_.definitions.at(value.index) != 1 || uses_.carried.count(value.index) > 0 ||
      uses_.loaded.count(value.index) > 0)
    return false;
  const auto uses = uses_.uses.find(value.index);
  const bool once = uses != uses_.uses.end() && uses->second == 1;
  if (once && next_ && next_->as<tile::Write>() && next_->as<tile::Write>()->value == value) return true;
  return (uses == uses_.uses.end() || uses->second <= 1 || is_trivial(expr)) && stays(expr);
}

bool ElementLowering::assign_number(tile::ValueId value, const TypedPtr& expr, const std::string& origin) {
  const size_t first = body_->size();
  std::vector<Binding> bindings;
  ElementSite site{*body_, bindings, 1};
  const Shape& shape = program_.value(value).shape;
  const Coordinates at(shape.size(), index_constant(0));
  const TypedPtr number = element(expr, broadcast_at(expr->shape, shape, at), site);
  if (!number) return false;
  const bool declares = declared_.insert(value.index).second;
  const bool constant = uses_.definitions.at(value.index) == 1;
  body_->push_back(set_scalar(values_.scalar(value), number, std::move(bindings), declares, constant));
  quote(*body_, first, origin);
  return true;
}

bool ElementLowering::assign(tile::ValueId id, const TypedPtr& expr, const std::string& origin) {
  const tile::Value& value = program_.value(id);
  target_ = draft_.names().of(value.name);
  if (!expr) {
    declare(id);
    return true;
  }
  if (is_number(value)) return assign_number(id, expr, origin);
  const auto* use = expr->as<LocalUse>();
  if (use && program_.value({use->id}).home != tile::Home::shared && !is_number(program_.value({use->id}))) {
    body_->push_back(
        {"", false, StoreTile{tile_of(id), values_.fragment({use->id}), values_.offset_in_tile({use->id})}});
    return true;
  }
  if (can_inline(id, expr)) {
    Source source;
    source.home = Home::inlined;
    source.value = expr;
    source.name = target_;
    source.quoted = origin;
    locals_[id.index] = source;
    return true;
  }
  const size_t first = body_->size();
  const int field = tile_of(id);
  if (!fill_tile(field, expr)) return false;
  quote(*body_, first, origin);
  locals_.erase(id.index);
  return true;
}

bool ElementLowering::read(const tile::Read& read, const std::string& origin) {
  const tile::Value& value = program_.value(read.value);
  target_ = draft_.names().of(value.name);
  Source source;
  source.home = Home::box;
  source.box = read.box;
  source.name = draft_.ref(read.box.ref).name;
  const TypedPtr whole = tile::use(program_, read.value);
  const bool once = uses_.definitions.at(read.value.index) == 1 && uses_.carried.count(read.value.index) == 0 &&
                    uses_.loaded.count(read.value.index) == 0;
  bytes_ += static_cast<double>(bytes_of(value.dtype, elements_of(value.shape)));
  locals_[read.value.index] = source;
  if (is_number(value)) {
    std::vector<Binding> bindings;
    ElementSite site{*body_, bindings, 1};
    const TypedPtr number = element(whole, Coordinates(value.shape.size(), index_constant(0)), site);
    locals_.erase(read.value.index);
    if (!number) return false;
    const bool declares = declared_.insert(read.value.index).second;
    const bool constant = uses_.definitions.at(read.value.index) == 1;
    body_->push_back(set_scalar(values_.scalar(read.value), number, std::move(bindings), declares, constant));
    return true;
  }
  if (once && !changes(read.box.ref)) return true;
  const size_t first = body_->size();
  const int field = tile_of(read.value);
  const bool filled = fill_tile(field, whole);
  locals_.erase(read.value.index);
  quote(*body_, first, origin);
  return filled;
}

bool ElementLowering::write(const tile::Write& write) {
  const Ref& ref = draft_.ref(write.box.ref);
  target_ = draft_.names().of(ref.name);
  const TypedPtr value = tile::use(program_, write.value);
  return write_box(write.box, value,
                   fmt::format("the block of {} goes {} memory", ref.name, ref.reduce ? "into" : "to"));
}

namespace {

AtomicKind kind_of_reduce(const std::string& reduce) {
  return reduce == "add" ? AtomicKind::add : reduce == "min" ? AtomicKind::min : AtomicKind::max;
}

}  // namespace

// The elements of a value to their places in memory; combined into it where the output says so.
bool ElementLowering::write_box(const tile::Box& box, const TypedPtr& value, const std::string& comment) {
  const Ref& ref = draft_.ref(box.ref);
  const auto* use = value->as<LocalUse>();
  const Source held = use ? source_of(use->id) : refs_.at(value->as<RefRead>()->ref);
  const NameScope scope(names_);
  const ElementLoop elements = loop_over(sizes_of(value), held.home == Home::inlined ? held.value : nullptr);
  Statements body;
  StoreElement store{};
  ElementSite site{body, store.bindings, std::max<int64_t>(elements_of(value->shape), 1)};
  store.value = element(value, elements.at, site);
  if (!store.value) return false;
  const ArrayPlace place = box_place(box, elements.at, site);
  store.ref = box.ref;
  store.index = place.index;
  store.may_leave = place.may_leave;
  store.condition = place.inside;
  if (ref.reduce) {
    AtomicUpdate update{};
    update.kind = kind_of_reduce(*ref.reduce);
    store.atomic = update;
  }
  body.push_back({"", false, std::move(store)});
  Statement loop = for_elements(elements, std::move(body));
  loop.comment = held.home == Home::inlined ? held.quoted : comment;
  loop.quotes = held.home == Home::inlined;
  body_->push_back(std::move(loop));
  bytes_ += static_cast<double>(bytes_of(ref.dtype, elements_of(value->shape)));
  return true;
}

bool ElementLowering::fetch(const tile::Fetch& fetch) {
  const Ref& ref = draft_.ref(fetch.box.ref);
  const Source& to = refs_.at(fetch.box.ref);
  if (to.home == Home::memory) return true;
  // The box goes by an id that no value has.
  constexpr int kFetched = -1;
  Source source;
  source.home = Home::box;
  source.box = fetch.box;
  source.name = ref.name;
  locals_[kFetched] = source;
  const TypedPtr block = make_typed(ref.span, ref.dtype, ref.shape, LocalUse{kFetched, ref.name});
  if (to.home == Home::tile) return fill_tile(to.id, block);
  std::vector<Binding> bindings;
  ElementSite site{*body_, bindings, 1};
  const TypedPtr value = element(block, {}, site);
  if (!value) return false;
  body_->push_back(set_scalar(to.id, value, std::move(bindings), false, false));
  return true;
}

bool ElementLowering::flush(const tile::Flush& flush) {
  const Ref& ref = draft_.ref(flush.box.ref);
  if (refs_.at(flush.box.ref).home == Home::memory) return true;
  const TypedPtr block = make_typed(ref.span, ref.dtype, ref.shape, RefRead{flush.box.ref, {}, true, {}, {}, ref.name});
  return write_box(flush.box, block,
                   fmt::format("the block of {} goes {} memory", ref.name, ref.reduce ? "into" : "to"));
}

bool ElementLowering::print(const tile::Statement& statement, const PrintStmt& print) {
  Print out{};
  out.texts = print.texts;
  ElementSite site{*body_, out.bindings, 1};
  target_ = "printed";
  for (const TypedPtr& arg : print.args) {
    if (!arg->shape.empty()) {
      refuse(statement.span, fmt::format("print of {}, an array", to_string(arg)), "print one element, or a reduction");
      return false;
    }
    out.args.push_back(element(arg, {}, site));
    if (!out.args.back()) return false;
  }
  body_->push_back({"", false, std::move(out)});
  return true;
}

bool ElementLowering::check(const AssertStmt& assertion) {
  Assert out{};
  ElementSite site{*body_, out.bindings, 1};
  target_ = "condition";
  out.condition = element(assertion.condition, {}, site);
  if (!out.condition) return false;
  out.message = assertion.message;
  body_->push_back({"", false, std::move(out)});
  return true;
}

TypedPtr ElementLowering::condition(const TypedPtr& expr, const std::string& name, std::vector<Binding>& bindings) {
  computed_.clear();
  ElementSite site{*body_, bindings, 1};
  target_ = name;
  return element(expr, {}, site);
}

TypedPtr ElementLowering::condition_in(Statements& before, const TypedPtr& expr, std::vector<Binding>& bindings) {
  const NameScope scope(names_);
  Statements* outer = std::exchange(body_, &before);
  const TypedPtr made = condition(expr, "condition", bindings);
  body_ = outer;
  return made;
}

// A bound of a loop, which stays what it was before the loop where the body defines a name of it anew.
TypedPtr ElementLowering::bound_of(const TypedPtr& bound, const std::string& name, std::vector<Binding>& bindings) {
  computed_.clear();
  ElementSite site{*body_, bindings, 1};
  target_ = name;
  return stays(bound) ? index_of(bound, site) : hoisted_index(bound, site);
}

namespace {

int inner_scopes(const KernelStmts& statements) {
  int scopes = 0;
  for_each_statement(statements,
                     [&](const KernelStmt& statement) { scopes += std::holds_alternative<ScopeStmt>(statement.node); });
  return scopes;
}

// Scopes are numbered in the order of the body, those inside one right behind it.
void keep_scope(const Kernel& kernel, int ref, SharedField& field) {
  int number = 0;
  for_each_statement(kernel.body, [&](const KernelStmt& statement) {
    const auto* scope = std::get_if<ScopeStmt>(&statement.node);
    if (!scope) return;
    if (std::find(scope->refs.begin(), scope->refs.end(), ref) != scope->refs.end()) {
      field.scope = number;
      field.last_scope = number + inner_scopes(scope->body);
    }
    ++number;
  });
}

bool same_box(const tile::Box& a, const tile::Box& b) {
  return std::equal(a.dims.begin(), a.dims.end(), b.dims.begin(), b.dims.end(),
                    [](const tile::BoxDim& x, const tile::BoxDim& y) { return equal(x.first, y.first); });
}

}  // namespace

// A block of an output that is only stored to goes straight to memory, unless something keeps it: its buffer is an
// input that is read, or it is combined into memory once.
void ElementLowering::choose_home(int index) {
  const Ref& ref = draft_.ref(index);
  if (is_view(ref)) {
    refs_[index] = Source{};
    return;
  }
  if (uses_.written.count(index) == 0 && uses_.read.count(index) == 0 && uses_.flushed.count(index) == 0 &&
      uses_.fetched.count(index) == 0)
    return;
  // A block of an input that nothing writes is read where it is used.
  const bool input = ref.role == RefRole::input;
  const std::map<int, std::vector<tile::Box>>& boxes = input ? uses_.fetched : uses_.flushed;
  const auto moved = boxes.find(index);
  const bool one_box =
      moved != boxes.end() && std::all_of(moved->second.begin(), moved->second.end(),
                                          [&](const auto& b) { return same_box(b, moved->second.front()); });
  const bool keeps = input ? changes(index)
                           : ref.role == RefRole::scratch || uses_.read.count(index) > 0 || ref.reduce ||
                                 (ref.alias_of && reads_buffer(*ref.alias_of));
  Source source;
  if (one_box && !keeps) {
    source.box = moved->second.front();
    refs_[index] = source;
    return;
  }
  if (ref.shape.empty() && uses_.updated.count(index) == 0) {
    source.home = Home::scalar;
    source.id = add_scalar(names_.take({draft_.names().derived(ref.name + "_value")}), ref.dtype);
  } else {
    source.home = Home::tile;
    source.id = add_tile(draft_.names().of(ref.name), ref.dtype,
                         ref.shape.empty() ? std::vector<Number>{number(1)} : sizes_of_ref(index));
    if (ref.scoped) keep_scope(kernel_, index, draft_.plan.shared.fields[source.id]);
    source.name = draft_.plan.shared.fields[source.id].name;
  }
  refs_[index] = source;
}

// Whether something writes the array of the ref.
bool ElementLowering::changes(int ref) const {
  return std::any_of(uses_.arrays_written.begin(), uses_.arrays_written.end(),
                     [&](int other) { return same_buffer(kernel_, other, ref); });
}

// Whether a statement of the role reads the input.
bool ElementLowering::reads_buffer(int input) const { return uses_.loads.count(input) > 0; }

}  // namespace pallasgen
