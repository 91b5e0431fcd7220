// Blocks of arrays whose elements are accessed one by one.
#include <fmt/format.h>

#include <algorithm>

#include "diagnostics/assert.h"
#include "elements/expressions.h"
#include "elements/loops.h"
#include "elements/places.h"
#include "elements/stores.h"
#include "program/index_terms.h"
#include "proofs/access.h"
#include "tile/walk.h"

namespace pallasgen {

using namespace program;

ElementSource ElementBoxes::box_source(const tile::Box& box) const {
  ElementSource source;
  source.home = ElementHome::box;
  source.box = box;
  source.name = draft_.ref(box.ref).name;
  return source;
}

std::vector<TypedPtr> ElementBoxes::check(const tile::Box& box) {
  if (!walk_.checks.of_indices()) return {};
  const auto known = std::find_if(walk_.checked.begin(), walk_.checked.end(), [&](const tile::Box& other) {
    return other.ref == box.ref && tile::same_place(other, box);
  });
  if (known != walk_.checked.end()) return {};
  walk_.checked.push_back(box);
  Statements before;
  std::vector<Binding> bindings;
  ElementSite site{before, bindings};
  std::vector<TypedPtr> first, limits, held;
  for (const tile::BoxDim& dim : box.dims) {
    const size_t computed = before.size();
    first.push_back(places_.index_of(dim.first, site));
    held.push_back(before.size() > computed ? first.back() : nullptr);
    limits.push_back(dim.limit ? places_.index_of(dim.limit, site) : nullptr);
  }
  const Ref& ref = draft_.ref(box.ref);
  const TypedPtr violated = walk_.checks.outside(box, first, limits, walk_.facts());
  if (!violated) return {};
  const std::string fault =
      is_view(ref) ? fmt::format("oob: an index of '{}' is outside{}", ref.name, walk_.statement_of_fault())
                   : fmt::format("oob: the block of '{}' lies outside", ref.name);
  std::move(before.begin(), before.end(), std::back_inserter(*walk_.body));
  walk_.body->push_back(walk_.checks.check(fault, violated, std::move(bindings)));
  return before.empty() ? std::vector<TypedPtr>{} : held;
}

void ElementBoxes::gather(const tile::Box& box, Access& access, std::vector<Binding>& bindings) {
  for (size_t d = 0; d < box.dims.size(); ++d) {
    const TypedPtr& each = box.dims[d].each;
    if (!each) continue;
    AccessDim& dim = access.dims[d];
    dim.function = walk_.names.take({"row_of_" + draft_.names().of(draft_.ref(box.ref).name)});
    const NameScope scope(walk_.names);
    dim.variable = walk_.names.along(0, 2);
    walk_.extents[dim.variable] = *box.dims[d].size;
    const Coordinates at{add(dim.offset, variable(dim.variable))};
    dim.offset = index_constant(0);
    Statements before;
    ElementSite site{before, bindings};
    dim.each = expressions_.element(each, at, site);
    PALLASGEN_ASSERT(before.empty(), each->span);  // indices that take statements are values of their own
  }
}

program::Statement ElementBoxes::gathered(const tile::Box& box, program::Statement copy) {
  std::visit(
      [&](auto& node) {
        using Kind = std::decay_t<decltype(node)>;
        constexpr bool copies =
            std::is_same_v<Kind, Load> || std::is_same_v<Kind, AsyncCopy> || std::is_same_v<Kind, Prefetch>;
        if constexpr (copies) gather(box, node.access, node.bindings);
      },
      copy.node);
  return copy;
}

void ElementBoxes::read(const tile::Read& read, const std::string& origin) {
  const tile::Value& value = walk_.program.value(read.value);
  walk_.target = draft_.names().of(value.name);
  const TypedPtr whole = tile::use(walk_.program, read.value);
  sources_.set(read.value.index, box_source(read.box));
  if (value.inlined) return;
  if (is_number(value)) {
    std::vector<Binding> bindings;
    ElementSite site{*walk_.body, bindings};
    const TypedPtr number = expressions_.element(whole, Coordinates(value.shape.size(), index_constant(0)), site);
    sources_.reset(read.value.index);
    return walk_.set_number(read.value, number, std::move(bindings));
  }
  const size_t first = walk_.body->size();
  loops_.fill_tile(sources_.tile_of(read.value), whole);
  sources_.reset(read.value.index);
  walk_.quote(first, origin);
}

void ElementBoxes::write(const tile::Write& write) {
  const Ref& ref = draft_.ref(write.box.ref);
  walk_.target = draft_.names().of(ref.name);
  return write_box(write.box, tile::use(walk_.program, write.value));
}

// Stores the elements of a value to memory, or combines them into it if the output is reduced.
void ElementBoxes::write_box(const tile::Box& box, const TypedPtr& value) {
  const Ref& ref = draft_.ref(box.ref);
  const auto* use = value->as<LocalUse>();
  const ElementSource held =
      use ? sources_.source_of_value(use->id) : sources_.source_of_ref(value->as<RefRead>()->ref);
  const NameScope scope(walk_.names);
  const ElementLoop elements = walk_.loop_over(sources_.sizes_of(value), value);
  Statements body;
  StoreElement store{};
  ElementSite site{body, store.bindings};
  store.value = expressions_.element(value, elements.at, site);
  const ArrayPlace place = places_.box_place(box, elements.at, site);
  store.ref = box.ref;
  store.index = place.index;
  store.may_leave = place.may_leave;
  if (held.home == ElementHome::inlined) walk_.statement_text = held.quoted;
  walk_.check_nan(box.ref, store, place, site);
  store.condition = where_inside(place.inside, site);
  if (ref.reduce) {
    AtomicUpdate update{};
    update.kind = kind_of_update(*ref.reduce);
    store.atomic = update;
  }
  body.push_back({"", false, std::move(store)});
  Statement loop = for_elements(elements, std::move(body));
  loop.quotes = held.home == ElementHome::inlined;
  if (loop.quotes)
    loop.comment = held.quoted == walk_.quoted ? "" : held.quoted;
  else
    loop.comment = fmt::format("the block of {} goes {} memory", ref.name, ref.reduce ? "into" : "to");
  walk_.body->push_back(std::move(loop));
}

void ElementBoxes::fetch(const tile::Fetch& fetch) {
  const Ref& ref = draft_.ref(fetch.box.ref);
  const ElementSource& to = sources_.source_of_ref(fetch.box.ref);
  if (to.home == ElementHome::memory) return;
  // The box takes an id that no value has.
  constexpr int kFetched = -1;
  sources_.set(kFetched, box_source(fetch.box));
  const TypedPtr block = make_typed(ref.span, ref.dtype, ref.shape, LocalUse{kFetched, ref.name});
  if (to.home == ElementHome::tile) return loops_.fill_tile(to.id, block);
  std::vector<Binding> bindings;
  ElementSite site{*walk_.body, bindings};
  const TypedPtr value = expressions_.element(block, {}, site);
  walk_.body->push_back(set_scalar(to.id, value, std::move(bindings), false, false));
}

void ElementBoxes::flush(const tile::Flush& flush) {
  const Ref& ref = draft_.ref(flush.box.ref);
  if (sources_.source_of_ref(flush.box.ref).home == ElementHome::memory) return;
  const TypedPtr block = make_typed(ref.span, ref.dtype, ref.shape, RefRead{flush.box.ref, {}, true, {}, {}, ref.name});
  return write_box(flush.box, block);
}

}  // namespace pallasgen
