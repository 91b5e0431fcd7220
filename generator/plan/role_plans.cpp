#include "role_plans.h"

#include <fmt/format.h>

#include "registers.h"

namespace pallasgen {

const char* purpose_of(const RolePlan& role, bool only) {
  if (only)
    return role.rings.empty() ? "every thread loads, computes and stores its part of the block"
                              : "every thread copies ahead, computes and stores its part of the block";
  if (role.first_warp > 0) return "each thread computes its part of every value";
  if (role.run_by == Hands::all) return "its threads copy";
  return role.run_by == Hands::one_warp ? "one warp issues the copies" : "one thread issues the copies";
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
