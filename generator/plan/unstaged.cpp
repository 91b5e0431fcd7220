// Outputs that are not staged after all (unplanned.h).
#include <map>
#include <set>

#include "elements/uses.h"
#include "tile/walk.h"
#include "unplanned.h"

namespace pallasgen {

namespace {

// Outputs that are stored in several places, of which some make no chunks.
std::set<int> staged_in_places(const tile::Role& role) {
  std::map<int, int> puts;  // by channel
  std::map<int, int> got;   // by value: the channel
  std::set<int> refs;
  tile::for_each_statement(role.body, [&](const tile::Statement& statement) {
    if (const auto* put = statement.as<tile::Put>(); put && put->value) ++puts[put->entry.channel.index];
    if (const auto* get = statement.as<tile::Get>()) got[get->value.index] = get->entry.channel.index;
  });
  const auto visit = [&](const auto& self, const tile::Block& block) -> void {
    for (const tile::Statement& statement : block) {
      const auto* write = statement.as<tile::Write>();
      const auto entry = write ? got.find(write->value.index) : got.end();
      if (entry != got.end() && puts[entry->second] > 1) refs.insert(write->box.ref);
      if (puts_values(statement)) continue;
      for (const tile::Block* inner : tile::blocks_of(statement)) self(self, *inner);
    }
  };
  visit(visit, role.body);
  return refs;
}

}  // namespace

tile::Program check_staged(tile::Program program) {
  for (const tile::Role& role : program.roles) {
    for (const int ref : staged_in_places(role))
      program.again = program.unstaged.emplace(ref, "it is stored in several places").second || program.again;
    const Unplanned unplanned(program, role);
    tile::for_each_statement(role.body, [&](const tile::Statement& statement) {
      const std::string reason = puts_values(statement) ? unplanned.of(statement) : "";
      if (reason.empty()) return;
      tile::for_each_statement(statement.as<tile::For>()->body, [&](const tile::Statement& inner) {
        const auto* write = inner.as<tile::Write>();
        if (write) program.again = program.unstaged.emplace(write->box.ref, reason).second || program.again;
      });
    });
  }
  return program;
}

}  // namespace pallasgen
