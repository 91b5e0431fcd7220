// The sources of values and blocks for statements by elements.
#include "elements/sources.h"

#include <algorithm>

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

int ElementSources::tile_of(tile::ValueId id, const TypedPtr& like) {
  const auto known = tiles_.find(id.index);
  if (known != tiles_.end()) return known->second;
  const tile::Value& value = walk_.program.value(id);
  const int field =
      add_tile(draft_.names().of(value.name), value.dtype, sizes_of(like ? like : tile::use(walk_.program, id)));
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

ElementSource ElementSources::tile_source(int field) const {
  ElementSource source;
  source.home = ElementHome::tile;
  source.id = field;
  source.name = draft_.plan.shared.fields[static_cast<size_t>(field)].name;
  return source;
}

void ElementSources::choose_home(int index) {
  const std::optional<ElementHomes::OfRef> home = walk_.homes.of_ref(index);
  if (!home) return;
  const Ref& ref = draft_.ref(index);
  ElementSource source;
  if (home->box) source.box = *home->box;
  if (home->home == ElementHome::scalar) {
    source.home = ElementHome::scalar;
    source.id = walk_.add_scalar({draft_.names().derived(ref.name + "_value")}, ref.dtype);
  } else if (home->home == ElementHome::tile) {
    source = tile_source(add_tile(draft_.names().of(ref.name), ref.dtype,
                                  ref.shape.empty() ? std::vector<Number>{number(1)} : sizes_of_ref(index)));
    note_scope(*draft_.kernel, index, draft_.plan.shared.fields[source.id]);
  }
  refs_[index] = source;
}

}  // namespace pallasgen
