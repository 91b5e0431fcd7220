#include "layout/convert.h"

#include <doctest/doctest.h>

#include "lane_rounds.h"
#include "layout/derive.h"
#include "oracle.h"

using namespace pallasgen;
using namespace pallasgen::layout_oracle;

namespace {

using Registers = std::vector<std::vector<int64_t>>;  // [thread][register]: which element is in it

constexpr int64_t kNothing = -1;

Registers labelled(const ValueLayout& layout) {
  Registers registers(threads(layout), std::vector<int64_t>(registers_per_thread(layout), kNothing));
  int64_t label = 0;
  for (const auto& [element, holders] : who_holds(layout)) {
    for (const auto& [addend, of_addend] : holders) {
      for (const auto& [thread, reg] : of_addend) registers[thread][reg] = label;
    }
    ++label;
  }
  return registers;
}

// How many registers of `to` do not get what the layout says.
int wrong_registers(const Registers& registers, const ValueLayout& to) {
  int wrong = 0;
  const Registers want = labelled(to);
  for (size_t thread = 0; thread < want.size(); ++thread) {
    for (size_t reg = 0; reg < want[thread].size(); ++reg)
      wrong += want[thread][reg] != kNothing && registers[thread][reg] != want[thread][reg];
  }
  return wrong;
}

// One shuffle: what a lane gives must fit a word, and what it takes must be given.
void shuffle(const LaneRound& round, const Registers& from, Registers& to, int64_t element_bytes) {
  for (size_t thread = 0; thread < to.size(); ++thread) {
    const LaneExchange& lane = round.lanes[thread % round.lanes.size()];
    CHECK(static_cast<int64_t>(std::set<int>(lane.gives.begin(), lane.gives.end()).size()) <=
          std::max<int64_t>(1, 4 / element_bytes));
    if (lane.takes < 0) continue;
    const size_t source = thread / 32 * 32 + lane.takes;
    if (round.mask != 0) REQUIRE(source == (thread ^ round.mask));
    const LaneExchange& other = round.lanes[source % round.lanes.size()];
    REQUIRE(other.gives.size() == lane.into.size());
    for (size_t i = 0; i < lane.into.size(); ++i) to[thread][lane.into[i]] = from[source][other.gives[i]];
  }
}

void travel(const MemoryTrip& trip, const ValueLayout& from, const ValueLayout& to, int64_t element_bytes,
            const Registers& before, Registers& after) {
  struct Stored {
    int64_t label;
    int thread;
  };
  std::map<int64_t, Stored> memory;
  const std::vector<Coordinates> elements = all_of(from.shape);
  for (int warp : trip.warps) {
    for (int thread = warp * 32; thread < std::min<int64_t>(warp * 32 + 32, threads(from)); ++thread) {
      if ((trip.lanes >> thread % 32 & 1) == 0) {
        CHECK(trip.store.path == SharedPath::vector);
        continue;
      }
      for (int64_t label : before[thread]) {
        if (label == kNothing) continue;
        const int64_t offset = offset_of(trip.form, from.shape, element_bytes, elements[label]);
        CHECK(offset + element_bytes <= trip.bytes);
        const auto [place, is_new] = memory.insert({offset, {label, thread}});
        CHECK((is_new || (place->second.thread == thread && place->second.label == label)));
      }
    }
  }
  const int together = trip.meeting == Meeting::warp ? 32 : trip.meeting == Meeting::warpgroup ? 128 : 1 << 20;
  for (const auto& [element, holders] : who_holds(to)) {
    const auto stored = memory.find(offset_of(trip.form, to.shape, element_bytes, element));
    REQUIRE(stored != memory.end());
    for (const auto& [thread, reg] : holders.at(0)) {
      CHECK(stored->second.thread / together == thread / together);
      after[thread][reg] = stored->second.label;
    }
  }
}

Registers run(const Conversion& conversion, const ValueLayout& from, const ValueLayout& to, int64_t element_bytes) {
  Registers before = labelled(from);
  before.resize(std::max(threads(from), threads(to)), std::vector<int64_t>(registers_per_thread(from), kNothing));
  if (conversion.path == MovePath::none) return before;
  Registers after(before.size(), std::vector<int64_t>(registers_per_thread(to), kNothing));
  for (size_t thread = 0; thread < after.size() && !conversion.own.empty(); ++thread) {
    const std::vector<int>& own = conversion.own[thread % conversion.own.size()];
    for (size_t reg = 0; reg < own.size(); ++reg) {
      if (own[reg] >= 0) after[thread][reg] = before[thread][own[reg]];
    }
  }
  for (const LaneRound& round : conversion.rounds) shuffle(round, before, after, element_bytes);
  if (conversion.path == MovePath::memory) travel(conversion.memory, from, to, element_bytes, before, after);
  return after;
}

Conversion checked(const ValueLayout& from, const ValueLayout& to, int64_t element_bytes) {
  CAPTURE(text(from));
  CAPTURE(text(to));
  CAPTURE(element_bytes);
  const Conversion conversion = convert_layout(from, to, element_bytes);
  CHECK(wrong_registers(run(conversion, from, to, element_bytes), to) == 0);
  CHECK((conversion.path == MovePath::lanes) == !conversion.rounds.empty());
  CHECK((conversion.path == MovePath::memory) == (conversion.memory.bytes > 0));
  if (from == to) CHECK(conversion.path == MovePath::none);
  if (conversion.path == MovePath::none) CHECK(conversion.price.cycles == 0);
  return conversion;
}

// The least number of rounds: what the lane that gives or takes most does, where no word has several takers.
int least_rounds(const LaneMoves& moves) {
  std::map<int, int> given, taken;
  int most = 0;
  for (const LaneRound& round : moves.rounds) {
    for (size_t thread = 0; thread < round.lanes.size(); ++thread) {
      if (!round.lanes[thread].gives.empty()) most = std::max(most, ++given[static_cast<int>(thread)]);
      if (round.lanes[thread].takes >= 0) most = std::max(most, ++taken[static_cast<int>(thread)]);
    }
  }
  return most;
}

}  // namespace

