#include "homes/operand_limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "proofs/copy_proofs.h"
#include "questions/computed_operands.h"
#include "tile/walk.h"

namespace pallasgen {

OperandLimits::OperandLimits(const tile::Program& program, const tile::Role& role, const Forms& forms)
    : program_(program), role_(role), forms_(forms), made_(computed_operands(program)) {
  for_each_statement(role.body, [&](const tile::Statement& statement) {
    const auto* get = statement.as<tile::Get>();
    if (get && program.value(get->value).home == tile::Home::shared && program.value(get->value).shape.size() == 1)
      vectors_.insert(get->value.index);
  });
}

std::string OperandLimits::why_not_lowered(const tile::Entry& entry) const {
  if (is_computed_operand(entry.channel)) return not_stored(entry);
  const tile::Channel& channel = program_.channel(entry.channel);
  if (channel.from == channel.to || is_filled_by_tensor_copies(entry) || is_filled_by_threads(entry)) return "";
  return not_copied(entry);
}

// Returns what is missing for a tensor copy of an operand.
std::string OperandLimits::not_copied(const tile::Entry& entry) const {
  const std::string& name = program_.channel(entry.channel).members[static_cast<size_t>(entry.member)].name;
  const std::vector<Ref>& refs = program_.declarations->refs;
  const bool of_spec = std::any_of(refs.begin(), refs.end(), [&](const Ref& ref) { return ref.name == name; });
  std::string why;
  for (const tile::Role& role : program_.roles) {
    for_each_statement(role.body, [&](const tile::Statement& statement) {
      const tile::Put* put = statement.as<tile::Put>();
      if (!put || put->entry.channel != entry.channel || put->entry.member != entry.member) return;
      if (put->value) {
        why = ": threads make it, and instructions take only a from registers";
        return;
      }
      const Proof proof = proved_tensor(program_.ref(put->box.ref), put->box, false, program_.declarations->facts(),
                                        *find_target(program_.target));
      if (!proof.holds) why = ": " + proof.why;
    });
  }
  return fmt::format("no tensor copy brings {}{}", of_spec ? "'" + name + "'" : "one of its operands", why);
}

namespace {

// True if the block puts something into the channel between taking a turn and passing it on.
bool is_put_in_turn(const tile::Block& block, tile::ChannelId channel) {
  bool in_turn = false;
  for (const tile::Statement& statement : block) {
    if (statement.as<tile::TakeTurn>()) in_turn = true;
    if (statement.as<tile::PassTurn>()) in_turn = false;
    const tile::Put* put = statement.as<tile::Put>();
    if (in_turn && put && put->entry.channel == channel) return true;
    for (const tile::Block* inner : tile::blocks_of(statement)) {
      if (is_put_in_turn(*inner, channel)) return true;
    }
  }
  return false;
}

}  // namespace

// Returns what is missing for the values that threads put into the entry; they must hold each element once.
std::string OperandLimits::not_stored(const tile::Entry& entry) const {
  std::string why;
  std::set<int> got;
  for_each_statement(role_.body, [&](const tile::Statement& statement) {
    const tile::Get* get = statement.as<tile::Get>();
    if (get && get->entry.channel == entry.channel) got.insert(get->value.index);
  });
  if (is_put_in_turn(role_.body, entry.channel))
    return "threads make an operand while other warpgroups wait for their turn";
  for_each_statement(role_.body, [&](const tile::Statement& statement) {
    const tile::For* loop = statement.as<tile::For>();
    const bool carries = loop && std::any_of(loop->carry.begin(), loop->carry.end(),
                                             [&](tile::ValueId value) { return got.count(value.index) > 0; });
    if (carries) why = "threads make an operand in the step before, whose slot is another";
    const tile::Put* put = statement.as<tile::Put>();
    if (!put || put->entry.channel != entry.channel) return;
    const tile::Value& value = program_.value(put->value);
    const std::optional<Form> form = forms_.of(put->value);
    if (value.home == tile::Home::shared)
      why = "instructions read blocks of what threads make";
    else if (!form || form->partial || (form->kind != FormKind::matrix && form->kind != FormKind::strided))
      why = "threads make an operand in a layout that is not stored for instructions";
  });
  return why;
}

template <class Holds>
bool OperandLimits::all_puts(tile::ChannelId channel, Holds holds) const {
  bool all = true;
  for (const tile::Role& role : program_.roles) {
    for_each_statement(role.body, [&](const tile::Statement& statement) {
      const tile::Put* put = statement.as<tile::Put>();
      if (put && put->entry.channel == channel) all = all && holds(*put);
    });
  }
  return all;
}

bool OperandLimits::is_filled_by_tensor_copies(const tile::Entry& entry) const {
  return all_puts(entry.channel, [](const tile::Put& put) { return put.path.kind == tile::PathKind::tensor; });
}

// Instructions read copies by another role's threads as these lay them out; such copies are not rounded to tf32.
bool OperandLimits::is_filled_by_threads(const tile::Entry& entry) const {
  const tile::Channel& channel = program_.channel(entry.channel);
  return all_puts(entry.channel, [&](const tile::Put& put) {
    const bool rounds = channel.members[static_cast<size_t>(put.entry.member)].dtype == DType::f32;
    return !put.value && !tile::is_by_unit(put.path.kind) && !rounds;
  });
}

}  // namespace pallasgen
