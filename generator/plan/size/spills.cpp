#include "size/spills.h"

#include <fmt/format.h>

#include <functional>
#include <map>
#include <set>

#include "homes/element_operands.h"
#include "homes/homes.h"
#include "homes/program_memory.h"
#include "plan/rules.h"
#include "plan/words.h"
#include "proofs/element_site.h"
#include "questions/computed_operands.h"
#include "tile/walk.h"

namespace pallasgen {

namespace {

// The dot whose sums threads add to the value, part by part: a tile for the value would need another for the part.
const tile::Dot* dot_accumulated_into(const tile::Program& made, tile::ValueId id,
                                      const std::map<int, const tile::Dot*>& parts) {
  const tile::Dot* found = nullptr;
  for (const tile::Role& role : made.roles) {
    for_each_statement(role.body, [&](const tile::Statement& statement) {
      if (tile::defined_by(statement) != id) return;
      const std::set<int> used = tile::used_by(statement);
      for (const auto& [value, dot] : parts) found = used.count(id.index) && used.count(value) ? dot : found;
    });
  }
  return found;
}
// The dot whose instructions read the value after threads store it: element by element it would not be stored for them.
const tile::Dot* dot_that_reads(const tile::Program& made, tile::ValueId id) {
  const std::set<int> operands = computed_operands(made);
  std::set<int> channels, got;  // channels that the value is put into, and values got from these
  const tile::Dot* found = nullptr;
  const auto visit = [&](const tile::Statement& statement) {
    const auto* put = statement.as<tile::Put>();
    if (put && put->value == id && operands.count(put->entry.channel.index)) channels.insert(put->entry.channel.index);
    const auto* get = statement.as<tile::Get>();
    if (get && channels.count(get->entry.channel.index)) got.insert(get->value.index);
    const auto* dot = dot_if(statement, &tile::Product::reads_slots);
    if (!dot) return;
    for (int used : tile::used_by(statement)) found = got.count(used) ? dot : found;
  };
  for (const tile::Role& role : made.roles) for_each_statement(role.body, visit);
  return found;
}

std::string needed_text(const tile::Shortage& shortage) {
  return fmt::format("{} of {} {} are needed", grouped(shortage.needed), grouped(shortage.limit), shortage.resource);
}

std::string counted_text(const tile::Shortage& shortage) {
  return needed_text(shortage) + ": " + listed(shortage.counted);
}

// The counted values, the largest first. A value that the layouts have added, with an index of at least `count`, is
// replaced by the values that are computed from it.
std::vector<tile::ValueId> largest_values(const RegisterShortage& missing, int count) {
  std::vector<tile::ValueId> out;
  for (const auto& [words, id] : missing.values) {
    if (id.index < count) out.push_back(id);
    for (const tile::Role& role : missing.laid_out.roles) {
      for_each_statement(role.body, [&, id = id](const tile::Statement& statement) {
        const auto made = tile::defined_by(statement);
        if (id.index >= count && made && made->index < count && tile::used_by(statement).count(id.index))
          out.push_back(*made);
      });
    }
  }
  return out;
}

// The array that copies from the channel fill; -1 if there is none.
int array_filled_from(const tile::Program& program, int channel) {
  int ref = -1;
  for (const tile::Role& role : program.roles) {
    std::set<int> got;
    for_each_statement(role.body, [&](const tile::Statement& statement) {
      const auto* get = statement.as<tile::Get>();
      if (get && get->entry.channel.index == channel) got.insert(get->value.index);
      const auto* write = statement.as<tile::Write>();
      if (write && got.count(write->value.index)) ref = write->box.ref;
    });
  }
  return ref;
}

// Arrays that can be stored without buffers, by the bytes of their buffers.
using Buffers = std::multimap<int64_t, int, std::greater<>>;

Buffers buffers_of(const std::set<int>& stores, const tile::Program& made) {
  Buffers refs;
  for (int store : stores) {
    const tile::Channel& channel = made.channel({store});
    const int ref = array_filled_from(made, store);
    if (ref < 0 || made.ref(ref).reduce) continue;
    int64_t bytes = 0;
    for (const tile::Channel::Member& member : channel.members)
      bytes += channel.slots.value_or(1) * bytes_of(member.dtype, elements_of(member.shape));
    refs.emplace(bytes, ref);
  }
  return refs;
}

}  // namespace

int64_t bytes_of_store_buffers(const std::set<int>& stores, const tile::Program& made) {
  int64_t sum = 0;
  for (const auto& [bytes, ref] : buffers_of(stores, made)) sum += bytes;
  return sum;
}

bool store_from_registers(const std::set<int>& stores, int64_t total, int64_t limit, tile::Program& made) {
  const Buffers refs = buffers_of(stores, made);
  if (total - bytes_of_store_buffers(stores, made) > limit) return false;
  for (const auto& [bytes, ref] : refs) {
    if (total <= limit) break;
    tile::retry_with(made, {.kind = tile::ChoiceKind::staging,
                            .ref = ref,
                            .why = fmt::format("{} of {} bytes of shared memory are needed where it has a buffer",
                                               grouped(total), grouped(limit))});
    total -= bytes;
  }
  return true;
}

bool drop_storer(int64_t total, int64_t limit, tile::Program& made) {
  for (size_t i = 0; i < made.channels.size(); ++i) {
    const int channel = static_cast<int>(i);
    const int ref = tile::is_staged_between(made, {channel}) ? array_filled_from(made, channel) : -1;
    if (ref < 0) continue;
    tile::retry_with(made,
                     {.kind = tile::ChoiceKind::storer,
                      .ref = ref,
                      .why = fmt::format("{} of {} bytes of shared memory are needed where entries of '{}' are whole",
                                         grouped(total), grouped(limit), made.ref(ref).name)});
  }
  return !made.retry.empty();
}

bool spill_operand(const RegisterShortage& missing, int64_t room, tile::Program& made) {
  std::map<int, std::vector<const tile::Dot*>> readers;  // by operand A in registers
  for (const tile::Role& role : made.roles) {
    for_each_statement(role.body, [&](const tile::Statement& statement) {
      const tile::Dot* dot = dot_if(statement, &tile::Product::reads_registers);
      const LocalUse* a = dot ? dot->product->as<Apply>()->args[0]->as<LocalUse>() : nullptr;
      if (a && made.value({a->id}).home == tile::Home::registers) readers[a->id].push_back(dot);
    });
  }
  const int64_t wanted = missing.shortage.needed - missing.shortage.limit;
  int64_t most = 0;
  std::optional<tile::ValueId> chosen;
  for (const auto& [words, id] : missing.values) {  // the largest first
    if (readers.count(id.index) == 0) continue;
    const tile::Value& value = made.value(id);
    most += words;
    if (bytes_of(value.dtype, elements_of(value.shape)) <= room && (!chosen || words >= wanted)) chosen = id;
  }
  if (!chosen || most < wanted) return false;
  const std::string why = counted_text(missing.shortage);
  for (const tile::Dot* dot : readers[chosen->index]) {
    tile::Choice choice = tile::choice_of(tile::ChoiceKind::register_operand, *dot, why);
    choice.name = made.value(*chosen).name;
    tile::retry_with(made, std::move(choice));
  }
  return true;
}

std::string spilled_operands_text(const tile::Program& made) {
  std::set<std::string> names;
  for (const tile::Choice& operand : tile::all_given_up(made, tile::ChoiceKind::register_operand))
    names.insert("'" + operand.name + "'");
  return fmt::format("{} {} through shared memory", listed({names.begin(), names.end()}),
                     names.size() == 1 ? "goes" : "go");
}

bool spill_largest(const RegisterShortage& missing, tile::Program& made, std::vector<std::string>& moved) {
  std::set<int> of_instructions;
  std::map<int, const tile::Dot*> parts;  // by value
  for (const tile::Role& role : made.roles) {
    for_each_statement(role.body, [&](const tile::Statement& statement) {
      const tile::Dot* dot = statement.as<tile::Dot>();
      if (!dot || dot->family.empty()) return;
      of_instructions.insert(dot->value.index);
      if (dot->by->reads_tiles()) return;
      parts[dot->value.index] = dot;
      of_instructions.merge(tile::used_by(statement));
    });
  }
  for (tile::ValueId id : largest_values(missing, static_cast<int>(made.values.size()))) {
    if (of_instructions.count(id.index)) continue;
    const tile::Dot* part = dot_accumulated_into(made, id, parts);
    if (const tile::Dot* dot = part ? part : dot_that_reads(made, id)) {
      return tile::retry_with(made,
                              tile::choice_of(tile::ChoiceKind::instructions, *dot, counted_text(missing.shortage)));
    }
    if (made.value(id).home == tile::Home::shared || made.value(id).home == tile::Home::scalar) continue;
    for (int each : values_of_same_name(made, id.index)) set_element_home(made, {each});
    moved.push_back(made.value(id).name);
    return true;
  }
  // If nothing else can move, a product goes without blocks in registers.
  const tile::Dot* blocks = nullptr;
  for (const tile::Role& role : missing.laid_out.roles) {
    for_each_statement(role.body, [&](const tile::Statement& statement) {
      const tile::Dot* dot = dot_if(statement, &tile::Product::has_blocks);
      if (!dot) return;
      const bool counts = std::any_of(missing.values.begin(), missing.values.end(),
                                      [&](const auto& each) { return each.second == dot->value; });
      if (!blocks || counts) blocks = dot;
    });
  }
  if (!blocks) return false;
  return tile::retry_with(made, tile::choice_of(tile::ChoiceKind::blocks, *blocks, counted_text(missing.shortage)));
}
void warn_of_spills(const tile::Shortage& shortage, const std::vector<std::string>& moved, tile::Program& made) {
  std::vector<std::string> names;
  for (const std::string& name : moved) names.push_back("'" + name + "'");
  const std::string why = needed_text(shortage);
  for (const std::string& name : moved) made.decisions.push_back(by_elements(name, why));
  tile::Refusal warning{
      &kPlanSlowPath,
      made.declarations->span,
      fmt::format("{} {} element by element: {}", listed(names), names.size() == 1 ? "goes" : "go", why),
      {fmt::format("{}: {}", listed(shortage.counted), shortage.remedy)}};
  made.warnings.push_back(std::move(warning));
}

}  // namespace pallasgen
