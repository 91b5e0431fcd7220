// Reductions of many terms into few results: each result is a warp's, or several warps' where it is the only one.
#include <algorithm>
#include <bit>

#include "blocks.h"
#include "elements/lowering.h"
#include "memory.h"
#include "reductions.h"

namespace pallasgen {

using namespace program;

namespace {

constexpr int64_t kTermsOfWarp = 2 * kWarp;       // two for each lane
constexpr int64_t kResultsOfThreads = 4 * kWarp;  // as many threads are busy with a result each
// Of the warps that share the terms of the only result: the fewest terms of each, and how many at most.
constexpr int64_t kPartTerms = 8 * kWarp;
constexpr int64_t kPartsOfResult = 8;

const char* kLaneName = "lane";

// How many warps share the terms of a reduction's only result; positions are not combined across warps.
int64_t warps_of_result(const Apply& apply) {
  if (is_position(apply.op)) return 1;
  const int64_t wanted = elements_of(apply.args[0]->shape) / kPartTerms;
  return wanted < 2 ? 1 : std::min(kPartsOfResult, static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(wanted))));
}

}  // namespace

// The order in which elements are combined follows from shapes alone, so that the bits are the same under every
// setting of pipeline and schedule.
bool ElementLowering::takes_warps(const TypedPtr& node) const {
  const Apply* apply = node->as<Apply>();
  if (!apply || operation(apply->op).group != OpGroup::reduce) return false;
  if (!kernel_.checks.empty()) return false;  // a thread that has found a fault leaves its warp
  const std::vector<int64_t>& axes = apply->attributes.axes;
  const Shape& shape = apply->args[0]->shape;
  const auto last = static_cast<int64_t>(shape.size()) - 1;
  int64_t results = std::max<int64_t>(elements_of(node->shape), 1);
  if (is_scan(apply->op))  // its lines
    results /= std::max<int64_t>(shape[static_cast<size_t>(axes.at(0))], 1);
  const int64_t terms = elements_of(shape) / results;
  const bool along_rows = axes.empty() || std::find(axes.begin(), axes.end(), last) != axes.end();
  return terms >= kTermsOfWarp && (along_rows || results < kResultsOfThreads);
}

// A tile of running sums or maxima: a warp walks a line, 32 elements at a time.
bool ElementLowering::scan_by_warps(const TypedPtr& node, const Apply& apply, int field) {
  const size_t axis = static_cast<size_t>(apply.attributes.axes.at(0));
  const int64_t length = node->shape[axis];
  const bool whole = length % kWarp == 0;
  const NameScope scope(names_);
  ForElements warps{}, lanes{};
  warps.by = Share::warps;
  lanes.by = Share::lanes;
  Coordinates at;
  for (size_t d = 0; d < node->shape.size(); ++d) {
    const std::string along = names_.along(d, node->shape.size());
    extents_[along] = node->shape[d];
    at.push_back(node->shape[d] == 1 ? index_constant(0) : variable(along));
    if (node->shape[d] == 1) continue;
    ForElements& loop = d == axis ? lanes : warps;
    // All lanes take all turns, the last ones without an element.
    loop.shape.push_back(d != axis || whole ? size_of(node, d) : number((length + kWarp - 1) / kWarp * kWarp));
    loop.coordinates.push_back(along);
  }
  warps_ = std::max(warps_, elements_of(node->shape) / length);
  Reduction line = totals(node, apply);
  const int before = add_scalar(names_.take({"before"}), line.dtype);
  Statements term;
  std::vector<Binding> of_term;
  ElementSite turn{term, of_term, elements_of(node->shape)};
  const TypedPtr value = element(apply.args[0], at, turn);
  if (!value) return false;
  term.push_back(set_scalar(line.total, cast_to(value, line.dtype), std::move(of_term), whole, false));
  const TypedPtr inside = scalar_apply(node->span, Op::less, DType::boolean, {at[axis], to_index(size_of(node, axis))});
  Statements& body = lanes.body;
  if (whole) {
    body = std::move(term);
  } else {
    start(line, node, apply, body);
    body.push_back({"", false, If{inside, std::move(term), {}}});
  }
  body.push_back({"", false, ScanLanes{line.total, before, apply.op == Op::cumsum ? Op::sum : Op::max}});
  StoreElement store{};
  store.field = field;
  store.index = at;
  if (!whole) store.condition = inside;
  ElementSite last{body, store.bindings, 1};
  store.value = result_of(line, node, apply, last);
  body.push_back({"", false, std::move(store)});
  warps.body.push_back(set_scalar(before, neutral(apply.op, line.dtype), {}, true, false));
  warps.body.push_back({"", false, std::move(lanes)});
  body_->push_back({"", false, std::move(warps)});
  return true;
}

