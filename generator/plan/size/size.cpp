#include "size/size.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <numeric>
#include <set>

#include "homes/homes.h"
#include "homes/program_memory.h"
#include "infer/infer.h"
#include "layout/warps.h"
#include "model/cost.h"
#include "plan/rules.h"
#include "plan/words.h"
#include "program/memory.h"
#include "questions/clusters.h"
#include "questions/computed_operands.h"
#include "questions/dot_limits.h"
#include "registers/fma_blocks.h"
#include "registers/live_registers.h"
#include "schedule/chunks.h"
#include "schedule/row_parts.h"
#include "size/shortage.h"
#include "size/slots.h"
#include "size/spills.h"
#include "size/unpacking.h"
#include "targets/registers.h"
#include "tile/walk.h"
#include "tile/warpgroups.h"

namespace pallasgen {

namespace sizes {

// Not all of `tile`: the programs of plans have statements of the same names.
using tile::Channel, tile::Dot, tile::Fetch, tile::Flush, tile::For, tile::Forget, tile::Get, tile::Program, tile::Put,
    tile::Role, tile::Shortage, tile::Statement, tile::ValueId, tile::Write;

constexpr int64_t kWordsOfPart = 48;             // registers for values if blocks are computed in parts
constexpr int64_t kWordsOfComputedOperands = 7;  // for an operand kept out of registers: its address, its descriptor

class Sizes {
 public:
  Sizes(const Program& program, const Target& target, Spread spread)
      : program_(program), target_(target), spread_(spread) {}

  // `result` becomes the result with its homes and layouts, if nothing but a choice of sizes was made.
  Program run(std::optional<PlacedProgram>& result) {
    for (Role& role : program_.roles) {
      if (role.warps == 0) choose_warps(role);
    }
    share_registers();
    note_channels();
    bool held = false;
    PlacedProgram placed = sizes_that_fit(held);
    const ProgramMemory memory = memory_of(placed.program());
    if (memory.total() > target_.shared_limit) return without_memory(placed.program(), memory);
    Program made = placed.program();
    if (give_up_tensor_cores(placed, target_.shared_limit - memory.total(), made)) return made;
    if (std::optional<PlacedProgram> later = with_later_reads(placed)) placed = std::move(*later);
    std::optional<RegisterShortage> missing = held ? std::nullopt : register_shortage(placed);
    const auto limit = missing ? std::optional(missing->shortage.limit) : std::nullopt;
    if (std::optional<PlacedProgram> again = with_less_unpacked(placed, limit)) {
      placed = std::move(*again);
      missing = register_shortage(placed);
    }
    made = placed.program();
    if (!missing) {
      result = std::move(placed);
      return made;
    }
    if (spill_operand(*missing, free_bytes(), made)) return made;
    if (std::optional<Program> parts = in_row_parts(made)) return *parts;
    return without_registers(*missing, std::move(made));
  }

 private:
  // Returns a program that does not fit into shared memory with a choice to give up, or with the shortage.
  Program without_memory(Program made, const ProgramMemory& memory) const {
    if (drop_storer(memory.total(), target_.shared_limit, made)) return made;
    if (store_from_registers(stores_without_slots(), memory.total(), target_.shared_limit, made)) return made;
    if (multiply_in_loops(made, fmt::format("with its operands in shared memory {} of {} bytes are needed",
                                            grouped(memory.total()), grouped(target_.shared_limit))))
      return made;
    made.shortage = shortage_of(memory, made, target_);
    return made;
  }

