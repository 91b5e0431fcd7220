// Values all of whose elements are computed at once.
#include "elements/whole_values.h"

#include <algorithm>

#include "check/aliases.h"
#include "diagnostics/assert.h"
#include "elements/expressions.h"
#include "elements/loops.h"
#include "program/program_walk.h"
#include "proofs/reductions.h"

namespace pallasgen {

using namespace program;

namespace {

bool same_elements(const std::vector<TypedPtr>& a, const std::vector<TypedPtr>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const TypedPtr& x, const TypedPtr& y) { return equal(x, y); });
}

}  // namespace

bool reads_elsewhere(const Kernel& kernel, const Statements& body) {
  const auto store = std::find_if(body.begin(), body.end(), [](const Statement& statement) {
    return std::holds_alternative<StoreElement>(statement.node);
  });
  const StoreElement& out = std::get<StoreElement>(store->node);
  bool found = false;
  for_each_statement(body, [&](const Statement& statement) {
    for_each_binding(statement, [&](const Binding& binding) {
      const bool same = out.field >= 0 ? binding.kind == SlotKind::shared && binding.field == out.field
                                       : binding.kind == SlotKind::global && !binding.order &&
                                             same_buffer(kernel, binding.ref, out.ref);
      found = found || (same && !same_elements(binding.index, out.index));
    });
  });
  return found;
}

void WholeValues::fill_tile(int field, const TypedPtr& value) {
  const std::vector<Number> sizes = sources_.sizes_of_tile(field);
  const NameScope scope(walk_.names);
  const ElementLoop elements = walk_.loop_over(sizes, value);
  Shape shape;
  for (const Number& size : sizes) shape.push_back(size.value);
  Statements body;
  StoreElement store{};
  store.field = field;
  store.index = elements.at;
  ElementSite site{body, store.bindings};
  store.value = expressions_.element_of(value, shape, elements.at, site);
  body.push_back({"", false, std::move(store)});
  PALLASGEN_ASSERT(!reads_elsewhere(*draft_.kernel, body), value->span);
  walk_.body->push_back(for_elements(elements, std::move(body)));
}

void WholeValues::scan(const TypedPtr& node, const Apply& apply, int field) {
  if (takes_warps(*draft_.kernel, node)) return warps_.scan(node, apply, field);
  loops_.scan(node, apply, field);
}

}  // namespace pallasgen