TEST_CASE("layouts drawn at random: conversions bring every element where the other layout has it") {
  std::mt19937 random(5);
  std::map<MovePath, int> paths;
  for (int i = 0; i < 120; ++i) {
    const std::vector<int64_t> shape = random_shape(random);
    const int64_t warps = random_warps(random), bytes = int64_t{1} << random() % 4;
    const ValueLayout from = random_layout_of(random, shape, warps, false);
    const ValueLayout to = random_layout_of(random, shape, warps, false);
    ++paths[checked(from, to, bytes).path];
    checked(from, from, bytes);
  }
  CHECK(paths[MovePath::memory] > 10);
  CHECK(paths[MovePath::lanes] > 10);
  CHECK(paths[MovePath::registers] > 3);
}

TEST_CASE("layouts drawn at random: lanes exchange what one warp has, in few rounds") {
  std::mt19937 random(6);
  int found = 0, most_rounds = 0, beyond = 0;
  for (int i = 0; i < 150; ++i) {
    const std::vector<int64_t> shape = random_shape(random);
    const ValueLayout from = random_layout_of(random, shape, 1, false), to = random_layout_of(random, shape, 1, false);
    const int64_t bytes = int64_t{1} << random() % 4;
    const auto moves = lane_moves(HeldElements(from), HeldElements(to), bytes);
    REQUIRE(moves.has_value());
    Conversion conversion;
    conversion.path = MovePath::lanes;
    conversion.own = moves->own;
    conversion.rounds = moves->rounds;
    CAPTURE(text(from));
    CAPTURE(text(to));
    CHECK(wrong_registers(run(conversion, from, to, bytes), to) == 0);
    const int rounds = static_cast<int>(moves->rounds.size());
    CHECK(rounds <= 2 * least_rounds(*moves));
    beyond += rounds - least_rounds(*moves);
    most_rounds += rounds;
    found += rounds > 0;
  }
  CHECK(found > 60);
  CHECK(beyond * 10 < most_rounds);
}

namespace {

std::vector<int> masks(const Conversion& conversion) {
  std::vector<int> all;
  for (const LaneRound& round : conversion.rounds) all.push_back(round.mask);
  return all;
}

}  // namespace

