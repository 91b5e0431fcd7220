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
// Beside exact functions, and for what is stored, ptxas unpacks some elements ahead: threads that need 52 registers
// compile without spills under 64, and those that need 56 do not.
constexpr int64_t kSpareOfUnpacked = 10;

// The program with layouts; nothing where operands want other homes first.
std::optional<tile::Program> laid_out(const tile::Program& program) {
  const tile::Program homes = choose_homes(program);
  return !homes.retry.empty() ? std::nullopt : std::optional(assign_layouts(homes));
}

// Registers of a thread of the only role for values and addresses.
std::optional<int64_t> registers_of(const tile::Program& program) {
  const std::optional<tile::Program> made = laid_out(program);
  if (!made) return std::nullopt;
  return live_registers(*made, made->roles.front()).words + address_registers(*made, made->roles.front());
}

// Whether rows are stored, and not only reduced: blocks of as many elements as one that is read.
bool stores_rows(const tile::Program& program) {
  std::set<int64_t> read, written;
  tile::for_each_statement(program.roles.front().body, [&](const tile::Statement& statement) {
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

std::optional<tile::Program> with_later_reads(const tile::Program& program) {
  if (program.roles.size() > 1) return std::nullopt;
  const auto needed = [](const tile::Program& of) {
    const std::optional<tile::Program> made = laid_out(of);
    return made ? registers_needed(*made, made->roles.front()) : 0;
  };
  const int64_t before = needed(program);
  if (before <= kRegistersOfMany) return std::nullopt;
  std::optional<tile::Program> made = schedule::with_reads_behind_stores(program);
  const int64_t left = made ? needed(*made) : before;
  return left <= kRegistersOfMany || 4 * left <= 3 * before ? made : std::nullopt;
}

std::optional<tile::Program> with_less_unpacked(const tile::Program& program, std::optional<int64_t> limit) {
  if (program.roles.size() > 1) return std::nullopt;
  const std::optional<int64_t> needed = registers_of(program);
  if (!needed || *needed <= kRegistersOfMany) return std::nullopt;
  std::optional<tile::Program> made = schedule::unpacked_again(program);
  const std::optional<int64_t> left = made ? registers_of(*made) : std::nullopt;
  const bool packs_all = program.declarations->approximate_math && !stores_rows(program);
  const int64_t spare = limit || packs_all ? kSpareRegisters : kSpareOfUnpacked;
  if (!left || *left > limit.value_or(kUsualRegisters) - spare) return std::nullopt;
  made->decisions.push_back({"packed elements", "unpacked again behind reductions",
                             fmt::format("a thread needs {} registers so, and {} to hold on to them", *left, *needed)});
  return made;
}

}  // namespace pallasgen
