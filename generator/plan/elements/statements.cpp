// Statements of a role whose elements are computed one by one.
#include <fmt/format.h>

#include <algorithm>

#include "box_access.h"
#include "check/aliases.h"
#include "diagnostics/assert.h"
#include "element_indexing.h"
#include "elements/lowering.h"
#include "memory.h"
#include "reductions.h"
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
      names_(*draft.kernel),
      checks_(draft, program, role) {
  for (const tile::Value& value : program.values) names_.reserve(values.name_of(value));
  names_.avoid([&fragments = draft.plan.fragments](const std::string& name) {
    return std::any_of(fragments.begin(), fragments.end(), [&](const auto& known) { return known.name == name; });
  });
  for (size_t ref = 0; ref < kernel_.refs.size(); ++ref) choose_home(static_cast<int>(ref));
}

ElementLowering::Body::Body(ElementLowering& lowering, Statements& out)
    : lowering_(lowering),
      outer_(std::exchange(lowering.body_, &out)),
      locals_(lowering.locals_),
      checked_(lowering.checked_),
      depth_(lowering.body_depth_),
      scope_(lowering.names_) {
  lowering.body_depth_ = lowering.names_.depth();
}

ElementLowering::Body::~Body() {
  lowering_.body_ = outer_;
  lowering_.locals_ = std::move(locals_);
  lowering_.checked_ = std::move(checked_);
  lowering_.body_depth_ = depth_;
  lowering_.computed_.clear();
}

void ElementLowering::refuse(Span span, const std::string& what, const std::string& remedy) {
  draft_.refuse(kPlanBody, span, what).note(remedy);
}

bool ElementLowering::lower(const tile::Statement& statement, const tile::Statement* next) {
  next_ = next;
  computed_.clear();
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
  const int field = add_tile(draft_.names().of(value.name), value.dtype, sizes_of(tile::use(program_, id)));
  for (size_t ref = 0; ref < kernel_.refs.size(); ++ref) {
    if (kernel_.refs[ref].name == value.name) note_scope(static_cast<int>(ref), field);
  }
  return tiles_[id.index] = field;
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
  draft_.loops[loop.variable.id] = {bounds(loop.first, facts()).minimum,
                                    below ? std::optional(*below - 1) : std::nullopt};
}
void ElementLowering::leave_loop(const tile::For& loop) { draft_.loops.erase(loop.variable.id); }

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

namespace {

// Whether the expression takes elements by indices, which may lie outside.
bool indexes(const TypedPtr& expr) {
  bool found = false;
  walk(expr, [&](const Typed& node) {
    const RefRead* read = node.as<RefRead>();
    found = found || (read && !read->whole) || node.applies(Op::slice);
  });
  return found;
}

}  // namespace

// Written where it is used instead of kept: used once, or trivial; and nothing that it reads can change in between.
bool ElementLowering::can_inline(tile::ValueId value, const TypedPtr& expr) {
  if (checks_.of_indices() && uses_.sure.count(value.index) == 0 && indexes(expr)) return false;
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

// The value's tile gets the elements of the expression. A scan, and a reduction by warps, is made in it.
bool ElementLowering::fill(tile::ValueId id, const TypedPtr& expr) {
  const Apply* apply = expr->as<Apply>();
  bool reads_own = false;
  walk(expr, [&](const Typed& node) {
    const auto* use = node.as<LocalUse>();
    reads_own = reads_own || (use && use->id == id.index);
  });
  const bool whole = expr->shape == program_.value(id).shape;
  if (apply && is_scan(apply->op) && !reads_own && whole) {
    const int field = tile_of(id);
    return takes_warps(expr) ? scan_by_warps(expr, *apply, field) : scan(expr, *apply, field);
  }
  if (takes_warps(expr) && whole && tiles_.count(id.index) == 0 && elements_of(expr->shape) > 1) {
    const std::optional<Source> made = reduce_by_warps(expr, target_);
    if (made) tiles_[id.index] = made->id;
    return made.has_value();
  }
  return fill_tile(tile_of(id), expr);
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
  const bool whole = use && expr->shape == value.shape;
  if (whole && program_.value({use->id}).home != tile::Home::shared && !is_number(program_.value({use->id}))) {
    body_->push_back(
        {"", false, StoreTile{tile_of(id), values_.fragment({use->id}), values_.offset_in_tile({use->id})}});
    return true;
  }
  if (expr->shape == value.shape && can_inline(id, expr)) {
    Source source;
    source.home = Home::inlined;
    source.value = expr;
    source.name = target_;
    source.quoted = origin;
    locals_[id.index] = source;
    return true;
  }
  const size_t first = body_->size();
  if (!fill(id, expr)) return false;
  quote(*body_, first, origin);
  locals_.erase(id.index);
  return true;
}

// An argument of the print at this place of the spec, in its words.
std::string ElementLowering::printed_text(Span span, size_t argument) const {
  std::string text;
  for_each_statement(kernel_.body, [&](const KernelStmt& statement) {
    const auto* print = std::get_if<PrintStmt>(&statement.node);
    if (print && statement.span.begin == span.begin) text = to_string(print->args[argument]);
  });
  return text;
}

bool ElementLowering::print(const tile::Statement& statement, const PrintStmt& print) {
  Print out{};
  out.texts = print.texts;
  ElementSite site{*body_, out.bindings, 1};
  target_ = "printed";
  for (size_t i = 0; i < print.args.size(); ++i) {
    const TypedPtr& arg = print.args[i];
    if (!arg->shape.empty()) {
      refuse(statement.span, fmt::format("print of {}, an array", printed_text(statement.span, i)),
             "print one element, or a reduction");
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

}  // namespace pallasgen
