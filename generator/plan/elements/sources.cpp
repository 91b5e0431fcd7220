// The sources of values and blocks for statements by elements.
#include "elements/sources.h"

#include <algorithm>

#include "check/aliases.h"
#include "fragments/values.h"
#include "program/memory.h"
#include "tile/walk.h"

namespace pallasgen {

using namespace program;

namespace {

int inner_scopes(const KernelStmts& statements) {
  int scopes = 0;
  for_each_statement(statements,
                     [&](const KernelStmt& statement) { scopes += std::holds_alternative<ScopeStmt>(statement.node); });
  return scopes;
}

// If the ref is scratch of a scope, notes the scope for its tile. Scopes are numbered in the order of the body, with
// those inside one right after it.
void note_scope(const Kernel& kernel, int ref, SharedField& field) {
  if (!kernel.refs[static_cast<size_t>(ref)].scoped) return;
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

}  // namespace

ElementSources::ElementSources(ElementWalk& walk) : walk_(walk), draft_(walk.draft) {
  for (size_t ref = 0; ref < draft_.kernel->refs.size(); ++ref) choose_home(static_cast<int>(ref));
}

ElementSource ElementSources::source_of_value(int id) {
  const auto known = locals_.find(id);
  if (known != locals_.end()) return known->second;
  const tile::Value& value = walk_.program.value({id});
  if (!is_number(value)) return tile_source(tile_of({id}));
  ElementSource source;
  source.home = ElementHome::scalar;
  source.id = walk_.values.scalar({id});
  source.name = fragment_name(draft_, value);
  return source;
}

int ElementSources::tile_of(tile::ValueId id) {
  const auto known = tiles_.find(id.index);
  if (known != tiles_.end()) return known->second;
  const tile::Value& value = walk_.program.value(id);
  const int field = add_tile(draft_.names().of(value.name), value.dtype, sizes_of(tile::use(walk_.program, id)));
  for (size_t ref = 0; ref < draft_.kernel->refs.size(); ++ref) {
    if (draft_.kernel->refs[ref].name == value.name)
      note_scope(*draft_.kernel, static_cast<int>(ref), draft_.plan.shared.fields[field]);
  }
  return tiles_[id.index] = field;
}

int ElementSources::add_tile(const std::string& name, DType dtype, const std::vector<Number>& sizes) {
  constexpr int64_t kTileAlignment = 16;  // bytes of the widest vector of a row
  SharedField field;
  const std::vector<SharedField>& others = draft_.plan.shared.fields;
  const auto taken = [&](const SharedField& other) { return other.name == field.name; };
  // A ring's operand may have the name of the array.
  do {
    field.name = walk_.names.tile(field.name.empty() ? name : name + "_tile");
  } while (std::any_of(others.begin(), others.end(), taken));
  field.dtype = dtype;
  field.dims = sizes;
  field.alignment = kTileAlignment;
  field.purpose = field.name;
  const int index = add_field(draft_, std::move(field));
  tile_sizes_[index] = sizes;
  return index;
}

ElementSource ElementSources::tile_source(int field, TypedPtr node) const {
  ElementSource source;
  source.home = ElementHome::tile;
  source.id = field;
  source.value = std::move(node);
  source.name = draft_.plan.shared.fields[static_cast<size_t>(field)].name;
  return source;
}

bool ElementSources::is_trivial(const TypedPtr& value) const {
  bool trivial = true;
  walk(value, [&](const Typed& node) {
    if (const LocalUse* use = node.as<LocalUse>()) {
      const auto local = locals_.find(use->id);
      if (local != locals_.end() && local->second.home == ElementHome::inlined)
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

bool ElementSources::stays(const TypedPtr& expr) {
  const std::map<int, int>& definitions = walk_.uses.definitions;
  bool stays = true;
  walk(expr, [&](const Typed& node) {
    if (const LocalUse* use = node.as<LocalUse>()) {
      const ElementSource source = source_of_value(use->id);
      const auto defined = definitions.find(use->id);
      stays = stays && source.home != ElementHome::slot && (defined == definitions.end() || defined->second == 1);
    }
    if (const RefRead* read = node.as<RefRead>()) {
      stays = stays && draft_.ref(read->ref).role == RefRole::input && !changes(read->ref) &&
              source_of_ref(read->ref).home == ElementHome::memory && read->order == pallasgen::MemoryOrder::weak;
    }
  });
  return stays;
}

namespace {

// True if the expression takes elements by indices, which may lie outside.
bool indexes(const TypedPtr& expr) {
  bool found = false;
  walk(expr, [&](const Typed& node) {
    const RefRead* read = node.as<RefRead>();
    found = found || (read && !read->whole) || node.applies(Op::slice);
  });
  return found;
}

}  // namespace

bool ElementSources::can_inline(tile::ValueId value, const TypedPtr& expr, const tile::Statement* next) {
  const ElementUses& all = walk_.uses;
  if (walk_.checks.of_indices() && all.sure.count(value.index) == 0 && indexes(expr)) return false;
  if (all.definitions.at(value.index) != 1 || all.carried.count(value.index) > 0 || all.loaded.count(value.index) > 0)
    return false;
  const auto uses = all.uses.find(value.index);
  const bool once = uses != all.uses.end() && uses->second == 1;
  if (once && next && next->as<tile::Write>() && next->as<tile::Write>()->value == value) return true;
  return (uses == all.uses.end() || uses->second <= 1 || is_trivial(expr)) && stays(expr);
}

// Stores to a block of an output that is not read go straight to memory, unless its buffer is an input that is read, or
// the block is combined into memory once.
void ElementSources::choose_home(int index) {
  const ElementUses& uses = walk_.uses;
  const Ref& ref = draft_.ref(index);
  if (is_view(ref)) {
    refs_[index] = ElementSource{};
    return;
  }
  if (uses.written.count(index) == 0 && uses.read.count(index) == 0 && uses.flushed.count(index) == 0 &&
      uses.fetched.count(index) == 0)
    return;
  // A block of an input that nothing writes is read where it is used.
  const bool input = ref.role == RefRole::input;
  const std::map<int, std::vector<tile::Box>>& boxes = input ? uses.fetched : uses.flushed;
  const auto moved = boxes.find(index);
  const bool one_box =
      moved != boxes.end() && std::all_of(moved->second.begin(), moved->second.end(),
                                          [&](const auto& b) { return tile::same_place(b, moved->second.front()); });
  const bool keeps = input ? changes(index)
                           : ref.role == RefRole::scratch || uses.read.count(index) > 0 || ref.reduce ||
                                 (ref.alias_of && uses.loads.count(*ref.alias_of) > 0);
  ElementSource source;
  if (one_box && !keeps) {
    source.box = moved->second.front();
    refs_[index] = source;
    return;
  }
  if (ref.shape.empty() && uses.updated.count(index) == 0) {
    source.home = ElementHome::scalar;
    source.id = walk_.add_scalar({draft_.names().derived(ref.name + "_value")}, ref.dtype);
  } else {
    source = tile_source(add_tile(draft_.names().of(ref.name), ref.dtype,
                                  ref.shape.empty() ? std::vector<Number>{number(1)} : sizes_of_ref(index)));
    note_scope(*draft_.kernel, index, draft_.plan.shared.fields[source.id]);
  }
  refs_[index] = source;
}

bool ElementSources::changes(int ref) const {
  return std::any_of(walk_.uses.arrays_written.begin(), walk_.uses.arrays_written.end(),
                     [&](int other) { return same_buffer(*draft_.kernel, other, ref); });
}

}  // namespace pallasgen