  // Returns a program whose values do not fit into registers with the largest in shared memory, with a choice to give
  // up, or with the shortage. If operands already go through shared memory for instructions, their dots are not given
  // up.
  Program without_registers(const RegisterShortage& first, Program made) const {
    const bool stored = !all_given_up(made, tile::ChoiceKind::register_operand).empty();
    std::vector<std::string> moved;
    std::optional<RegisterShortage> missing = first;
    while (missing && !stored && made.retry.empty() && spill_largest(*missing, made, moved))
      missing = register_shortage(PlacedProgram(made));
    if (!made.retry.empty()) return made;
    if (missing) {
      made.shortage = std::move(missing->shortage);
      if (stored)
        made.shortage->remedy = fmt::format("{} already, and smaller blocks need less", spilled_operands_text(made));
    } else if (!moved.empty()) {
      warn_of_spills(first.shortage, moved, made);
    }
    return made;
  }

  // Slots of buffers, that is, of channels of the role's own, in its steps, where nothing hides a wait, and after them.
  struct Buffers {
    int64_t in_steps, behind;
  };
  // The properties of a channel that the spec leaves open.
  struct Open {
    bool slots = false;   // their number is not set
    bool staged = false;  // it holds values that are copied to global memory
    bool made = false;    // it holds operands that threads make for instructions
    bool within = false;  // each warpgroup's instructions only read entries of its own threads
    int64_t wanted = 0;   // slots that hide the latency of copies
    bool is_buffer() const { return staged || made; }
  };

  void decide(std::string subject, std::string choice, std::string reason) {
    program_.decisions.push_back({std::move(subject), std::move(choice), std::move(reason)});
  }

  // Channels of stores whose number of slots is not set.
  std::set<int> stores_without_slots() const {
    std::set<int> found;
    for (size_t i = 0; i < open_.size(); ++i) {
      if (open_[i].slots && open_[i].staged) found.insert(static_cast<int>(i));
    }
    return found;
  }

  void choose_warps(Role& role) {
    const std::string subject = fmt::format("warps of {}", role.name);
    if (const std::optional<WarpsChoice> chosen = warps_for_instructions(program_, role, target_)) {
      role.warps = chosen->warps;
      program_.honoured.insert("pipeline.compute_warpgroups");
      return decide(subject, std::to_string(role.warps), chosen->why);
    }
    const int64_t blocks = threads_for_products(program_, role);
    const int64_t threads = blocks > 0 ? blocks : threads_for_blocks(program_, role);
    give_threads(program_, target_, threads, spread_, role);
    if (has_several_roles(program_)) role.warps = round_up(role.warps, kWarpsOfGroup);
    decide(subject, std::to_string(role.warps),
           blocks > 0 ? "each thread multiplies a block of a product" : "each thread keeps a few accesses under way");
  }

  void note_channels() {
    open_.resize(program_.channels.size());
    for (size_t i = 0; i < open_.size(); ++i) {
      open_[i].slots = !program_.channels[i].slots;
      open_[i].wanted = slots_to_hide_latency(program_, program_.channels[i], target_);
    }
    const std::set<int> made = computed_operands(program_);
    for (int channel : made) open_[static_cast<size_t>(channel)].made = true;
    if (!made.empty()) {
      const Program laid_out = assign_layouts(choose_homes(program_));
      for (const Role& role : laid_out.roles) {
        for (int channel : tile::channels_within_warpgroups(laid_out, role))
          open_[static_cast<size_t>(channel)].within = true;
      }
    }
    for (const Role& role : program_.roles) {
      std::map<int, int> got;  // by value: its channel
      for_each_statement(role.body, [&](const Statement& statement) {
        if (const Get* get = statement.as<Get>()) got[get->value.index] = get->entry.channel.index;
        const Write* write = statement.as<Write>();
        if (write && got.count(write->value.index)) open_[static_cast<size_t>(got[write->value.index])].staged = true;
      });
    }
  }

  // Bytes of shared memory that the smallest choice leaves, without the buffers of stores that can do without.
  int64_t free_bytes() const {
    const Program least = apply(1, {1, 1}, target_.swizzles.empty() ? 0 : target_.swizzles.back());
    return target_.shared_limit - memory_of(least).total() + bytes_of_store_buffers(stores_without_slots(), least);
  }

