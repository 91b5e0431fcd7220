#include "tile/program.h"

#include <algorithm>

#include "check/has_name.h"
#include "diagnostics/assert.h"
#include "layout/warps.h"
#include "tile/walk.h"

namespace pallasgen::tile {

namespace {

// True if the spec has the name, if it is a name in generated code, or if a value or a loop of the program has it.
bool is_taken(const Program& program, const std::string& name) {
  bool found =
      has_name(*program.declarations, name) || program.declarations->identifiers.has(name) ||
      std::any_of(program.values.begin(), program.values.end(), [&](const Value& value) { return value.name == name; });
  for (const Role& role : program.roles) {
    for_each_statement(role.body, [&](const Statement& statement) {
      const For* loop = statement.as<For>();
      found = found || (loop && loop->variable.name == name);
    });
  }
  return found;
}

}  // namespace

WorkKind work_kind(const Kernel& kernel) {
  const ScheduleSettings& schedule = kernel.schedule;
  const bool many =
      std::any_of(kernel.axes.begin(), kernel.axes.end(), [](const Axis& axis) { return !axis.sequential; });
  if (!schedule.persistent.value) return WorkKind::one_per_cta;
  return schedule.dynamic && many ? WorkKind::dynamic : WorkKind::static_persistent;
}

namespace {

int64_t round_up_to_group(int64_t warps) { return (warps + kWarpsOfGroup - 1) / kWarpsOfGroup * kWarpsOfGroup; }

// The first warp for this role, behind those of the roles before it; null: the number of warps that all roles take.
int64_t warps_before(const Program& program, const Role* role) {
  int64_t all = 0, open = 0;  // the end of all warps, and of those of small roles
  for (const Role& each : program.roles) {
    const bool small = each.warps < kWarpsOfGroup;
    const bool shares = small && open % kWarpsOfGroup > 0 && open % kWarpsOfGroup + each.warps <= kWarpsOfGroup;
    const int64_t first = shares ? open : round_up_to_group(all);
    if (&each == role) return first;
    if (small) open = first + each.warps;
    all = std::max(all, first + each.warps);
  }
  return all;
}

}  // namespace

int64_t first_warp(const Program& program, const Role& role) { return warps_before(program, &role); }

int64_t total_warps(const Program& program) {
  const int64_t warps = warps_before(program, nullptr);
  return has_several_roles(program) ? round_up_to_group(warps) : warps;
}

bool is_staged_between(const Program& program, ChannelId id) {
  const Channel& channel = program.channel(id);
  if (channel.from == channel.to) return false;
  const Role* from = role_named(program, channel.from);
  if (!from) return false;
  bool staged = false;
  for_each_statement(from->body, [&](const Statement& statement) {
    const Put* put = statement.as<Put>();
    staged = staged || (put && put->value && put->entry.channel == id);
  });
  return staged;
}

const Role* role_named(const Program& program, std::string_view name) {
  const auto found =
      std::find_if(program.roles.begin(), program.roles.end(), [&](const Role& role) { return role.name == name; });
  return found == program.roles.end() ? nullptr : &*found;
}

Duties duties_by_channels(const Program& program, const Role& role) {
  Duties duties;
  for (size_t i = 0; i < program.channels.size(); ++i) {
    const Channel& channel = program.channels[i];
    const bool staged = is_staged_between(program, {static_cast<int>(i)});
    duties.copies = duties.copies || (!staged && channel.from == role.name && channel.to != role.name);
    duties.stores = duties.stores || (staged && channel.to == role.name);
  }
  duties.computes = !duties.copies && !duties.stores;
  return duties;
}

const Value& Program::value(ValueId id) const {
  PALLASGEN_ASSERT(id.index >= 0 && static_cast<size_t>(id.index) < values.size(), declarations->span);
  return values[static_cast<size_t>(id.index)];
}

const Channel& Program::channel(ChannelId id) const {
  PALLASGEN_ASSERT(id.index >= 0 && static_cast<size_t>(id.index) < channels.size(), declarations->span);
  return channels[static_cast<size_t>(id.index)];
}

void advance(BoxDim& dim, const TypedPtr& by) {
  dim.first = index_apply(Op::add, dim.first, by);
  if (dim.limit) dim.limit = index_apply(Op::subtract, dim.limit, by);
}

std::string free_name(const Program& program, std::string name) {
  const std::string wanted = name;
  for (int number = 1; is_taken(program, name); ++number)
    name = wanted + (number == 1 ? "_" : "_" + std::to_string(number));  // C++ reserves names with two `_` in a row
  return name;
}

ValueId add_value(Program& program, Value value) {
  value.name = free_name(program, std::move(value.name));
  program.values.push_back(std::move(value));
  return {static_cast<int>(program.values.size()) - 1};
}

TypedPtr use(const Program& program, ValueId id, Span span) {
  const Value& value = program.value(id);
  return make_typed(span, value.dtype, value.shape, LocalUse{id.index, value.name});
}

}  // namespace pallasgen::tile
