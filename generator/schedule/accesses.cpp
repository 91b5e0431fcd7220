#include "accesses.h"

#include <algorithm>

#include "conditions.h"
#include "tile/walk.h"

namespace pallasgen::schedule {

namespace {

using namespace tile;

bool is_load(const Program& program, const Statement& statement) {
  const Read* read = statement.as<Read>();
  return read && read->path.kind == PathKind::direct && program.value(read->value).home != Home::shared;
}
bool is_store(const Program&, const Statement& statement) {
  const Write* write = statement.as<Write>();
  return write && write->path.kind == PathKind::direct;
}

// True if two statements may change places.
bool commute(const Touched& a, const Touched& b) {
  return !a.ordered && !b.ordered && !meet(a.defines, b.reads) && !meet(a.reads, b.defines) &&
         !meet(a.defines, b.defines) && !meet(a.stores, b.loads) && !meet(a.loads, b.stores) &&
         !meet(a.stores, b.stores);
}

}  // namespace

void place_accesses(const Program& program, Block& block) {
  for (size_t i = 0; i < block.size(); ++i) {
    for (Block* inner : blocks_of(block[i])) place_accesses(program, *inner);
    const auto is_access = is_load(program, block[i]) ? is_load : is_store;
    if (!is_access(program, block[i])) continue;
    const Touched own = touched(program, block[i]);
    size_t to = i;
    while (to > 0 && blocks_of(block[to - 1]).empty() && !is_access(program, block[to - 1]) &&
           commute(own, touched(program, block[to - 1])))
      --to;
    const auto at = [&](size_t place) { return block.begin() + static_cast<std::ptrdiff_t>(place); };
    std::rotate(at(to), at(i), at(i + 1));
  }
}

}  // namespace pallasgen::schedule