std::optional<ElementLowering::Source> ElementLowering::reduce_by_warps(const TypedPtr& node, const std::string& name) {
  const Apply& apply = *node->as<Apply>();
  const int64_t results = elements_of(node->shape);
  const int64_t parts = results == 1 ? warps_of_result(apply) : 1;
  warps_ = std::max(warps_, results * parts);
  int field = -1;
  {
    const NameScope scope(names_);
    ElementLoop loop = loop_over(sizes_of(node), node);
    const Coordinates at = loop.at;
    ForElements lanes{};
    lanes.by = Share::lanes;
    lanes.parts = parts;
    StoreElement store{};
    store.index = results == 1 ? Coordinates{index_constant(0)} : at;
    if (parts > 1) {
      lanes.part = names_.take({"part"});
      extents_[lanes.part] = parts;
      loop.shape = {number(parts)};
      loop.coordinates = {lanes.part};
      store.index = {variable(lanes.part)};
    }
    Reduction reduction = totals(node, apply);
    if (!add_terms(reduction, node, apply, at, results)) return std::nullopt;
    for (size_t dim : reduction.dims) {
      lanes.shape.push_back(size_of(apply.args[0], dim));
      lanes.coordinates.push_back(reduction.inner[dim]->as<Symbol>()->name);
    }
    lanes.body = std::move(reduction.term);
    ForElements warps{};
    warps.by = Share::warps;
    warps.shape = loop.shape;
    warps.coordinates = loop.coordinates;
    Statements& body = warps.body;
    start(reduction, node, apply, body);
    body.push_back({"", false, std::move(lanes)});
    const Op op = combination(apply.op).value_or(apply.op);
    body.push_back({"", false, ReduceLanes{reduction.total, op, reduction.position}});
    field = parts > 1     ? add_tile(name + "_parts", reduction.dtype, {number(parts)})
            : results > 1 ? add_tile(name, node->dtype, sizes_of(node))
                          : add_tile(name, node->dtype, {number(1)});
    store.field = field;
    store.condition = scalar_apply(node->span, Op::equal, DType::boolean, {variable(kLaneName), index_constant(0)});
    ElementSite last{body, store.bindings, 1};
    store.value = parts > 1 ? bind_scalar(reduction.total, node->span, last) : result_of(reduction, node, apply, last);
    body.push_back({"", false, std::move(store)});
    body_->push_back({"", false, std::move(warps)});
  }
  if (results == 1) return scalar_of_parts(node, name, field, parts);
  Source source;
  source.value = node;
  source.home = Home::tile;
  source.id = field;
  source.name = draft_.plan.shared.fields[field].name;
  return source;
}

// The only result, in a variable of every thread.
std::optional<ElementLowering::Source> ElementLowering::scalar_of_parts(const TypedPtr& node, const std::string& name,
                                                                        int field, int64_t parts) {
  const Apply& apply = *node->as<Apply>();
  Source source;
  source.value = node;
  source.home = Home::scalar;
  const auto part_at = [&](const TypedPtr& place, ElementSite& site) {
    Binding part{};
    part.kind = SlotKind::shared;
    part.field = field;
    part.index = {place};
    const SharedField& tile = draft_.plan.shared.fields[field];
    return bind(std::move(part), tile.name, node->span, tile.dtype, site);
  };
  std::vector<Binding> bindings;
  ElementSite site{*body_, bindings, 1};
  if (parts == 1) {
    source.id = add_scalar(names_.take({name}), node->dtype);
    const TypedPtr value = part_at(index_constant(0), site);
    body_->push_back(set_scalar(source.id, value, std::move(bindings), true, true));
    return source;
  }
  Reduction whole = totals(node, apply);
  whole.length = elements_of(apply.args[0]->shape);
  start(whole, node, apply, *body_);
  {
    const NameScope scope(names_);
    const std::string part = names_.take({"part"});
    Statements body;
    std::vector<Binding> of_turn;
    ElementSite turn{body, of_turn, parts};
    const TypedPtr total = bind_scalar(whole.total, node->span, turn), next = part_at(variable(part), turn);
    const TypedPtr sum = scalar_apply(node->span, combining(apply.op), whole.dtype, {total, next});
    body.push_back(set_scalar(whole.total, sum, std::move(of_turn), false, false));
    body_->push_back(loop_along(part, number(parts), std::move(body)));
  }
  source.id = whole.total;
  if (apply.op == Op::mean || whole.dtype != node->dtype) {
    const TypedPtr value = result_of(whole, node, apply, site);
    source.id = add_scalar(names_.take({name}), node->dtype);
    body_->push_back(set_scalar(source.id, value, std::move(bindings), true, true));
  }
  return source;
}

}  // namespace pallasgen
