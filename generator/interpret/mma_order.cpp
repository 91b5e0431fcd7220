#include "mma_order.h"

#include <algorithm>

#include "tile/walk.h"
#include "unordered.h"

namespace pallasgen::interpreter {

void MmaOrder::touch(const tile::Statement& statement) const {
  const tile::Dot* instruction = dot_if(statement, &tile::Product::runs_on);
  std::set<int> touches = tile::used_by(statement);
  const auto defined = tile::defined_by(statement);
  if (defined) touches.insert(defined->index);
  const auto* start = instruction && instruction->start ? instruction->start->as<LocalUse>() : nullptr;
  if (start && start->id == instruction->value.index) {
    bool reads = false;
    walk(instruction->product, [&](const Typed& node) {
      const auto* use = node.as<LocalUse>();
      reads = reads || (use && use->id == start->id);
    });
    if (!reads) touches.erase(start->id);  // it adds to the same sum, in order
  }
  const auto meets = [&](int value, bool is_sum) {
    return is_sum ? touches.count(value) > 0 : defined && defined->index == value;
  };
  for (const Group& group : running_) {
    const bool operand =
        std::any_of(group.operands.begin(), group.operands.end(), [&](int value) { return meets(value, false); });
    if (operand || meets(group.sum, true))
      unordered(statement.span, "matrix instructions that make '{}' still run when {} is touched",
                program_.value({group.sum}).name, operand ? "an operand of theirs" : "it");
  }
  for (const auto& [value, is_sum] : done_) {
    if (meets(value, is_sum))
      unordered(statement.span, "'{}' is touched, and no wait for its matrix instructions names it",
                program_.value({value}).name);
  }
}

void MmaOrder::start(const tile::Dot& dot) {
  Group group{dot.value.index, {}, {}};
  walk(dot.product, [&](const Typed& node) {
    const auto* use = node.as<LocalUse>();
    if (use && program_.value({use->id}).home == tile::Home::registers) group.operands.insert(use->id);
  });
  running_.push_back(std::move(group));
}

std::vector<std::pair<int, int64_t>> MmaOrder::wait(const tile::WaitMma& wait) {
  std::vector<std::pair<int, int64_t>> read;
  for (; static_cast<int64_t>(running_.size()) > wait.pending; running_.pop_front()) {
    done_[running_.front().sum] = true;
    read.insert(read.end(), running_.front().shared.begin(), running_.front().shared.end());
    for (int operand : running_.front().operands) done_.emplace(operand, false);
  }
  for (tile::ValueId value : wait.values) done_.erase(value.index);
  return read;
}

bool MmaOrder::is_read(tile::ChannelId channel, int64_t entry) const {
  return std::any_of(running_.begin(), running_.end(), [&](const Group& group) {
    return std::count(group.shared.begin(), group.shared.end(), std::pair(channel.index, entry)) > 0;
  });
}

}  // namespace pallasgen::interpreter
