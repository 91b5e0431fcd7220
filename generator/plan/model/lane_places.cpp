#include "model/lane_places.h"

#include <algorithm>

namespace pallasgen {

namespace {

using program::Binding;
using program::SlotKind;

constexpr int kMostValues = 512;   // values that one index may depend on; further ones are drawn
constexpr int64_t kDrawn = 65521;  // drawn numbers are below it: a prime, so that strides keep them distinct

// Returns a number from 0 to kDrawn - 1 in place of the data at these places.
int64_t pseudo_random(int64_t source, const std::vector<int64_t>& places) {
  uint64_t state = static_cast<uint64_t>(source) * 0x9e3779b97f4a7c15U + 1;
  for (const int64_t place : places) {
    state ^= static_cast<uint64_t>(place) + 0x9e3779b97f4a7c15U + (state << 6U) + (state >> 2U);
    state = (state ^ (state >> 30U)) * 0xbf58476d1ce4e5b9U;
  }
  return static_cast<int64_t>((state ^ (state >> 31U)) % static_cast<uint64_t>(kDrawn));
}

bool is_integer(DType dtype) { return dtype == DType::index || info(dtype).is_integer; }

}  // namespace

bool mentions_variable(const TypedPtr& expr, const std::string& name) {
  bool found = false;
  walk(expr, [&](const Typed& node) {
    const auto* symbol = node.as<Symbol>();
    found = found || (symbol && symbol->kind == SymbolKind::loop && symbol->name == name);
  });
  return found;
}

void LanePlaces::set_scalar(int scalar, const TypedPtr& value, const std::vector<Binding>& bindings) {
  scalars_[scalar] = {&value, &bindings};
  scalars_named_[plan_.scalars[static_cast<size_t>(scalar)].name] = scalar;
}

void LanePlaces::set_tile(int field, const std::vector<TypedPtr>& index, const TypedPtr& value,
                          const std::vector<Binding>& bindings) {
  tiles_[field] = {&value, &bindings, &index};
}

void LanePlaces::set_fragment(int fragment, const TypedPtr& value, const std::vector<Binding>& bindings) {
  fragments_[fragment] = {&value, &bindings};
}

std::optional<int64_t> LanePlaces::last(const Values& values, int of, const Lane& lane, bool& by_data) const {
  const auto found = values.find(of);
  if (found == values.end()) return std::nullopt;
  return unless_cyclic(found->second.expr,
                       [&] { return index(*found->second.expr, *found->second.bindings, lane, by_data); });
}

std::optional<int64_t> LanePlaces::unless_cyclic(const TypedPtr* value, const std::function<int64_t()>& compute) const {
  if (under_way_.empty()) computed_ = 0;
  if (std::find(under_way_.begin(), under_way_.end(), value) != under_way_.end() || ++computed_ > kMostValues)
    return std::nullopt;
  under_way_.push_back(value);
  const int64_t result = compute();
  under_way_.pop_back();
  return result;
}

int64_t LanePlaces::index(const TypedPtr& expr, const std::vector<Binding>& bindings, const Lane& lane,
                          bool& by_data) const {
  if (const std::optional<int64_t> known = example_.value(expr, lane.symbols)) return *known;
  if (const auto* use = expr->as<LocalUse>()) {
    const auto id = static_cast<size_t>(use->id);
    return id < bindings.size() ? place_of_binding(bindings[id], bindings, lane, by_data) : 0;
  }
  if (const auto* symbol = expr->as<Symbol>()) {
    const auto named = scalars_named_.find(symbol->name);
    if (symbol->kind == SymbolKind::loop && named != scalars_named_.end())
      return of_scalar(named->second, lane, by_data);
    by_data = true;
    return pseudo_random(static_cast<int64_t>(symbol->kind), {symbol->id});
  }
  if (const auto* apply = expr->as<Apply>()) return of_operation(*expr, *apply, bindings, lane, by_data);
  if (const auto* constant = expr->as<Constant>()) {
    const auto* real = std::get_if<double>(&constant->value);
    return real ? static_cast<int64_t>(*real) : 0;
  }
  by_data = true;
  return 0;
}

int64_t LanePlaces::place_of_binding(const Binding& binding, const std::vector<Binding>& bindings, const Lane& lane,
                                     bool& by_data) const {
  const auto at = [&](size_t dim) { return dim < lane.element.size() ? lane.element[dim] : 0; };
  // Returns the value of an element of the fragment.
  const auto of_fragment = [&](std::vector<int64_t> element) {
    if (const auto known = last(fragments_, binding.fragment, {lane.symbols, element}, by_data)) return *known;
    by_data = true;
    return pseudo_random(binding.fragment, element);
  };
  switch (binding.kind) {
    case SlotKind::coordinate:
      return at(static_cast<size_t>(binding.dim)) +
             (binding.offset ? index(binding.offset, bindings, lane, by_data) : 0);
    case SlotKind::scalar:
      return of_scalar(binding.scalar, lane, by_data);
    case SlotKind::element:
      return of_fragment(lane.element);
    case SlotKind::row:
      return of_fragment({at(0)});
    case SlotKind::column:
      return of_fragment({lane.element.empty() ? 0 : lane.element.back()});
    case SlotKind::first:
      return of_fragment({});
    case SlotKind::shared:
    case SlotKind::global:
      break;
  }
  std::vector<int64_t> places;
  for (const TypedPtr& each : binding.index) places.push_back(index(each, bindings, lane, by_data));
  if (binding.kind == SlotKind::shared && binding.ring < 0) {
    if (const auto known = of_tile(binding.field, places, lane, by_data)) return *known;
  }
  by_data = true;
  return pseudo_random(binding.kind == SlotKind::shared ? 1000 + binding.field : 2000 + binding.ref, places);
}

// Returns the value that a loop over elements last wrote at these places of a tile.
std::optional<int64_t> LanePlaces::of_tile(int field, const std::vector<int64_t>& places, const Lane& lane,
                                           bool& by_data) const {
  const auto found = tiles_.find(field);
  if (found == tiles_.end() || found->second.index->size() != places.size()) return std::nullopt;
  std::map<std::string, int64_t> coordinates;
  for (size_t dim = 0; dim < places.size(); ++dim) {
    const auto* symbol = (*found->second.index)[dim]->as<Symbol>();
    if (symbol) coordinates[symbol->name] = places[dim];
  }
  const Lane writer{[coordinates, around = lane.symbols](const Symbol& symbol) -> std::optional<int64_t> {
    const auto known = coordinates.find(symbol.name);
    if (symbol.kind == SymbolKind::loop && known != coordinates.end()) return known->second;
    return around ? around(symbol) : std::nullopt;
  }};
  return last(tiles_, field, writer, by_data);
}

int64_t LanePlaces::of_scalar(int scalar, const Lane& lane, bool& by_data) const {
  if (const auto known = last(scalars_, scalar, lane, by_data)) return *known;
  const TypedPtr& bound = plan_.scalars[static_cast<size_t>(scalar)].value;
  if (bound && scalars_.count(scalar) == 0) {
    if (const auto known = unless_cyclic(&bound, [&] { return index(bound, {}, lane, by_data); })) return *known;
  }
  by_data = true;
  return pseudo_random(3000 + scalar, {});
}

// Computes integers, takes conditions that depend on data as true, and draws any other value from the operands.
int64_t LanePlaces::of_operation(const Typed& node, const Apply& apply, const std::vector<Binding>& bindings,
                                 const Lane& lane, bool& by_data) const {
  if (apply.op == Op::where && apply.args.size() == 3) {
    bool of_condition = false;
    const int64_t holds = index(apply.args[0], bindings, lane, of_condition);
    return index(apply.args[of_condition || holds != 0 ? 1 : 2], bindings, lane, by_data);
  }
  std::vector<int64_t> args;
  bool drawn_args = false;
  for (const TypedPtr& arg : apply.args) args.push_back(index(arg, bindings, lane, drawn_args));
  by_data = by_data || drawn_args;
  const bool whole =
      is_integer(node.dtype) && node.shape.empty() &&
      std::all_of(apply.args.begin(), apply.args.end(), [](const TypedPtr& arg) { return is_integer(arg->dtype); });
  if (whole && apply.op == Op::cast) return args[0];
  std::vector<Scalar> scalars(args.begin(), args.end());
  const std::optional<Scalar> folded = whole && !args.empty() ? fold(apply.op, DType::index, scalars) : std::nullopt;
  if (const auto* integer = folded ? std::get_if<int64_t>(&*folded) : nullptr) return *integer;
  by_data = true;
  return pseudo_random(4000 + static_cast<int64_t>(apply.op), args);
}

}  // namespace pallasgen