  // The first choice that fits, else the smallest: copies ahead have priority over a second buffer for stores, and that
  // over stores in wide chunks. `held`: registers are known to be enough.
  PlacedProgram sizes_that_fit(bool& held) const {
    int64_t most = 1;
    for (const Open& open : open_) most = std::max(most, open.slots && !open.is_buffer() ? open.wanted : 1);
    Program smallest;
    // Tiles of values by elements come first, in so far as they are not computed where they are used.
    for (const bool with_tiles : {true, false}) {
      if (std::optional<PlacedProgram> found = most_slots_that_fit(most, with_tiles, smallest, held))
        return std::move(*found);
    }
    return PlacedProgram(std::move(smallest));
  }
  std::optional<PlacedProgram> most_slots_that_fit(int64_t most, bool with_tiles, Program& made, bool& held) const {
    std::optional<PlacedProgram> found = first_that_fits(most, with_tiles, true, made);
    held = found.has_value();
    if (held) return found;
    int64_t slots = 0;  // the most that fit; fewer need no more memory
    for (int64_t over = most + 1; over - slots > 1;) {
      const int64_t tried = over > most ? most : slots + (over - slots) / 2;
      (first_that_fits(tried, with_tiles, false, made) ? slots : over) = tried;
    }
    if (slots == 0) return std::nullopt;
    // If registers are not enough: with fewer slots they would not be either.
    found = first_that_fits(slots, with_tiles, true, made);
    held = found.has_value();
    return found ? std::move(found) : first_that_fits(slots, with_tiles, false, made);
  }
  // `made` becomes the last candidate.
  std::optional<PlacedProgram> first_that_fits(int64_t slots, bool with_tiles, bool registers, Program& made) const {
    for (const Buffers& buffers : {Buffers{2, 2}, {2, 1}, {1, 1}}) {
      if (buffers.in_steps != buffers.behind && !has_buffers_in_and_behind_steps()) continue;
      for (int span : target_.swizzles.empty() ? std::vector<int>{0} : target_.swizzles) {
        const PlacedProgram& placed = candidate(slots, buffers, span);
        made = placed.program();
        const int64_t room = target_.shared_limit - memory_of(made).total();
        if (room < 0) continue;
        if (with_tiles && bytes_of_tiles(placed.homes()) > room) continue;
        if (!registers || !register_shortage(placed)) return placed;
      }
    }
    return std::nullopt;
  }
  // The program with these sizes, which is made once. Sizes that do not apply to the program make no other candidate.
  const PlacedProgram& candidate(int64_t slots, const Buffers& buffers, int span) const {
    bool slots_open = false, buffers_open = false, staged = false;
    for (const Open& open : open_) {
      slots_open = slots_open || (open.slots && !open.is_buffer());
      buffers_open = buffers_open || (open.slots && open.is_buffer());
      staged = staged || open.staged;
    }
    const std::array<int64_t, 4> key = {slots_open ? slots : 1, buffers_open ? buffers.in_steps : 1,
                                        buffers_open ? buffers.behind : 1, staged ? span : 0};
    std::unique_ptr<PlacedProgram>& known = candidates_[key];
    if (!known) known = std::make_unique<PlacedProgram>(apply(slots, buffers, span));
    return *known;
  }
  // Cuts the rows of blocks into as few parts, one after the other, as leave enough registers for several CTAs.
  std::optional<Program> in_row_parts(const Program& made) const {
    const int64_t rows = schedule::rows_written(made);
    for (int64_t parts = 2; parts <= rows; parts *= 2) {
      std::optional<Program> cut = schedule::cut_rows(made, parts);
      if (!cut) continue;
      const PlacedProgram placed(*cut);
      const Program* laid_out = placed.laid_out();
      const bool large = laid_out && live_registers(*laid_out, computing_role(*laid_out)).words > kWordsOfPart;
      if (register_shortage(placed) || (parts * 2 <= rows && large)) continue;
      cut->decisions.push_back(
          {"rows in turn", fmt::format("{} of {} at a time", rows / parts, rows), "registers do not hold all of them"});
      return cut;
    }
    return std::nullopt;
  }

