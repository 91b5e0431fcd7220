// Reductions of many terms into few results, with one warp for each result, or several for an only one; long scans.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "elements/expressions.h"
#include "elements/loops.h"
#include "fragments/reduction_strategy.h"
#include "program/index_terms.h"
#include "program/numbers.h"
#include "proofs/reductions.h"
#include "questions/blocks.h"

namespace pallasgen {

using namespace program;

namespace {

// If warps share the terms of an only result: the fewest terms of a warp, and the most warps.
constexpr int64_t kPartTerms = 8 * kWarp;
constexpr int64_t kPartsOfResult = 8;

const char* kLaneName = "lane";

// Returns how many warps share the terms of a reduction's only result; positions are not combined across warps.
int64_t warps_of_result(const Apply& apply) {
  if (is_position(apply.op)) return 1;
  const int64_t wanted = elements_of(apply.args[0]->shape) / kPartTerms;
  return wanted < 2 ? 1 : std::min(kPartsOfResult, static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(wanted))));
}

}  // namespace

void ElementWarps::scan(const TypedPtr& node, const Apply& apply, int field) {
  const size_t axis = static_cast<size_t>(apply.attributes.axes.at(0));
  const int64_t length = node->shape[axis];
  const bool whole = length % kWarp == 0;
  draft_.decide("scan of " + draft_.plan.shared.fields[static_cast<size_t>(field)].name, "a warp walks each line",
                fmt::format("{} elements", length));
  const NameScope scope(walk_.names);
  ForElements warps{}, lanes{};
  warps.by = Share::warps;
  lanes.by = Share::lanes;
  Coordinates at;
  for (size_t d = 0; d < node->shape.size(); ++d) {
    const std::string along = walk_.names.along(d, node->shape.size());
    walk_.extents[along] = node->shape[d];
    at.push_back(node->shape[d] == 1 ? index_constant(0) : variable(along));
    if (node->shape[d] == 1) continue;
    ForElements& loop = d == axis ? lanes : warps;
    // All lanes take part in each iteration, some of them without an element in the last one.
    loop.shape.push_back(d != axis || whole ? sources_.size_of(node, d) : number((length + kWarp - 1) / kWarp * kWarp));
    loop.coordinates.push_back(along);
  }
  ElementLoops::Reduction line = loops_.totals(node, apply);
  const int before = walk_.add_scalar({"before"}, line.dtype);
  Statements term;
  std::vector<Binding> of_term;
  ElementSite turn{term, of_term};
  const TypedPtr value = expressions_.element(apply.args[0], at, turn);
  term.push_back(set_scalar(line.total, cast_to(value, line.dtype), std::move(of_term), whole, false));
  const TypedPtr inside =
      scalar_apply(node->span, Op::less, DType::boolean, {at[axis], to_index(sources_.size_of(node, axis))});
  Statements& body = lanes.body;
  if (whole) {
    body = std::move(term);
  } else {
    loops_.start(line, node, apply, body);
    body.push_back({"", false, If{inside, std::move(term), {}}});
  }
  body.push_back({"", false, ScanLanes{line.total, before, *combination(apply.op)}});
  StoreElement store{};
  store.field = field;
  store.index = at;
  if (!whole) store.condition = inside;
  ElementSite last{body, store.bindings};
  store.value = loops_.result_of(line, node, apply, last);
  body.push_back({"", false, std::move(store)});
  warps.body.push_back(set_scalar(before, neutral(apply.op, line.dtype), {}, true, false));
  warps.body.push_back({"", false, std::move(lanes)});
  walk_.body->push_back({"", false, std::move(warps)});
}

