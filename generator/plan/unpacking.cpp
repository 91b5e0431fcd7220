#include "unpacking.h"

#include <fmt/format.h>

#include "homes.h"
#include "infer/infer.h"
#include "live_registers.h"
#include "schedule/unpack_again.h"

namespace pallasgen {

namespace {

constexpr int64_t kRegistersOfMany = kUsualRegisters - kMoreSpareRegisters;
// Beside exact functions ptxas unpacks some elements ahead: threads that need 52 registers compile without spills under
// 64, and those that need 56 do not.
constexpr int64_t kSpareOfUnpacked = 10;

// Registers of a thread of the only role for values and addresses; nothing where operands want other homes first.
std::optional<int64_t> registers_of(const tile::Program& program) {
  const tile::Program homes = choose_homes(program);
  if (homes.again) return std::nullopt;
  const tile::Program laid_out = assign_layouts(homes);
  const tile::Role& role = laid_out.roles.front();
  return live_registers(laid_out, role).words + address_registers(laid_out, role);
}

}  // namespace

std::optional<tile::Program> with_less_unpacked(const tile::Program& program, std::optional<int64_t> limit) {
  if (program.roles.size() > 1) return std::nullopt;
  const std::optional<int64_t> needed = registers_of(program);
  if (!needed || *needed <= kRegistersOfMany) return std::nullopt;
  std::optional<tile::Program> made = schedule::unpacked_again(program);
  const std::optional<int64_t> left = made ? registers_of(*made) : std::nullopt;
  const int64_t spare = limit || program.declarations->approximate_math ? kSpareRegisters : kSpareOfUnpacked;
  if (!left || *left > limit.value_or(kUsualRegisters) - spare) return std::nullopt;
  made->decisions.push_back({"packed elements", "unpacked again behind reductions",
                             fmt::format("a thread needs {} registers so, and {} to hold on to them", *left, *needed)});
  return made;
}

}  // namespace pallasgen