  // The shortage of registers of a role, by the layouts that its values will have; null if there is none.
  std::optional<RegisterShortage> register_shortage(const PlacedProgram& placed) const {
    if (!placed.laid_out()) return std::nullopt;
    const Program& laid_out = *placed.laid_out();
    for (const Role& role : laid_out.roles) {
      const LiveRegisters live = live_registers(laid_out, role);
      const int64_t addresses = address_words(laid_out, role) + operand_words(role);
      const int64_t needed = live.words + addresses, limit = registers_of(role);
      if (needed <= limit) continue;
      const std::string what = fmt::format("registers in each thread of '{}'", role.name);
      Shortage out{&kPlanRegisters, what, needed, limit, {}, "smaller blocks need less" + cluster_remedy(laid_out)};
      for (const auto& [words, value] : live.values)
        out.counted.push_back(fmt::format("{} for '{}'", words, laid_out.value(value).name));
      out.counted.push_back(
          fmt::format("{} for {}", addresses, operand_words(role) > 0 ? "addresses and operands" : "addresses"));
      return RegisterShortage{std::move(out), live.values, laid_out};
    }
    return std::nullopt;
  }
  // Registers for addresses, including those of operands that are kept out of registers.
  int64_t address_words(const Program& laid_out, const Role& role) const {
    int64_t made = 0;
    for_each_statement(role.body, [&](const Statement& statement) {
      const Put* put = statement.as<Put>();
      const Open* open = put ? &open_[static_cast<size_t>(put->entry.channel.index)] : nullptr;
      const bool counts = open && (open->within || (open->made && role.warps <= kWarpsOfGroup));
      if (counts && !all_given_up(program_, tile::ChoiceKind::register_operand).empty())
        made = kWordsOfComputedOperands;
    });
    return address_registers(laid_out, role) + made;
  }
  // Registers that a thread of the role may have.
  int64_t registers_of(const Role& role) const {
    if (role.registers > 0) return role.registers;
    return registers_at_entry(target_, total_warps(program_) * kWarp / role.ctas);
  }
  // True if the role's threads need more registers than they start with, or issue instructions, which can use all.
  bool needs_more(const Role& role, int64_t registers) const {
    bool instructions = false;
    for_each_statement(role.body, [&](const Statement& statement) {
      instructions = instructions || dot_if(statement, &tile::Product::by_instructions);
    });
    if (instructions) return true;
    const Program laid_out = assign_layouts(choose_homes(program_));
    const Role* same = role_named(laid_out, role.name);
    return live_registers(laid_out, *same).words + operand_words(*same) + kAddressWords > registers;
  }
  void share_registers() {
    const Role *producer = role_with(program_, &tile::Duties::copies), &consumer = computing_role(program_);
    if (!producer || !target_.setmaxnreg || consumer.warps % kWarpsOfGroup != 0) return;
    const RegisterSplit* split = register_split(consumer.warpgroups(), copies_blocks(*producer));
    if (!split || split->consumer == split->entry || !needs_more(consumer, split->entry)) return;
    for (Role& role : program_.roles) role.registers = role.duties.computes ? split->consumer : split->producer;
    decide("registers", fmt::format("{} {}, {} {}", producer->name, split->producer, consumer.name, split->consumer),
           fmt::format("all threads start with {}", split->entry));
  }

