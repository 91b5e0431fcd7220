#include "questions/role_plans.h"

#include <fmt/format.h>

#include <algorithm>

#include "layout/warps.h"
#include "plan/words.h"
#include "questions/delegated_stores.h"
#include "targets/registers.h"
#include "tile/walk.h"

namespace pallasgen {

const char* purpose_of(const RolePlan& role, bool only) {
  if (only)
    return role.rings.empty() ? "all of them load, compute and store" : "all of them copy ahead, compute and store";
  if (role.duties.computes) return "each thread computes its part of every value";
  if (role.run_by == Issuer::all) return "its threads copy";
  return role.run_by == Issuer::one_warp ? "one warp issues the copies" : "one thread issues the copies";
}

namespace {

// The channels whose entries the role stores to memory.
std::vector<tile::ChannelId> stored_by(const tile::Program& program, const tile::Role& role) {
  std::vector<tile::ChannelId> found;
  for (size_t i = 0; i < program.channels.size(); ++i) {
    const tile::ChannelId channel{static_cast<int>(i)};
    if (program.channel(channel).to == role.name && tile::is_staged_between(program, channel)) found.push_back(channel);
  }
  return found;
}

}  // namespace

std::string purpose_of_storer(const tile::Program& program, const tile::Role& role) {
  std::vector<std::string> names;
  bool adds = true;
  for (const tile::ChannelId channel : stored_by(program, role)) {
    names.push_back(program.channel(channel).members.front().name);
    adds = adds && program.ref(delegated_write(program, channel)->box.ref).reduce.has_value();
  }
  return fmt::format("one thread {} {} memory", adds ? "adds" : "takes", listed(names) + " to");
}

int64_t groups_apart(const tile::Program& program, const tile::Role& role) {
  bool apart = has_several_roles(program);
  for_each_statement(role.body, [&](const tile::Statement& statement) {
    apart = apart || dot_if(statement, &tile::Product::by_warpgroups);
  });
  return apart ? std::max<int64_t>(1, role.warpgroups()) : 1;
}

bool shares_group(const tile::Program& program, const tile::Role& role) {
  const auto group = [&](const tile::Role& of) { return tile::first_warp(program, of) / kWarpsOfGroup; };
  return std::any_of(program.roles.begin(), program.roles.end(),
                     [&](const tile::Role& other) { return &other != &role && group(other) == group(role); });
}

void change_registers(const tile::Role& role, const Target& target, int64_t threads, RolePlan& planned) {
  const int64_t at_launch = registers_at_entry(target, threads);
  planned.registers = number(role.registers > 0 ? role.registers : at_launch);
  if (role.registers == 0 || role.registers == at_launch) return;
  planned.change = role.registers < at_launch ? RegisterChange::down : RegisterChange::up;
}

std::string purpose_of_dots(const MmaNumbers& dot, const std::vector<std::string>& turns) {
  return fmt::format("{} x {} of the tile each; {}", dot.rows.value, dot.columns.value,
                     turns.empty() ? "their epilogue is not overlapped" : "they take turns to issue " + listed(turns));
}

}  // namespace pallasgen
