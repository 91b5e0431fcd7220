#include <fmt/format.h>

#include <algorithm>

#include "plan/words.h"
#include "program/program_walk.h"
#include "questions/blocks.h"

namespace pallasgen {

namespace {

// Columns left next to the longest label: "memory" if there are roles, else "threads".
size_t columns(const Plan& plan) { return has_several_roles(plan) ? 105 : 104; }

// Breaks at spaces after `;` or `|`, else at any space.
std::vector<std::string> wrapped(const Plan& plan, std::string text) {
  const size_t most = columns(plan);
  std::vector<std::string> lines;
  while (text.size() > most) {
    size_t at = std::string::npos;
    for (size_t i = most; i > most / 2; --i) {
      if (text[i] == ' ' && (text[i - 1] == ';' || text[i - 1] == '|')) {
        at = i;
        break;
      }
    }
    if (at == std::string::npos) at = text.rfind(' ', most);
    if (at == std::string::npos) break;
    lines.push_back(text.substr(0, at));
    text = "  " + text.substr(at + 1);
  }
  lines.push_back(std::move(text));
  return lines;
}

std::string plural_name(const RolePlan& role) { return role.warps > 4 ? role.name + "s" : role.name; }

Fact roles_fact(const Plan& plan) {
  Fact fact{"roles", {}};
  size_t group_width = 0, name_width = 0;
  for (const RolePlan& role : plan.roles) {
    group_width = std::max(group_width, group_text(role).size());
    name_width = std::max(name_width, plural_name(role).size());
  }
  for (const RolePlan& role : plan.roles) {
    std::string line = fmt::format("{:<{}}  {:<{}}  ", group_text(role), group_width, plural_name(role), name_width);
    if (role.change != RegisterChange::none) line += fmt::format("{:>3} registers, ", role.registers.value);
    line += role.purpose;
    for (std::string& part : wrapped(plan, std::move(line))) fact.lines.push_back(std::move(part));
  }
  return fact;
}

// Neighbouring rings that differ only in the number of stages share a line.
std::vector<Fact> rings_facts(const Plan& plan) {
  std::vector<Fact> list;
  for (size_t i = 0; i < plan.rings.size();) {
    std::string text = ring_text(plan, plan.rings[i]);
    const size_t of = text.find(" of ");
    const std::string shared = of == std::string::npos ? "" : text.substr(of);
    std::vector<std::string> counts = {text.substr(0, of)};
    for (++i; i < plan.rings.size() && !shared.empty(); ++i) {
      const std::string next = ring_text(plan, plan.rings[i]);
      if (!next.ends_with(shared) || next.find(" of ") + shared.size() != next.size()) break;
      counts.push_back(next.substr(0, next.size() - shared.size()));
    }
    if (counts.size() > 1) {
      const size_t end = std::min(shared.find(';'), shared.size());
      text = joined(counts, ", ") + shared.substr(0, end) + " each" + shared.substr(end);
    }
    list.push_back({counts.size() > 1 ? "rings" : "ring", wrapped(plan, text)});
  }
  return list;
}

std::string threads_text(const Plan& plan) {
  const RolePlan& role = computing_role(plan);
  bool multiplies = false;  // by instructions, which warpgroups issue
  for_each_statement(role.program, [&](const program::Statement& statement) {
    multiplies = multiplies || std::holds_alternative<program::Mma>(statement.node);
  });
  if (!multiplies)
    return fmt::format("{} of a {}, {}", counted(plan.launch.threads.value, "thread"),
                       plan.launch.programs.value > 1 ? "program" : "CTA", role.purpose);
  const int64_t groups = role.groups.value;
  return fmt::format("{} of a CTA {}, {}", counted(groups, "warpgroup"),
                     groups == 1 ? "copies and multiplies" : "copy and multiply", role.purpose);
}

// The tile of a CTA, its array and size if known, and how tiles are assigned to CTAs.
Fact work_fact(const Plan& plan) {
  const Ref* largest = largest_block(*plan.kernel);
  const std::string work = work_text(plan);
  if (!largest) return {"work", wrapped(plan, work)};
  const bool whole = plan.work.tile.size() > tile_of_program(*plan.kernel).size();  // includes the dot's depth
  const std::string sizes = plan.work.tile.empty() ? "1" : tile_text(plan);
  const std::string tile = whole ? sizes : sizes + " of " + largest->name;
  return {"tile", wrapped(plan, fmt::format("{} per {}; {}", tile, worker_text(plan), work))};
}

}  // namespace

std::vector<Fact> facts(const Plan& plan) {
  std::vector<Fact> list;
  list.push_back(work_fact(plan));
  for (Fact& fact : rings_facts(plan)) list.push_back(std::move(fact));
  if (has_several_roles(plan))
    list.push_back(roles_fact(plan));
  else
    list.push_back({"threads", wrapped(plan, threads_text(plan))});
  if (!plan.shared.fields.empty()) list.push_back({"memory", wrapped(plan, memory_text(plan))});
  return list;
}

}  // namespace pallasgen
