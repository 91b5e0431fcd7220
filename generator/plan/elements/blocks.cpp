// Blocks of arrays whose elements are reached one by one: what they are kept in, how they come and go.
#include <fmt/format.h>

#include <algorithm>

#include "access.h"
#include "box_access.h"
#include "check/aliases.h"
#include "element_indexing.h"
#include "elements/lowering.h"
#include "memory.h"
#include "tile/walk.h"

namespace pallasgen {

using namespace program;

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
  if (held.home == Home::inlined) statement_text_ = held.quoted;
  check_nan(box.ref, store, place, site);
  store.condition = where_inside(place.inside, site);
  if (ref.reduce) {
    AtomicUpdate update{};
    update.kind = kind_of_update(*ref.reduce);
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

}  // namespace

void ElementLowering::note_scope(int ref, int field) {
  if (draft_.ref(ref).scoped) keep_scope(kernel_, ref, draft_.plan.shared.fields[static_cast<size_t>(field)]);
}

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
                                          [&](const auto& b) { return tile::same_place(b, moved->second.front()); });
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
    note_scope(index, source.id);
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
