#include "tile/warpgroups.h"

#include <map>

#include "layout/derive.h"
#include "layout/warps.h"
#include "tile/walk.h"

namespace pallasgen::tile {

namespace {

bool has_rows_per_warpgroup(const Value& value) { return value.layout && divides_rows(*value.layout); }

// True if the warpgroups divide the rows of the operand among them as they divide the rows of the result.
bool reads_its_rows(const Program& program, const Dot& dot, int operand) {
  const Apply& product = *dot.product->as<Apply>();
  const auto *a = product.args[0]->as<LocalUse>(), *b = product.args[1]->as<LocalUse>();
  const Value& sum = program.value(dot.value);
  return a && a->id == operand && !(b && b->id == operand) && !product.attributes.trans_a &&
         product.args[0]->shape[0] == sum.shape[0] && has_rows_per_warpgroup(sum);
}

}  // namespace

std::set<int> channels_within_warpgroups(const Program& program, const Role& role) {
  std::set<int> found, others;
  std::map<int, int> got;  // channels by value
  for_each_statement(role.body, [&](const Statement& statement) {
    if (const Get* get = statement.as<Get>()) got[get->value.index] = get->entry.channel.index;
    const Put* put = statement.as<Put>();
    if (!put) return;
    const Channel& channel = program.channel(put->entry.channel);
    const bool own = channel.from == role.name && channel.to == role.name && put->value;
    const bool within = own && has_rows_per_warpgroup(program.value(put->value)) &&
                        divides_rows_by_warps(*program.value(put->value).layout);
    (within ? found : others).insert(put->entry.channel.index);
  });
  for_each_statement(role.body, [&](const Statement& statement) {
    const Dot* dot = dot_if(statement, &Product::is_fragment);
    for (int value : used_by(statement)) {
      const auto from = got.find(value);
      if (from == got.end()) continue;
      const bool within = dot && reads_its_rows(program, *dot, value);
      if (!within) others.insert(from->second);
    }
  });
  std::erase_if(found, [&](int channel) { return others.count(channel) > 0; });
  return found;
}

}  // namespace pallasgen::tile