// `field`: the tile of the results; -1: there is one result.
ElementWarps::Shared ElementWarps::reduce_terms(const TypedPtr& node, const std::string& name, int field) {
  const Apply& apply = *node->as<Apply>();
  const int64_t results = elements_of(node->shape);
  const int64_t parts = results == 1 ? warps_of_result(apply) : 1;
  const int64_t terms = elements_of(apply.args[0]->shape) / std::max<int64_t>(results, 1);
  draft_.decide(
      "reduction of " + name, parts > 1 ? fmt::format("{} warps share its terms", parts) : "a warp for each result",
      results == 1 ? fmt::format("{} terms", terms) : fmt::format("{} results of {} terms each", results, terms));
  const ReduceStrategy strategy = choose_strategy(draft_, name, parts * kWarp);
  // The totals of all lanes of all warps are then combined in one tile.
  const bool in_tile = parts > 1 && strategy != ReduceStrategy::shuffle;
  {
    const NameScope scope(walk_.names);
    ElementLoop loop = walk_.loop_over(sources_.sizes_of(node), node);
    const Coordinates at = loop.at;
    ForElements lanes{};
    lanes.by = Share::lanes;
    lanes.parts = parts;
    StoreElement store{};
    store.index = results == 1 ? Coordinates{index_constant(0)} : at;
    if (parts > 1) {
      lanes.part = walk_.names.take({"part", "share"});
      walk_.extents[lanes.part] = parts;
      loop.shape = {number(parts)};
      loop.coordinates = {lanes.part};
      store.index = {variable(lanes.part)};
    }
    ElementLoops::Reduction reduction = loops_.totals(node, apply);
    loops_.add_terms(reduction, node, apply, at);
    for (size_t dim : reduction.dims) {
      lanes.shape.push_back(sources_.size_of(apply.args[0], dim));
      lanes.coordinates.push_back(reduction.inner[dim]->as<Symbol>()->name);
    }
    lanes.body = std::move(reduction.term);
    ForElements warps{};
    warps.by = Share::warps;
    warps.shape = loop.shape;
    warps.coordinates = loop.coordinates;
    Statements& body = warps.body;
    loops_.start(reduction, node, apply, body);
    body.push_back({"", false, std::move(lanes)});
    const Op op = combination(apply.op).value_or(apply.op);
    if (!in_tile) body.push_back(combine_lanes(reduction, op, strategy));
    if (field < 0)
      field = parts == 1
                  ? sources_.add_tile(name, node->dtype, {number(1)})
                  : sources_.add_tile(name + "_parts", reduction.dtype, {number(in_tile ? parts * kWarp : parts)});
    store.field = field;
    if (in_tile)
      store.index = {add(multiply(index_constant(kWarp), variable(loop.coordinates.front())), variable(kLaneName))};
    else
      store.condition = scalar_apply(node->span, Op::equal, DType::boolean, {variable(kLaneName), index_constant(0)});
    ElementSite last{body, store.bindings};
    store.value = parts > 1 ? bind_scalar(draft_.plan, reduction.total, node->span, last)
                            : loops_.result_of(reduction, node, apply, last);
    body.push_back({"", false, std::move(store)});
    walk_.body->push_back({"", false, std::move(warps)});
    if (in_tile) walk_.body->push_back({"", false, ReduceTile{field, op, strategy}});
  }
  return {parts, in_tile, field};
}

void ElementWarps::reduce(const TypedPtr& node, const std::string& name, int field) { reduce_terms(node, name, field); }

void ElementWarps::reduce_to_number(const TypedPtr& node, const std::string& name, tile::ValueId value) {
  const Shared shared = reduce_terms(node, name, -1);
  const Apply& apply = *node->as<Apply>();
  const auto part_at = [&](const TypedPtr& place, ElementSite& site) {
    return bind_shared(draft_.plan, shared.field, {place}, node->span, site);
  };
  std::vector<Binding> bindings;
  ElementSite site{*walk_.body, bindings};
  if (shared.warps == 1) {
    const TypedPtr result = part_at(index_constant(0), site);
    return walk_.set_number(value, result, std::move(bindings));
  }
  if (shared.in_tile) {
    ElementLoops::Reduction whole;
    whole.dtype = accumulator(apply.op, node->dtype);
    whole.length = elements_of(apply.args[0]->shape);
    const TypedPtr result = loops_.result_of_total(whole, node, apply, part_at(index_constant(0), site));
    return walk_.set_number(value, result, std::move(bindings));
  }
  // The total is the value if nothing is left to compute from it.
  const bool is_value = apply.op != Op::mean && accumulator(apply.op, node->dtype) == node->dtype &&
                        walk_.declared.insert(value.index).second;
  ElementLoops::Reduction whole = loops_.totals(node, apply, is_value ? walk_.values.scalar(value) : -1);
  whole.length = elements_of(apply.args[0]->shape);
  loops_.start(whole, node, apply, *walk_.body);
  {
    const NameScope scope(walk_.names);
    const std::string part = walk_.names.take({"part", "share"});
    Statements body;
    std::vector<Binding> of_turn;
    ElementSite turn{body, of_turn};
    const TypedPtr total = bind_scalar(draft_.plan, whole.total, node->span, turn),
                   next = part_at(variable(part), turn);
    const TypedPtr sum = scalar_apply(node->span, combining(apply.op), whole.dtype, {total, next});
    body.push_back(set_scalar(whole.total, sum, std::move(of_turn), false, false));
    walk_.body->push_back(loop_along(part, number(shared.warps), std::move(body)));
  }
  if (is_value) return;
  const TypedPtr result = loops_.result_of(whole, node, apply, site);
  walk_.set_number(value, result, std::move(bindings));
}

// Returns the statement that combines the totals of a warp's lanes, through tiles if the strategy takes some.
Statement ElementWarps::combine_lanes(const ElementLoops::Reduction& reduction, Op op, ReduceStrategy strategy) {
  ReduceLanes lanes{reduction.total, op, reduction.position, strategy};
  if (strategy != ReduceStrategy::shuffle) {
    lanes.field = tile_of_lanes("lanes", reduction.dtype);
    if (lanes.position >= 0)
      lanes.positions = tile_of_lanes("positions", draft_.plan.scalars[static_cast<size_t>(lanes.position)].dtype);
  }
  return {"", false, lanes};
}

// Returns the tile, with a line for each warp of the role, that all reductions of such elements use.
int ElementWarps::tile_of_lanes(const std::string& name, DType dtype) {
  const auto [known, fresh] = tiles_of_lanes_.try_emplace({name, dtype}, -1);
  if (fresh)
    known->second = sources_.add_tile(name, dtype, {quotient(walk_.values.threads(), number(kWarp)), number(kWarp)});
  return known->second;
}

}  // namespace pallasgen
