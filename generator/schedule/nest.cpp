#include "nest.h"

#include <algorithm>

#include "boxes.h"
#include "tile/walk.h"

namespace pallasgen::schedule {

namespace {

using namespace tile;

TypedPtr axis(const Kernel& kernel, size_t id) {
  return make_typed({}, DType::index, {}, Symbol{SymbolKind::axis, static_cast<int>(id), kernel.axes[id].name});
}
TypedPtr condition(Op op, TypedPtr a, TypedPtr b) {
  return pallasgen::apply({}, op, DType::boolean, {}, {std::move(a), std::move(b)});
}
TypedPtr either(TypedPtr a, TypedPtr b) { return a ? condition(Op::logical_or, std::move(a), std::move(b)) : b; }

}  // namespace

Nest::Nest(const Kernel& kernel, const tile::Program& program)
    : kernel_(kernel),
      program_(program),
      parallel_(kernel.axes.size() - static_cast<size_t>(kernel.sequential_axes())),
      depth_(static_cast<size_t>(kernel.sequential_axes())) {}

TypedPtr Nest::size_of(size_t id) const {
  return make_typed({}, DType::index, {}, Symbol{SymbolKind::axis_size, static_cast<int>(id), kernel_.axes[id].name});
}

size_t Nest::depth_of(const std::set<int>& axes) const {
  size_t depth = 0;
  for (int id : axes) {
    if (static_cast<size_t>(id) >= parallel_) depth = std::max(depth, static_cast<size_t>(id) - parallel_ + 1);
  }
  return depth;
}

size_t Nest::depth_of(const Box& box) const {
  Touched out = {};
  for (const BoxDim& dim : box.dims) {
    touch(program_, dim.first, out);
    if (dim.limit) touch(program_, dim.limit, out);
  }
  return depth_of(out.axes);
}

bool Nest::sizes_are_independent() const {
  for (size_t id = parallel_; id < kernel_.axes.size(); ++id) {
    Touched size = {};
    touch(program_, kernel_.axes[id].size, size);
    if (depth_of(size.axes) > 0) return false;
  }
  return true;
}

bool Nest::may_have_no_step() const {
  for (size_t id = parallel_; id < kernel_.axes.size(); ++id) {
    if (bounds(kernel_.axes[id].size, kernel_.facts()).minimum.value_or(0) < 1) return true;
  }
  return false;
}

TypedPtr Nest::no_step() const {
  TypedPtr none;
  for (size_t id = parallel_; id < kernel_.axes.size(); ++id) {
    if (bounds(kernel_.axes[id].size, kernel_.facts()).minimum.value_or(0) < 1)
      none = either(none, condition(Op::equal, size_of(id), index_constant(0)));
  }
  return none;
}

TypedPtr Nest::moves(const Box& box, size_t depth, bool to_next) const {
  const size_t id = parallel_ + depth - 1;
  const TypedPtr variable = axis(kernel_, id);
  const TypedPtr other = index_apply(to_next ? Op::add : Op::subtract, variable, index_constant(1));
  TypedPtr differs;
  for (const BoxDim& dim : box.dims) {
    const TypedPtr first = with_moving_names_expanded(kernel_, dim.first);
    if (const std::optional<Affine> form = affine(first)) {
      for (const Affine::Term& term : form->terms) {
        if (term.symbol.kind == SymbolKind::axis && static_cast<size_t>(term.symbol.id) == id) return nullptr;
      }
    }
    if (!mentions(first, SymbolKind::axis, static_cast<int>(id))) continue;
    const TypedPtr there = substitute(first, [&](const Symbol& symbol) {
      return symbol.kind == SymbolKind::axis && static_cast<size_t>(symbol.id) == id ? other : nullptr;
    });
    differs = either(differs, condition(Op::not_equal, there, first));
  }
  if (!differs) return nullptr;
  const TypedPtr edge = to_next ? index_apply(Op::subtract, size_of(id), index_constant(1)) : index_constant(0);
  return either(condition(Op::equal, variable, edge), differs);
}

Block Nest::at_step(Block block, GuardKind kind) const {
  for (Statement& statement : block) {
    change_expressions(statement, [&](TypedPtr& expr) {
      expr = substitute(with_moving_names_expanded(kernel_, expr), [&](const Symbol& symbol) -> TypedPtr {
        const auto id = static_cast<size_t>(symbol.id);
        if (symbol.kind != SymbolKind::axis || id < parallel_) return nullptr;
        if (kind == GuardKind::first) return index_constant(0);
        TypedPtr size = with_moving_names_expanded(kernel_, size_of(id));
        size = substitute(size, [&](const Symbol& outer) {
          const bool steps = outer.kind == SymbolKind::axis && static_cast<size_t>(outer.id) >= parallel_;
          return steps ? index_constant(0) : nullptr;
        });
        return index_apply(Op::subtract, size, index_constant(1));
      });
    });
  }
  return block;
}

}  // namespace pallasgen::schedule
