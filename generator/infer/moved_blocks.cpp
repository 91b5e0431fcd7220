#include "infer/moved_blocks.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "layout/layout.h"
#include "tile/walk.h"

namespace pallasgen {

namespace {

constexpr int64_t kUnitBytes = 16;  // alignment of what units copy

int64_t count(const Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<>());
}

}  // namespace

MovedBlocks::MovedBlocks(const tile::Program& program, const tile::Role& role) : program_(program) {
  tile::for_each_statement(role.body, [&](const tile::Statement& statement) {
    const auto* read = statement.as<tile::Read>();
    const auto* write = statement.as<tile::Write>();
    if (!read && !write) return;
    const tile::Path& path = read ? read->path : write->path;
    if (path.kind == tile::PathKind::direct) moved_.push_back({read ? read->value : write->value, path.vector});
  });
}

std::vector<tile::ValueId> MovedBlocks::values() const {
  std::vector<tile::ValueId> values;
  for (const Moved& moved : moved_) values.push_back(moved.value);
  std::stable_sort(values.begin(), values.end(), [&](tile::ValueId a, tile::ValueId b) {
    return count(program_.value(a).shape) > count(program_.value(b).shape);
  });
  return values;
}

int64_t MovedBlocks::widest(const Shape& shape) const {
  int64_t most = 0;
  for (const Moved& moved : moved_) {
    if (program_.value(moved.value).shape == shape) most = std::max(most, moved.vector);
  }
  return std::min(most, kMostVector);
}

bool MovedBlocks::has_parameters(const Shape& shape) const {
  bool found = false;
  for (const tile::Role& role : program_.roles) {
    tile::for_each_statement(role.body, [&](const tile::Statement& statement) {
      const auto* read = statement.as<tile::Read>();
      const auto* put = statement.as<tile::Put>();
      if ((!read && (!put || put->value)) || !tile::touched(program_, statement).axes.empty()) return;
      const Shape& own =
          read ? program_.value(read->value).shape
               : program_.channel(put->entry.channel).members[static_cast<size_t>(put->entry.member)].shape;
      found = found || (!own.empty() && own.back() == shape.back() && count(own) == shape.back());
    });
  }
  return found;
}

int64_t MovedBlocks::widest_by_any_path(const Shape& shape) const {
  int64_t most = widest(shape);
  for (const tile::Role& role : program_.roles) {
    tile::for_each_statement(role.body, [&](const tile::Statement& statement) {
      const auto* put = statement.as<tile::Put>();
      if (!put || put->value) return;
      const tile::Channel& channel = program_.channel(put->entry.channel);
      if (channel.members[static_cast<size_t>(put->entry.member)].shape != shape) return;
      const int64_t whole = std::max<int64_t>(1, kUnitBytes * 8 / info(program_.ref(put->box.ref).dtype).bits);
      most = std::max(most, tile::is_by_unit(put->path.kind) ? whole : put->path.vector);
    });
  }
  return std::min(most, kMostVector);
}

}  // namespace pallasgen
