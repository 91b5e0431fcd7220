// The walk over statements by elements, and the loops over elements.
#include "elements/walk.h"

#include <fmt/format.h>

#include <algorithm>

#include "check/aliases.h"
#include "diagnostics/assert.h"
#include "plan/rules.h"
#include "program/index_terms.h"
#include "program/program_walk.h"

namespace pallasgen {

using namespace program;

ElementWalk::ElementWalk(Draft& draft, const tile::Program& program, const tile::Role& role, FragmentValues& values,
                         std::set<int>& declared)
    : draft(draft),
      program(program),
      values(values),
      declared(declared),
      homes(program, role),
      uses(homes.uses()),
      names(*draft.kernel),
      checks(draft, program, role) {
  for (const tile::Value& value : program.values) names.reserve(fragment_name(draft, value));
  names.avoid([&fragments = draft.plan.fragments](const std::string& name) {
    return std::any_of(fragments.begin(), fragments.end(), [&](const auto& known) { return known.name == name; });
  });
}

SymbolFacts ElementWalk::facts() const {
  SymbolFacts facts = draft.facts;
  facts.minimum = [this, known = facts.minimum](const Symbol& symbol) -> std::optional<int64_t> {
    if (symbol.kind != SymbolKind::loop || symbol.id >= 0) return known(symbol);
    if (const auto found = narrowed.find(symbol.name); found != narrowed.end() && found->second.minimum)
      return found->second.minimum;
    return extents.count(symbol.name) > 0 || is_unsigned(symbol.name) ? std::optional<int64_t>(0) : std::nullopt;
  };
  facts.maximum = [this, known = facts.maximum](const Symbol& symbol) -> std::optional<int64_t> {
    if (symbol.kind != SymbolKind::loop || symbol.id >= 0) return known(symbol);
    if (const auto found = narrowed.find(symbol.name); found != narrowed.end() && found->second.maximum)
      return found->second.maximum;
    const auto extent = extents.find(symbol.name);
    return extent == extents.end() ? std::nullopt : std::optional<int64_t>(extent->second - 1);
  };
  return facts;
}

bool ElementWalk::is_unsigned(const std::string& variable) const {
  bool found = false, all = true;
  for (const ScalarValue& scalar : draft.plan.scalars) {
    if (scalar.name != variable) continue;
    found = true;
    all = all && info(scalar.dtype).is_integer && !info(scalar.dtype).is_signed;
  }
  return found && all;
}

int ElementWalk::add_scalar(const std::vector<std::string>& wanted, DType dtype) {
  draft.plan.scalars.push_back({names.take(wanted), dtype, nullptr});
  return static_cast<int>(draft.plan.scalars.size()) - 1;
}

std::vector<std::string> ElementWalk::names_for(const std::string& what) const {
  if (target.empty()) return {what};
  if (target.ends_with("_" + what)) return {what, "total", target + "_" + what};
  return {what, draft.names().derived(target + (target.ends_with('_') ? "" : "_") + what)};
}

void ElementWalk::set_number(tile::ValueId value, TypedPtr number, std::vector<Binding> bindings) {
  const bool declares = declared.insert(value.index).second;
  const bool constant = uses.definitions.at(value.index) == 1;
  body->push_back(set_scalar(values.scalar(value), std::move(number), std::move(bindings), declares, constant));
}

int ElementWalk::kept_dim(const TypedPtr& value) const {
  int kept = -1;
  walk(value, [&](const Typed& node) {
    const auto* use = node.as<LocalUse>();
    const auto defined = use ? kept_dims.find(use->id) : kept_dims.end();
    if (kept < 0 && defined != kept_dims.end()) kept = defined->second;
    const Apply* apply = node.as<Apply>();
    if (!apply || operation(apply->op).group != OpGroup::reduce || apply->attributes.axes.size() != 1) return;
    if (apply->args[0]->shape.size() == 2 && kept < 0) kept = apply->attributes.axes[0] == 0 ? 1 : 0;
  });
  return kept;
}

ElementLoop ElementWalk::loop_over(const std::vector<Number>& sizes, const TypedPtr& value) {
  ElementLoop loop;
  for (const Number& size : sizes) {
    if (size.value != 1) loop.shape.push_back(size);
  }
  const int kept = loop.shape.size() == 1 ? kept_dim(value) : -1;
  loop.coordinates = kept >= 0 ? std::vector<std::string>{names.along(static_cast<size_t>(kept), 2)}
                               : names.coordinates(loop.shape.size());
  size_t next = 0;
  for (const Number& size : sizes) {
    if (size.value == 1) {
      loop.at.push_back(index_constant(0));
      continue;
    }
    extents[loop.coordinates[next]] = size.value;
    loop.at.push_back(variable(loop.coordinates[next++]));
  }
  return loop;
}

namespace {

bool same_elements(const std::vector<TypedPtr>& a, const std::vector<TypedPtr>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const TypedPtr& x, const TypedPtr& y) { return equal(x, y); });
}

// True if an iteration of a loop over elements may read what the store in `body` writes in another iteration.
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

}  // namespace

void ElementWalk::add_stores(const ElementLoop& loop, Statements stores) {
  PALLASGEN_ASSERT(!reads_elsewhere(*draft.kernel, stores));
  body->push_back(for_elements(loop, std::move(stores)));
}

void ElementWalk::quote(size_t first, const std::string& text) {
  if (first >= body->size() || text.empty() || text == quoted) return;
  quoted = text;
  (*body)[first].comment = text;
  (*body)[first].quotes = true;
}

void ElementWalk::refuse(Span span, const std::string& what, const std::string& remedy) {
  draft.refuse(kPlanBody, span, what).note(remedy);
}

void ElementWalk::check_nan(int index, StoreElement& out, const ArrayPlace& place, ElementSite& site) {
  const Ref& ref = draft.ref(index);
  if (!checks.of_nan() || !info(ref.dtype).is_float) return;
  const int scalar = add_scalar({draft.names().derived(ref.name + "_value")}, ref.dtype);
  site.before.push_back(set_scalar(scalar, out.value, site.bindings, true, true));
  out.value = bind_scalar(draft.plan, scalar, ref.span, site);
  const TypedPtr is_nan = make_typed(ref.span, DType::boolean, {}, Apply{Op::isnan, {out.value}, {}});
  const TypedPtr stored = both(inside_condition(draft, index, place, facts()), out.condition);
  const std::string fault = fmt::format("nan: in '{}'{}", ref.name, statement_of_fault());
  site.before.push_back(checks.check(fault, both(stored, is_nan), site.bindings));
}

TypedPtr where_inside(TypedPtr condition, const ElementSite& site) {
  if (!site.outside) return condition;
  return both(apply({}, Op::logical_not, DType::boolean, {}, {site.outside}), std::move(condition));
}

Statement for_elements(const ElementLoop& loop, Statements body) {
  ForElements statement{};
  statement.shape = loop.shape;
  statement.coordinates = loop.coordinates;
  statement.body = std::move(body);
  return {"", false, std::move(statement)};
}

}  // namespace pallasgen
