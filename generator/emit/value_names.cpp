#include "value_names.h"

#include <fmt/format.h>

#include <algorithm>

#include "cpp_literal.h"
#include "diagnostics/assert.h"

namespace pallasgen {

using namespace program;

bool fits_int(const Bounds& range) {
  return range.minimum && range.maximum && *range.minimum >= INT32_MIN && *range.maximum <= INT32_MAX;
}

std::string order_text(program::MemoryOrder order) {
  static constexpr const char* kOrders[] = {"kRelaxed", "kAcquire", "kRelease", "kAcqRel"};
  return std::string("MemoryOrder::") + kOrders[static_cast<int>(order)];
}

std::string braced(const std::vector<std::string>& parts) { return "{" + joined(parts, ", ") + "}"; }

ValueNames::ValueNames(const Plan& plan, const RolePlan& role, const RingNames& rings)
    : plan_(plan), role_(role), rings_(rings), spelling_(spelling_of(plan)) {
  spelling_.symbol = [this, of_plan = spelling_.symbol](const Symbol& symbol) {
    Spelling::Name name = of_plan(symbol);
    const std::string variable = variable_of(symbol);
    const std::optional<Bounds> range = range_of(variable);
    name.wide = name.wide || wide_variables_.count(variable) > 0 || (range && !fits_int(*range));
    return name;
  };
  const auto limits = [this](auto of_plan, std::optional<int64_t> Bounds::* limit) {
    return [this, of_plan = std::move(of_plan), limit](const Symbol& symbol) {
      const std::optional<Bounds> range = range_of(variable_of(symbol));
      return range ? (*range).*limit : of_plan(symbol);
    };
  };
  spelling_.facts.minimum = limits(spelling_.facts.minimum, &Bounds::minimum);
  spelling_.facts.maximum = limits(spelling_.facts.maximum, &Bounds::maximum);
  variables_["wg"] = {0, role.groups.value - 1};
  variables_["row0"] = {0, role.rows_per_group.value * (role.groups.value - 1)};
  for (const ScalarValue& scalar : plan.scalars) {
    const DTypeInfo& type = info(scalar.dtype);
    if (scalar.dtype == DType::index || !type.is_integer) continue;
    // Several values may share a name, one after the other.
    Bounds& range = variables_.try_emplace(scalar.name, Bounds{0, 0}).first->second;
    if (type.bits > 32 || (type.bits == 32 && !type.is_signed)) {
      range = {};
    } else if (range.minimum) {
      range = {INT32_MIN, INT32_MAX};
    }
  }
}

Number ValueNames::threads() const {
  if (!has_several_roles(plan_)) return plan_.launch.threads;
  const int64_t all = 32 * int64_t{role_.warps};
  return {all, role_.groups.value > 1 ? "128 * " + factor(role_.groups) : std::to_string(all)};
}

Number ValueNames::warps() const {
  const Number all = threads();
  if (!has_several_roles(plan_)) return {all.value / 32, all.text + " / 32"};
  return {role_.warps, role_.groups.value > 1 ? "4 * " + factor(role_.groups) : std::to_string(role_.warps)};
}

std::string ValueNames::pointer(int of) const {
  const int ref = buffer_of(*plan_.kernel, of);
  const auto name_in = [&](const std::vector<Parameter>& parameters) {
    const auto at = std::find_if(parameters.begin(), parameters.end(), [&](const Parameter& parameter) {
      return parameter.kind == ParameterKind::ref && parameter.index == ref;
    });
    return at == parameters.end() ? std::string() : at->name;
  };
  const std::string of_role = name_in(role_.parameters);
  const std::string name = of_role.empty() ? name_in(plan_.launch.arguments) : of_role;
  if (!name.empty()) return name;
  PALLASGEN_ASSERT(plan_.launch.arguments.empty(), plan_.kernel->refs[ref].span);  // the plan is not finished
  return plan_.kernel->identifiers.of(plan_.kernel->refs[ref].name);
}

std::string ValueNames::workspace_part(const char* name) const {
  const auto& arguments = plan_.launch.arguments;
  const bool known = std::any_of(arguments.begin(), arguments.end(), [&](const Parameter& parameter) {
    return parameter.kind == ParameterKind::part && parameter.name == name;
  });
  PALLASGEN_ASSERT(known || arguments.empty(), plan_.kernel->span);
  return name;
}

std::string ValueNames::variable_of(const Symbol& symbol) const {
  if (symbol.kind != SymbolKind::loop) return "";
  return symbol.id < 0 ? symbol.name : plan_.kernel->identifiers.of(symbol.name);
}

std::optional<Bounds> ValueNames::range_of(const std::string& variable) const {
  const auto at = variables_.find(variable);
  return at == variables_.end() ? std::nullopt : std::optional(at->second);
}

bool ValueNames::set_wide(const std::string& variable, bool wide) {
  if (wide) return !wide_variables_.insert(variable).second;
  return wide_variables_.erase(variable) > 0;
}

void ValueNames::set_range(const std::string& variable, const std::optional<Bounds>& range) {
  if (range)
    variables_[variable] = *range;
  else
    variables_.erase(variable);
}

Spelling ValueNames::reading(const std::vector<Binding>& bindings, int layout_of) const {
  Spelling spelling = spelling_;
  spelling.local = [this, &bindings, layout_of](const LocalUse& local) {
    return binding(bindings, local.id, layout_of);
  };
  return spelling;
}

// A variable that no loop of the spec counts is an offset in a block, and every block ends within the ints.
Spelling ValueNames::of_places(Spelling spelling) const {
  spelling.facts.maximum = [this, known = spelling.facts.maximum](const Symbol& symbol) {
    const bool within = symbol.kind == SymbolKind::loop && symbol.id < 0 && !range_of(symbol.name);
    return within ? 0 : known(symbol);
  };
  spelling.facts = facts_of_places(plan_, std::move(spelling.facts));
  if (ahead_ == 0) return spelling;
  spelling.facts.maximum = [this, known = spelling.facts.maximum](const Symbol& symbol) {
    const std::optional<int64_t> most = known(symbol);
    const bool counts = symbol.kind == SymbolKind::loop ||
                        (symbol.kind == SymbolKind::axis && plan_.kernel->axes[symbol.id].sequential);
    return counts && most && *most >= ahead_ ? std::optional(*most - ahead_) : most;
  };
  return spelling;
}

std::string ValueNames::tensor_coordinate(const TypedPtr& expr) const {
  const Spelling spelling = of_places(spelling_);
  const std::string text = cpp_expression(expr, spelling);
  if (!is_wide(expr, spelling)) return text;
  return (fits_int(bounds(expr, spelling.facts)) ? "int(" : "tma_coordinate(") + text + ")";
}

std::string ValueNames::index_list(const std::vector<TypedPtr>& list, const Spelling& spelling) const {
  std::vector<std::string> parts;
  for (const TypedPtr& expr : list) parts.push_back(cpp_expression(expr, of_places(spelling)));
  return joined(parts, ", ");
}

std::string ValueNames::tile_element(int id, int ring, const std::vector<TypedPtr>& index,
                                     const Spelling& spelling) const {
  const SharedField& field = plan_.shared.fields[id];
  std::string text = ring < 0 ? "smem." + field.name : rings_.field_of(ring, id);
  PALLASGEN_ASSERT(field.dims.size() == index.size() + (ring < 0 ? 0 : 1), plan_.kernel->span);
  // An operand of matrix instructions is a row of boxes, swizzled.
  const RingOperand* operand = ring < 0 ? nullptr : rings_.operand_in(ring, id);
  if (operand && operand->lies_in_column_boxes()) {
    const std::string of_operand = "swizzled_index<" + swizzle_text(operand->swizzle) + ", " +
                                   (field.packed ? memory_type(field.dtype) : cpp_type(field.dtype)) + ", " +
                                   operand->extent.text + ", " + operand->width.text + ">(" +
                                   cpp_expression(index[0], spelling, IndexWidth::plain) + ")";
    return field.packed ? "tile_at(" + text + ", " + of_operand + ")" : text + "[" + of_operand + "]";
  }
  if (field.packed) return "tile_at(" + text + ", " + cpp_expression(index[0], spelling, IndexWidth::plain) + ")";
  for (const TypedPtr& expr : index) text += "[" + cpp_expression(expr, spelling, IndexWidth::plain) + "]";
  return text;
}

std::string ValueNames::array_element(int id, const std::vector<TypedPtr>& index, const Spelling& spelling) const {
  const Ref& ref = plan_.kernel->refs[id];
  std::string array = pointer(id);
  if (!ref.strides.empty()) array = "strided(" + array + ", {" + index_list(ref.strides, spelling_) + "})";
  return array + ", " + extents_and_index(id, index, spelling);
}

std::string ValueNames::extents_and_index(int id, const std::vector<TypedPtr>& index, const Spelling& spelling) const {
  if (index.empty()) return "{1}, {0}";  // an array without dims has one element
  const std::string extents = index_list(plan_.kernel->refs[id].array_shape, spelling_);
  std::vector<std::string> places;
  for (const TypedPtr& expr : index) places.push_back(cpp_expression(expr, of_places(spelling)));
  return "{" + extents + "}, " + braced(places);
}

std::string ValueNames::access(int id, const Access& of) const {
  return access(fragment(id), plan_.fragments[id].layout.shape.size(), of);
}

std::string ValueNames::access(const std::string& value, size_t rank, const Access& access) const {
  const std::string start = (value.empty() ? "" : value + ", ") + pointer(access.ref);
  if (access.dims.empty()) return start;
  std::vector<std::string> axes;
  bool identity = access.dims.size() == rank;
  for (size_t d = 0; d < access.dims.size(); ++d) {
    const AccessDim& dim = access.dims[d];
    identity = identity && dim.fragment_dim == static_cast<int>(d);
    axes.push_back(std::to_string(dim.fragment_dim < 0 ? -1 : dim.fragment_dim));
  }
  return start + (identity ? "" : ", Axes<" + joined(axes, ", ") + ">()") + ", " + place(access);
}

std::string ValueNames::place(const Access& access) const {
  std::vector<std::string> extents, offsets, strides, sizes;
  bool padded = false, limited = false, plain = access.strides.empty();
  std::string gathered;
  for (size_t d = 0; d < access.dims.size(); ++d) {
    const AccessDim& dim = access.dims[d];
    extents.push_back(index(dim.extent));
    offsets.push_back(index(dim.offset));
    padded = padded || (dim.may_be_below && !dim.each);
    PALLASGEN_ASSERT(dim.variable.empty() || dim.each, plan_.kernel->span);
    if (dim.each) gathered = fmt::format(".gathered<{}>({}, {})", d, extents.back(), dim.function);
    limited = limited || dim.size;
    if (d < access.strides.size()) strides.push_back(index(access.strides[d]));
    // A dim without a limit extends to the end of the array.
    sizes.push_back(index(dim.size ? dim.size : dim.extent));
  }
  std::string text = braced(extents) + ", " + braced(offsets);
  if (!strides.empty()) text += ", " + braced(strides);
  plain = plain && !padded && !limited && gathered.empty();
  if (!plain) text = (padded ? "padded_block_at(" : "block_at(") + text + ")";
  if (limited) text += ".part(" + braced(sizes) + ")";
  return text + gathered;
}

std::string ValueNames::lookups(const Access& access, const std::vector<Binding>& bindings) const {
  std::string text;
  for (const AccessDim& dim : access.dims) {
    if (dim.each)
      text += fmt::format("const auto {} = [&](int {}) {{ return {}; }};\n", dim.function, dim.variable,
                          cpp_expression(dim.each, reading(bindings)));
  }
  return text;
}

Spelling::Name ValueNames::binding(const std::vector<Binding>& bindings, int id, int layout_of) const {
  const Binding& binding = bindings[static_cast<size_t>(id)];
  const auto layout = [&] { return fragment(layout_of); };
  switch (binding.kind) {
    case SlotKind::element:
      return {element(binding.fragment)};
    case SlotKind::row:
      return {fragment(binding.fragment) + "[" + layout() + ".row_slot(e)]"};
    case SlotKind::column:
      return {fragment(binding.fragment) + "[" + (binding.offset ? index(binding.offset) + " + " : "") + layout() +
              ".column_slot(e)]"};
    case SlotKind::first:
      return {fragment(binding.fragment) + "[0]"};
    case SlotKind::scalar:
      return {scalar(binding.scalar), wide_scalars_.count(binding.scalar) > 0};
    case SlotKind::coordinate: {
      const bool matrix = plan_.fragments[layout_of].layout.shape.size() == 2;
      const std::string at = !matrix            ? layout() + ".coordinate(e, " + std::to_string(binding.dim) + ")"
                             : binding.dim == 0 ? layout() + ".row(e)"
                                                : layout() + ".column(e)";
      return {binding.offset ? "(" + coordinate(binding.offset) + " + " + at + ")" : at};
    }
    case SlotKind::shared:
    case SlotKind::global:
      break;
  }
  return element(binding, reading(bindings, layout_of));
}

// An element of a tile or an array; where its condition does not hold, the value for outside.
Spelling::Name ValueNames::element(const Binding& binding, const Spelling& spelling) const {
  const std::string outside = binding.outside ? cpp_expression(binding.outside, spelling) : "";
  std::string text;
  if (binding.kind == SlotKind::shared) {
    text = tile_element(binding.field, binding.ring, binding.index, spelling);
  } else if (binding.index.empty() && !binding.condition && info(plan_.kernel->refs[binding.ref].dtype).bits >= 8) {
    if (binding.order) return {"load_ordered<" + order_text(*binding.order) + ">(" + pointer(binding.ref) + ")"};
    text = "*" + pointer(binding.ref);
  } else {
    const bool leaves = std::find(binding.may_leave.begin(), binding.may_leave.end(), true) != binding.may_leave.end();
    if (binding.order) return {ordered_load(binding, outside, spelling)};
    const std::string place = array_element(binding.ref, binding.index, spelling);
    text = leaves ? "element(" + place + (outside.empty() ? "" : ", " + outside) + ")" : "at(" + place + ")";
  }
  if (!binding.condition) return {text};
  const DType dtype = binding.kind == SlotKind::shared ? plan_.shared.fields[binding.field].dtype
                                                       : plan_.kernel->refs[binding.ref].dtype;
  return {"(" + cpp_condition(binding.condition, spelling) + " ? " + text + " : " +
          (outside.empty() ? constant_literal(dtype, int64_t{0}) : outside) + ")"};
}

std::string ValueNames::ordered_load(const Binding& binding, const std::string& outside,
                                     const Spelling& spelling) const {
  const bool leaves = std::find(binding.may_leave.begin(), binding.may_leave.end(), true) != binding.may_leave.end();
  const std::string text = "load_ordered<" + order_text(*binding.order) + ">(&at(" +
                           array_element(binding.ref, binding.index, spelling) + "))";
  if (!leaves) return text;
  const DType dtype = plan_.kernel->refs[binding.ref].dtype;
  return "(is_inside(" + extents_and_index(binding.ref, binding.index, spelling) + ") ? " + text + " : " +
         (outside.empty() ? constant_literal(dtype, int64_t{0}) : outside) + ")";
}

}  // namespace pallasgen