TEST_CASE("what lies there already takes nothing, and registers under other names neither") {
  // Two 8-column tiles of an accumulator are an operand of 16-bit elements (DESIGN: P of attention stays where it is).
  CHECK(checked(wgmma_layout(64, 64), wgmma_operand_layout(64, 64, 2), 2).path == MovePath::none);
  CHECK(checked(window_layout(wgmma_layout(64, 64), 1, 16, 16)->layout, wgmma_layout(64, 16), 4).path ==
        MovePath::none);
  CHECK(checked(uniform_layout(128), uniform_layout(1), 4).path == MovePath::none);
  // The other order of the registers of a thread, and one of several that hold the same.
  const auto registers = [](std::vector<TracedPart> parts) {
    parts.push_back({Holder::lane, 0, 1, 32});
    return layout_of_parts("registers", {32, 2, 4}, parts);
  };
  const ValueLayout by_row = registers({{Holder::reg, 1, 1, 2}, {Holder::reg, 2, 1, 4}});
  const ValueLayout by_column = registers({{Holder::reg, 2, 1, 4}, {Holder::reg, 1, 1, 2}});
  const Conversion other = checked(by_row, by_column, 4);
  CHECK(other.path == MovePath::registers);
  CHECK(other.own == std::vector<std::vector<int>>{{0, 4, 1, 5, 2, 6, 3, 7}});
  CHECK(other.price.cycles == 0);
  const ValueLayout twice =
      registers({{Holder::reg, kReplicated, 0, 2}, {Holder::reg, 1, 1, 2}, {Holder::reg, 2, 1, 4}});
  CHECK(checked(twice, by_row, 4).own == std::vector<std::vector<int>>{{0, 1, 2, 3, 4, 5, 6, 7}});
  // Each lane selects one of its registers by what it is: no shuffle, but a select.
  const ValueLayout all = layout_of_parts("all", {2}, {{Holder::reg, 0, 1, 2}, {Holder::lane, kReplicated, 0, 32}});
  const ValueLayout half = layout_of_parts("half", {2}, {{Holder::lane, kReplicated, 0, 16}, {Holder::lane, 0, 1, 2}});
  const Conversion selected = checked(all, half, 4);
  CHECK(selected.path == MovePath::registers);
  CHECK(selected.own.size() == 32);
  CHECK(selected.price.instructions == 1);
}

TEST_CASE("lanes exchange words, by masks where they can") {
  // Four bytes of a quad's columns become four neighbouring ones: FlashAttention-3 permutes an FP8 P in as many
  // shuffles.
  const Conversion bytes = checked(wgmma_layout(64, 64), wgmma_operand_layout(64, 64, 1), 1);
  CHECK(bytes.path == MovePath::lanes);
  CHECK(bytes.rounds.size() == 8);
  CHECK(bytes.rounds[0].lanes.size() == 32);
  // Neighbouring lanes exchange half of their registers.
  const auto pairs = [](Holder even, Holder odd) {
    return layout_of_parts("pairs", {4, 16, 2},
                           {{Holder::reg, 0, 1, 4}, {Holder::lane, 1, 1, 16}, {even, 2, 1, 2}, {odd, 0, 0, 1}});
  };
  const ValueLayout in_lanes = pairs(Holder::lane, Holder::reg);
  const ValueLayout in_registers = layout_of_parts(
      "turned", {4, 16, 2},
      {{Holder::reg, 0, 2, 2}, {Holder::reg, 2, 1, 2}, {Holder::lane, 1, 1, 16}, {Holder::lane, 0, 1, 2}});
  const Conversion turned = checked(in_lanes, in_registers, 4);
  CHECK(turned.path == MovePath::lanes);
  CHECK(masks(turned) == std::vector<int>{1, 1});
  CHECK(checked(in_lanes, in_registers, 8).price.cycles > turned.price.cycles);
  // One value for all lanes of a warp, and for those of several through a cell.
  const Conversion warp = checked(uniform_layout(1), uniform_layout(32), 4);
  CHECK(warp.rounds.size() == 1);
  CHECK(warp.rounds[0].lanes[5].takes == 0);
  CHECK(warp.own == std::vector<std::vector<int>>{{-1}});
  const Conversion group = checked(uniform_layout(1), uniform_layout(128), 4);
  CHECK(group.path == MovePath::memory);
  CHECK(group.memory.meeting == Meeting::warpgroup);
  CHECK(group.memory.bytes == 4);
  CHECK(checked(uniform_layout(32), uniform_layout(256), 8).memory.meeting == Meeting::all);
  // All 32 x 32 elements of a warp turned: lanes could in 31 rounds, memory is cheaper.
  const ValueLayout columns = layout_of_parts("columns", {32, 32}, {{Holder::reg, 0, 1, 32}, {Holder::lane, 1, 1, 32}});
  const ValueLayout rows = *transpose_layout(columns, {1, 0});
  const auto moves = lane_moves(HeldElements(columns), HeldElements(rows), 4);
  REQUIRE(moves.has_value());
  CHECK(moves->rounds.size() == 31);
  std::set<int> all_masks;
  for (const LaneRound& round : moves->rounds) all_masks.insert(round.mask);
  CHECK(all_masks.size() == 31);
  const Conversion through = checked(columns, rows, 4);
  CHECK(through.path == MovePath::memory);
  CHECK(through.memory.meeting == Meeting::warp);
}