  // True if the channel moves on with the steps of a sequential axis.
  bool is_in_steps(size_t channel) const {
    const std::vector<std::string>& moves = program_.channels[channel].moves;
    return std::any_of(moves.begin(), moves.end(), [&](const std::string& move) {
      const std::vector<Axis>& axes = program_.declarations->axes;
      return std::any_of(axes.begin(), axes.end(),
                         [&](const Axis& axis) { return axis.sequential && axis.name == move; });
    });
  }
  bool has_buffers_in_and_behind_steps() const {
    std::set<bool> found;
    for (size_t i = 0; i < open_.size(); ++i) {
      if (open_[i].slots && open_[i].is_buffer()) found.insert(is_in_steps(i));
    }
    return found.size() == 2;
  }

  int64_t slots_of_buffer(size_t channel, const Buffers& buffers) const {
    // If another role stores the entry, a step passes before the next one is made.
    if (open_[channel].staged && is_between(channel)) return 1;
    if (open_[channel].staged && is_across(program_.channels[channel])) return 1;  // its entry takes several copies
    if (open_[channel].within) return 1;  // a warpgroup waits for its instructions before it makes the next
    return is_in_steps(channel) ? buffers.in_steps : buffers.behind;
  }
  bool is_between(size_t channel) const { return program_.channels[channel].from != program_.channels[channel].to; }
  // True if each warpgroup fills its own columns of the channel's entries: copies to global memory take them at once.
  bool is_across(const Channel& channel) const {
    const int64_t groups = role_named(program_, channel.from)->warpgroups();
    return groups > 1 && channel.members[0].shape.front() % (groups * target_.mma_rows) != 0;
  }

  Program apply(int64_t slots, const Buffers& buffers, int span) const {
    Program made = program_;
    for (size_t i = 0; i < open_.size(); ++i) {
      if (!open_[i].slots) continue;
      Channel& channel = made.channels[i];
      channel.slots = open_[i].is_buffer() ? slots_of_buffer(i, buffers)
                                           : std::max(std::min(slots, open_[i].wanted), 1 + channel.delay);
      made.decisions.push_back({fmt::format("slots of {}", channel.name), std::to_string(*channel.slots),
                                open_[i].staged && is_between(i) ? "it is stored while the next is made"
                                : open_[i].staged                ? "stores are under way while the next is made"
                                : open_[i].within ? "each warpgroup makes the next when its own instructions are done"
                                : open_[i].made   ? "one is made while instructions may read the other"
                                                  : fmt::format("{} hide the latency of copies", open_[i].wanted)});
    }
    return schedule::cut_stores(made, [&](const Channel& channel) {
      const Channel::Member& member = channel.members[0];
      const int64_t element = info(member.dtype).bits / 8;
      if (channel.from != channel.to || is_across(channel)) return member.shape.back();
      return span == 0 || element == 0 ? 0 : store_columns(target_, member.shape.back(), element, span);
    });
  }

  Program program_;
  const Target& target_;
  Spread spread_;
  std::vector<Open> open_;  // by channel
  mutable std::map<std::array<int64_t, 4>, std::unique_ptr<PlacedProgram>> candidates_;
};

}  // namespace sizes

std::vector<std::string> verify_sizes(const tile::Program& program) {
  std::vector<std::string> wrong;
  for (const tile::Role& role : program.roles) {
    if (role.warps <= 0 && !program.shortage) wrong.push_back(fmt::format("role '{}' has no warps", role.name));
  }
  return wrong;
}

tile::Program choose_sizes(const tile::Program& program, const Target& target, std::optional<PlacedProgram>& placed) {
  tile::Program made = sizes::Sizes(program, target, Spread::where_needed).run(placed);
  const bool fine = !made.shortage && made.warnings.size() == program.warnings.size();
  if (fine || !has_full_cta(made)) return made;
  // CTAs with fewer threads have more registers for each.
  std::optional<PlacedProgram> placed_spread;
  tile::Program spread = sizes::Sizes(program, target, Spread::where_possible).run(placed_spread);
  if (spread.shortage || spread.warnings.size() != program.warnings.size()) return made;
  placed = std::move(placed_spread);
  return spread;
}

}  // namespace pallasgen
