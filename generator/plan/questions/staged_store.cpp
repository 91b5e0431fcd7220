#include "questions/staged_store.h"

#include <algorithm>
#include <set>

#include "expression/index_map.h"
#include "questions/delegated_stores.h"
#include "tile/walk.h"

namespace pallasgen {

namespace {

// True if the map takes columns [variable * size, + size) and all rows, if there are any.
bool takes_chunk(const IndexMap& map, const Symbol& variable) {
  const size_t last = map.dims.size() - 1;
  if (map.dims.empty() || !map.is_in_order() || !map.takes_all_but(last) || !map.dims[last].first) return false;
  const std::optional<Affine> start = affine(map.dims[last].first);
  return map.dims[last].step == 1 && map.dropped().empty() && start && start->constant == 0 &&
         start->terms.size() == 1 && start->terms[0].symbol.kind == variable.kind &&
         start->terms[0].symbol.id == variable.id && start->terms[0].coefficient == map.taken(last);
}

// Replaces the slices that take a chunk of columns of matrices or vectors by uses of the whole values.
TypedPtr of_wholes(const tile::Program& program, const TypedPtr& expr, const Symbol& variable,
                   std::set<int>& matrices) {
  return rewrite(expr, [&](const TypedPtr& node) -> TypedPtr {
    const std::optional<IndexMap> map = index_map(*node);
    const auto* whole = map ? node->as<Apply>()->args[0]->as<LocalUse>() : nullptr;
    if (!whole || !takes_chunk(*map, variable)) return nullptr;
    if (map->operand.size() > 1) matrices.insert(whole->id);
    const LocalUse use{whole->id, program.value({whole->id}).name};
    return of_part(*node, *map, make_typed(node->span, node->dtype, map->taken(), use));
  });
}

}  // namespace

std::optional<StagedStore> staged_store(const tile::Program& program, const tile::Statement& statement) {
  const auto* loop = statement.as<tile::For>();
  if (!loop || loop->variable.kind != SymbolKind::loop || constant_value(loop->first) != 0 ||
      constant_value(loop->step) != 1 || !constant_value(loop->last) || loop->unroll != constant_value(loop->last))
    return std::nullopt;
  const tile::Block* body = &loop->body;
  StagedStore out{loop, nullptr, {}, {}, nullptr, nullptr, {}, false};
  if (const auto* guard = body->size() == 1 ? body->front().as<tile::If>() : nullptr) {
    if (!guard->otherwise.empty() || !guard->condition->applies(Op::less)) return std::nullopt;
    out.guard = guard->condition;
    body = &guard->then;
  }
  // The reads and computations come first, then the wait for the buffer and the store to it.
  std::set<int> matrices, own;
  size_t at = 0;
  const auto take = [&](const tile::Statement& from) {
    const auto* read = from.as<tile::Read>();
    const auto* assign = from.as<tile::Assign>();
    if (read && out.parts.empty()) {
      out.reads.push_back(read);
      own.insert(read->value.index);
    } else if (assign && assign->expr && assign->expr->shape == program.value(assign->value).shape &&
               assign->expr->shape.size() == 2) {
      own.insert(assign->value.index);
      out.parts.push_back({assign, of_wholes(program, assign->expr, loop->variable, matrices), from.origin});
    } else {
      return false;
    }
    return true;
  };
  const auto ends = [](const tile::Statement& each) { return each.as<tile::WaitStores>() || each.as<tile::Put>(); };
  for (; at < body->size() && !ends((*body)[at]); ++at) {
    if (!take((*body)[at])) return std::nullopt;
  }
  const auto is_sync = [&](size_t i) {
    const auto* sync = (*body)[i].as<tile::Sync>();
    return sync && sync->of == tile::SyncOf::warpgroup;
  };
  const auto* last = body->size() == at + 1 ? body->back().as<tile::Put>() : nullptr;
  out.crossed = last && last->value && tile::is_staged_between(program, last->entry.channel);
  if (out.crossed) {
    out.put = last;
    out.write = delegated_write(program, last->entry.channel);
  } else {
    if (body->size() != at + 9 || !is_sync(at + 1) || !take((*body)[at + 2])) return std::nullopt;
    out.put = (*body)[at + 3].as<tile::Put>();
    out.write = (*body)[at + 7].as<tile::Write>();
    if (!(*body)[at + 4].as<tile::FenceProxy>() || !is_sync(at + 5) || !(*body)[at + 6].as<tile::Get>() ||
        !(*body)[at + 8].as<tile::Advance>())
      return std::nullopt;
  }
  if (!out.put || !out.write || out.parts.empty() || out.put->value != out.parts.back().assign->value ||
      out.write->path.kind != tile::PathKind::tensor)
    return std::nullopt;
  // A single chunk is the whole matrix. With more chunks, the loop would read part of a matrix that is used whole.
  for (const StagedStore::Part& part : out.parts) {
    walk(part.value, [&](const Typed& node) {
      const auto* use = node.as<LocalUse>();
      const Shape* shape = use && !own.count(use->id) ? &program.value({use->id}).shape : nullptr;
      if (shape && shape->size() > 1 && shape->back() > 1) matrices.insert(use->id);
    });
  }
  const auto is_taken = [&](int matrix) {
    const Shape& whole = program.value({matrix}).shape;
    return own.count(matrix) == 0 && whole.size() == 2 &&
           whole.back() == *constant_value(loop->last) * program.value(out.put->value).shape.back();
  };
  if (matrices.empty() || !std::all_of(matrices.begin(), matrices.end(), is_taken)) return std::nullopt;
  out.accumulators.assign(matrices.begin(), matrices.end());
  return out;
}

bool is_staged_store(const tile::Program& program, const tile::Statement& statement) {
  return staged_store(program, statement) || stored_channel(program, statement);
}

}  // namespace pallasgen
