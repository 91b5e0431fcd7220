// Finds outputs that are not staged after all (check_staged() in lowering_limits.h).
#include <map>
#include <set>

#include "homes/lowering_limits.h"
#include "questions/uses.h"
#include "tile/walk.h"

namespace pallasgen {

namespace {

// Outputs that cannot be stored in chunks, with the reason: several stores, or one that plans have no statement for.
std::map<int, std::string> staged_whole(const tile::Role& role, const LoweringLimits& limits) {
  std::map<int, int> puts;  // by channel
  std::set<int> missing;    // channels
  std::map<int, int> got;   // by value: its channel
  std::map<int, std::string> refs;
  tile::for_each_statement(role.body, [&](const tile::Statement& statement) {
    if (const auto* put = statement.as<tile::Put>(); put && put->value) ++puts[put->entry.channel.index];
    if (const auto* get = statement.as<tile::Get>()) got[get->value.index] = get->entry.channel.index;
  });
  const auto visit = [&](const auto& self, const tile::Block& block) -> void {
    for (const tile::Statement& statement : block) {
      const auto* put = statement.as<tile::Put>();
      if (put && put->value && !limits.why_not_lowered(statement).empty()) missing.insert(put->entry.channel.index);
      const auto* write = statement.as<tile::Write>();
      const auto entry = write ? got.find(write->value.index) : got.end();
      if (entry != got.end() && puts[entry->second] > 1)
        refs.emplace(write->box.ref, "it is stored in several places");
      else if (entry != got.end() && missing.count(entry->second) > 0)
        refs.emplace(write->box.ref, "it is stored inside a loop");
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
    const LoweringLimits limits(program, role);
    for (const auto& [ref, reason] : staged_whole(role, limits))
      tile::retry_with(program, {.kind = tile::ChoiceKind::staging, .ref = ref, .why = reason});
    tile::for_each_statement(role.body, [&](const tile::Statement& statement) {
      const std::string reason = puts_values(statement) ? limits.why_not_lowered(statement) : "";
      if (reason.empty()) return;
      tile::for_each_statement(statement.as<tile::For>()->body, [&](const tile::Statement& inner) {
        const auto* write = inner.as<tile::Write>();
        if (write) tile::retry_with(program, {.kind = tile::ChoiceKind::staging, .ref = write->box.ref, .why = reason});
      });
    });
  }
  return program;
}

}  // namespace pallasgen
