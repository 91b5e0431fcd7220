#include "size/unpacking.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>

#include "homes/homes.h"
#include "infer/infer.h"
#include "registers/live_registers.h"
#include "schedule/late_reads.h"
#include "schedule/unpack_again.h"
#include "tile/walk.h"

namespace pallasgen {

namespace {

constexpr int64_t kRegistersOfMany = kUsualRegisters - kMoreSpareRegisters;
// With exact functions, and for values that are stored, ptxas unpacks some elements ahead: threads that need 52
// registers compile without spills under 64, and those that need 56 do not.
constexpr int64_t kSpareOfUnpacked = 10;

// Registers of a thread of the only role for values and addresses.
std::optional<int64_t> registers_of(const PlacedProgram& placed) {
  const tile::Program* made = placed.laid_out();
  if (!made) return std::nullopt;
  const tile::Role& role = computing_role(*made);
  return live_registers(*made, role).words + address_registers(*made, role);
}

// True if rows are stored, and not only reduced: a stored block has as many elements as one that is read.
bool stores_rows(const tile::Program& program) {
  std::set<int64_t> read, written;
  tile::for_each_statement(computing_role(program).body, [&](const tile::Statement& statement) {
    const auto elements = [&](tile::ValueId id) {
      const Shape& shape = program.value(id).shape;
      return std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<>());
    };
    if (const auto* from = statement.as<tile::Read>()) read.insert(elements(from->value));
    if (const auto* to = statement.as<tile::Write>()) written.insert(elements(to->value));
  });
  return std::any_of(written.begin(), written.end(), [&](int64_t elements) { return read.count(elements) > 0; });
}

}  // namespace

std::optional<PlacedProgram> with_later_reads(const PlacedProgram& placed) {
  if (has_several_roles(placed.program())) return std::nullopt;
  const auto needed = [](const PlacedProgram& of) {
    const tile::Program* made = of.laid_out();
    return made ? registers_needed(*made, computing_role(*made)) : 0;
  };
  const int64_t before = needed(placed);
  if (before <= kRegistersOfMany) return std::nullopt;
  std::optional<tile::Program> later = schedule::with_reads_behind_stores(placed.program());
  if (!later) return std::nullopt;
  PlacedProgram made(std::move(*later));
  const int64_t left = needed(made);
  return left <= kRegistersOfMany || 4 * left <= 3 * before ? std::optional(std::move(made)) : std::nullopt;
}

std::optional<PlacedProgram> with_less_unpacked(const PlacedProgram& placed, std::optional<int64_t> limit) {
  const tile::Program& program = placed.program();
  if (has_several_roles(program)) return std::nullopt;
  const std::optional<int64_t> needed = registers_of(placed);
  if (!needed || *needed <= kRegistersOfMany) return std::nullopt;
  std::optional<tile::Program> unpacked = schedule::unpacked_again(program);
  if (!unpacked) return std::nullopt;
  PlacedProgram made(std::move(*unpacked));
  const std::optional<int64_t> left = registers_of(made);
  const bool packs_all = program.declarations->approximate_math && !stores_rows(program);
  const int64_t spare = limit || packs_all ? kSpareRegisters : kSpareOfUnpacked;
  if (!left || *left > limit.value_or(kUsualRegisters) - spare) return std::nullopt;
  made.decide({"packed elements", "unpacked again behind reductions",
               fmt::format("a thread needs {} registers so, and {} to hold on to them", *left, *needed)});
  return made;
}

}  // namespace pallasgen
