#include "copies_in_place.h"

#include <algorithm>
#include <set>

#include "tile/walk.h"
#include "tile_body.h"

namespace pallasgen {

namespace copy_places {

// Not all of `tile`: the programs of plans have statements of the same names.
using tile::Advance, tile::Block, tile::blocks_of, tile::For, tile::for_each_statement, tile::ForTiles, tile::If,
    tile::Program, tile::Put, tile::Role, tile::Statement;

// Channels that the threads which read them fill from global memory. The others are written piece by piece where a
// store is staged, or move on by themselves where no loop moves them.
std::set<int> filled_channels(const Program& program) {
  std::set<int> out;
  for (const Role& role : program.roles) {
    for_each_statement(role.body, [&](const Statement& statement) {
      const Put* put = statement.as<Put>();
      if (!put || put->value) return;
      const tile::Channel& channel = program.channel(put->entry.channel);
      if (channel.from == channel.to) out.insert(put->entry.channel.index);
    });
  }
  return out;
}

bool moves(const std::set<int>& filled, const Statement& statement) {
  const Put* put = statement.as<Put>();
  const Advance* advance = statement.as<Advance>();
  return (put && !put->value && filled.count(put->entry.channel.index) > 0) ||
         (advance && filled.count(advance->channel.index) > 0);
}

// How many of them stand where plans have them.
int in_place(const Program& program, const std::set<int>& filled, const Block& block, bool in_loop) {
  int found = 0;
  for (const Statement& statement : block) {
    const If* branch = statement.as<If>();
    const bool copies = branch && branch->otherwise.empty() &&
                        std::all_of(branch->then.begin(), branch->then.end(),
                                    [](const Statement& inner) { return inner.as<Put>() != nullptr; });
    if (in_loop && moves(filled, statement)) ++found;
    if (in_loop && copies) {
      found += static_cast<int>(std::count_if(branch->then.begin(), branch->then.end(),
                                              [&](const Statement& inner) { return moves(filled, inner); }));
    }
    if (const ForTiles* tiles = statement.as<ForTiles>()) {
      found += in_place(program, filled, tile_body(program, *tiles), true);
      continue;
    }
    for (const Block* inner : blocks_of(statement))
      found += in_place(program, filled, *inner, statement.as<For>() != nullptr);
  }
  return found;
}

int moving(const std::set<int>& filled, const Block& block) {
  int found = 0;
  for_each_statement(block, [&](const Statement& statement) { found += moves(filled, statement) ? 1 : 0; });
  return found;
}

}  // namespace copy_places

bool copies_in_place(const tile::Program& program, const tile::Role& role) {
  using namespace copy_places;
  const std::set<int> filled = filled_channels(program);
  return moving(filled, role.body) == in_place(program, filled, role.body, false);
}

}  // namespace pallasgen
