#include "unseen.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "expression/index_map.h"
#include "tile/walk.h"

namespace pallasgen::schedule {

namespace {

using namespace tile;

// For each dim of a value, whether elements from the limit on depend on elements past it.
using Dims = std::vector<bool>;

bool any_dim(const Dims& dims) { return std::find(dims.begin(), dims.end(), true) != dims.end(); }

// Follows elements past the limit of one read through the program.
class Trace {
 public:
  Trace(const Program& program, const Read& read, TypedPtr limit) : program_(program), limit_(std::move(limit)) {
    Dims& dims = of_[read.value.index];
    for (const BoxDim& dim : read.box.dims)
      if (dim.size) dims.push_back(dim.limit && equal(dim.limit, limit_));
  }

  // True if they reach anything but elements that are dropped.
  bool is_seen() {
    for (changed_ = true; changed_ && !seen_;) {
      changed_ = false;
      for (const Role& role : program_.roles)
        for_each_statement(role.body, [this](const Statement& statement) { follow(statement); });
    }
    return seen_;
  }

 private:
  void follow(const Statement& statement) {
    if (const auto* assign = statement.as<Assign>()) {
      if (assign->expr) join(assign->value, dims_of(assign->expr));
    } else if (const auto* dot = statement.as<Dot>()) {
      if (dot->start) join(dot->value, dims_of(dot->start));
      join(dot->value, dims_of(dot->product));
    } else if (const auto* write = statement.as<Write>()) {
      for_each_expression(statement, [this](const TypedPtr& expr) { reject(expr); });
      check_write(*write);
    } else {
      for_each_expression(statement, [this](const TypedPtr& expr) { reject(expr); });
    }
  }

  void join(ValueId value, const Dims& dims) {
    if (!any_dim(dims)) return;
    Dims& known = of_[value.index];
    known.resize(std::max(known.size(), dims.size()));
    for (size_t d = 0; d < dims.size(); ++d) {
      changed_ = changed_ || (dims[d] && !known[d]);
      known[d] = known[d] || dims[d];
    }
  }

  void check_write(const Write& write) {
    const auto of = of_.find(write.value.index);
    if (of == of_.end()) return;
    size_t next = 0;
    for (const BoxDim& dim : write.box.dims) {
      if (!dim.size) continue;
      const bool past = next < of->second.size() && of->second[next];
      ++next;
      if (past && !(dim.limit && equal(dim.limit, limit_))) seen_ = true;
    }
  }

  void reject(const TypedPtr& expr) {
    if (any_dim(dims_of(expr))) seen_ = true;
  }

  void reject(const IndexItem& item) {
    if (const auto* integer = std::get_if<IndexInteger>(&item)) reject(integer->value);
    if (const auto* slice = std::get_if<IndexSlice>(&item); slice && slice->start) reject(slice->start);
    if (const auto* gather = std::get_if<IndexGather>(&item)) reject(gather->indices);
  }

  Dims dims_of(const TypedPtr& expr) {
    Dims dims(expr->shape.size());
    if (const auto* use = expr->as<LocalUse>()) {
      const auto known = of_.find(use->id);
      return known != of_.end() && known->second.size() == dims.size() ? known->second : dims;
    }
    if (const std::vector<TypedPtr>* operands = elementwise_operands(*expr)) {
      for (const TypedPtr& operand : *operands) take(operand, broadcast_map(operand->shape, expr->shape), dims);
      return dims;
    }
    const Apply* apply = expr->as<Apply>();
    if (apply && apply->op == Op::dot && expr->shape.size() == 2) return of_dot(*apply);
    const std::optional<IndexMap> moved = index_map(*expr), map = moved ? moved : reduction_map(*expr);
    const bool follows = map && map->is_dimwise();
    if (follows) take(apply->args[0], *map, dims);
    if (apply) {
      for (const IndexItem& item : apply->attributes.items) reject(item);
      for (const TypedPtr& operand : apply->args)
        if (!follows) reject(operand);
    }
    if (const auto* read = expr->as<RefRead>()) {
      for (const TypedPtr& operand : {read->mask, read->other})
        if (operand) reject(operand);
      for (const IndexItem& item : read->index) reject(item);
    }
    return dims;
  }

  // Dims that are taken whole keep their elements past the limit. A part of such a dim, or one element for a whole row,
  // sees them.
  void take(const TypedPtr& operand, const IndexMap& map, Dims& dims) {
    const Dims own = dims_of(operand);
    for (size_t d = 0; d < own.size(); ++d) {
      if (!own[d]) continue;
      const int to = map.takes_all(d) ? map.result_dim(d) : -1;
      if (to >= 0)
        dims[static_cast<size_t>(to)] = true;
      else
        seen_ = true;
    }
  }

  Dims of_dot(const Apply& dot) {
    const Dims a = dims_of(dot.args[0]), b = dims_of(dot.args[1]);
    const bool trans_a = dot.attributes.trans_a, trans_b = dot.attributes.trans_b;
    if (a.size() != 2 || b.size() != 2 || a[trans_a ? 0 : 1] || b[trans_b ? 1 : 0]) {
      seen_ = seen_ || any_dim(a) || any_dim(b);
      return {false, false};
    }
    return {a[trans_a ? 1 : 0], b[trans_b ? 0 : 1]};
  }

  const Program& program_;
  TypedPtr limit_;
  std::map<int, Dims> of_;  // by value
  bool seen_ = false, changed_ = false;
};

// True if the limit is the same throughout one program of the grid.
bool is_of_program(const Program& program, const TypedPtr& limit) {
  Touched touched;
  touch(program, limit, touched);
  const std::vector<Axis>& axes = program.declarations->axes;
  const bool moves = std::any_of(touched.axes.begin(), touched.axes.end(),
                                 [&](int axis) { return axes[static_cast<size_t>(axis)].sequential; });
  bool of_body = false;
  walk(limit, [&](const Typed& node) {
    const auto* symbol = node.as<Symbol>();
    of_body = of_body || node.as<LocalUse>() || (symbol && symbol->kind == SymbolKind::loop);
  });
  return !moves && !of_body;
}

void drop_in(Program& program, Block& block) {
  for (Statement& statement : block) {
    for (Block* inner : blocks_of(statement)) drop_in(program, *inner);
    Read* read = statement.as<Read>();
    if (!read) continue;
    for (BoxDim& dim : read->box.dims) {
      if (!dim.limit || !is_of_program(program, dim.limit) || Trace(program, *read, dim.limit).is_seen()) continue;
      program.decisions.push_back(
          {"slice of " + program.ref(read->box.ref).name, "copied whole",
           fmt::format("what lies past its size is dropped when it is written, {}", to_string(dim.limit))});
      dim.limit = nullptr;
    }
  }
}

}  // namespace

void drop_unseen_limits(Program& program) {
  if (!program.declarations->checks.empty()) return;
  for (Role& role : program.roles) drop_in(program, role.body);
}

}  // namespace pallasgen::schedule
