#include "proofs/element_site.h"

#include <algorithm>

#include "program/numbers.h"

namespace pallasgen {

using namespace program;

namespace {

bool same_expression(const TypedPtr& a, const TypedPtr& b) { return a && b ? equal(a, b) : !a && !b; }

bool same_read(const Binding& a, const Binding& b) {
  return a.kind == b.kind && a.order == b.order && a.scalar == b.scalar && a.field == b.field && a.ring == b.ring &&
         a.ref == b.ref && std::equal(a.index.begin(), a.index.end(), b.index.begin(), b.index.end(), same_expression);
}

}  // namespace

TypedPtr bind_element(Binding binding, const std::string& name, Span span, DType dtype, ElementSite& site) {
  for (size_t i = 0; i < site.bindings.size(); ++i) {
    if (same_read(site.bindings[i], binding)) return make_typed(span, dtype, {}, LocalUse{static_cast<int>(i), name});
  }
  site.bindings.push_back(std::move(binding));
  return make_typed(span, dtype, {}, LocalUse{static_cast<int>(site.bindings.size()) - 1, name});
}

TypedPtr bind_scalar(const Plan& plan, int scalar, Span span, ElementSite& site) {
  Binding binding{};
  binding.kind = SlotKind::scalar;
  binding.scalar = scalar;
  const ScalarValue& value = plan.scalars[static_cast<size_t>(scalar)];
  return bind_element(std::move(binding), value.name, span, value.dtype, site);
}

TypedPtr bind_shared(const Plan& plan, int field, Coordinates index, Span span, ElementSite& site) {
  Binding binding{};
  binding.kind = SlotKind::shared;
  binding.field = field;
  binding.index = std::move(index);
  const SharedField& tile = plan.shared.fields[static_cast<size_t>(field)];
  return bind_element(std::move(binding), tile.name, span, tile.dtype, site);
}

Statement set_scalar(int scalar, TypedPtr value, std::vector<Binding> bindings, bool declares, bool constant) {
  return {"", false, SetScalar{scalar, std::move(value), std::move(bindings), declares, constant}};
}

Statement loop_along(const std::string& name, const Number& size, Statements body) {
  ForRange loop{};
  loop.variable = name;
  loop.start = index_constant(0);
  loop.stop = to_index(size);
  loop.step = index_constant(1);
  loop.body = std::move(body);
  return {"", false, std::move(loop)};
}

Coordinates in_tile(const Coordinates& at) { return at.empty() ? Coordinates{index_constant(0)} : at; }

program::MemoryOrder order_of(pallasgen::MemoryOrder order) {
  switch (order) {
    case pallasgen::MemoryOrder::acquire:
      return program::MemoryOrder::acquire;
    case pallasgen::MemoryOrder::release:
      return program::MemoryOrder::release;
    case pallasgen::MemoryOrder::acq_rel:
      return program::MemoryOrder::acquire_release;
    default:
      return program::MemoryOrder::relaxed;
  }
}

int64_t elements_of(const Shape& shape) {
  int64_t elements = 1;
  for (int64_t size : shape) elements *= size;
  return elements;
}

}  // namespace pallasgen