TEST_CASE("trips through shared memory meet no bank twice where a form allows it") {
  const auto trip = [](const ValueLayout& from, const ValueLayout& to, int64_t bytes) {
    const Conversion conversion = checked(from, to, bytes);
    REQUIRE(conversion.path == MovePath::memory);
    return conversion.memory;
  };
  const ValueLayout acc = wgmma_layout(64, 64);
  const MemoryTrip f32 = trip(acc, strided_layout(128, 4, {64, 64}), 4);
  CHECK(f32.store.wavefronts == 128);
  CHECK(f32.load.wavefronts == 128);
  CHECK(f32.load.vector == 4);
  CHECK(f32.meeting == Meeting::warpgroup);
  // Accumulators of 16 bits go by stmatrix, where the target has it, and a transposed one comes by ldmatrix.trans.
  const MemoryTrip bf16 = trip(acc, strided_layout(128, 8, {64, 64}), 2);
  CHECK(bf16.store.path == SharedPath::matrix);
  CHECK(bf16.form == swizzled_form(2, 128, 1));
  CHECK(bf16.store.wavefronts == 64);
  CHECK(bf16.load.vector == 8);
  CHECK(convert_layout(acc, strided_layout(128, 8, {64, 64}), 2, false).memory.store.path == SharedPath::vector);
  CHECK(trip(acc, *transpose_layout(acc, {1, 0}), 2).load.path == SharedPath::matrix_transposed);
  // Rows without padding would meet; both ways round.
  CHECK(trip(strided_layout(128, 1, {32, 32}), *transpose_layout(strided_layout(128, 1, {32, 32}), {1, 0}), 4)
            .load.wavefronts == 32);
  // Of a quad that holds a row, one lane stores it; of two warpgroups with the same columns, one.
  const MemoryTrip row = trip(wgmma_row_layout(64), strided_layout(128, 1, {64}), 4);
  CHECK(row.lanes == 0x11111111);
  CHECK(row.warps == std::vector<int>{0, 1, 2, 3});
  const ValueLayout both = layout_of_parts(
      "both", {128}, {{Holder::warpgroup, kReplicated, 0, 2}, {Holder::warp, 0, 32, 4}, {Holder::lane, 0, 1, 32}});
  const ValueLayout apart = layout_of_parts("apart", {128},
                                            {{Holder::warpgroup, 0, 64, 2},
                                             {Holder::warp, kReplicated, 0, 2},
                                             {Holder::warp, 0, 32, 2},
                                             {Holder::lane, 0, 1, 32}});
  const MemoryTrip columns = trip(both, apart, 4);
  CHECK(columns.warps == std::vector<int>{0, 1, 2, 3});
  CHECK(columns.meeting == Meeting::all);
}
