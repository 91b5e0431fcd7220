#include "forward.h"

#include <map>
#include <optional>
#include <vector>

#include "tile/walk.h"

namespace pallasgen {

namespace {

using tile::Assign, tile::Block, tile::Home, tile::Program, tile::Statement, tile::ValueId, tile::Write;

class CopyForwarding {
 public:
  explicit CopyForwarding(const Program& program) : program_(program) {}

  void run(Block& body) {
    for_each_statement(body, [&](const Statement& statement) {
      if (const std::optional<ValueId> value = tile::defined_by(statement)) ++definitions_[value->index];
      for (int value : tile::used_by(statement)) ++uses_[value];
    });
    change(body);
  }

 private:
  // The value that the statement copies unchanged; none for other statements.
  std::optional<ValueId> copied_value(const Statement& statement) const {
    const auto* assign = statement.as<Assign>();
    const auto* use = assign && assign->expr ? assign->expr->as<LocalUse>() : nullptr;
    if (!use) return std::nullopt;
    const tile::Value &from = program_.value({use->id}), &to = program_.value(assign->value);
    const bool same =
        from.dtype == to.dtype && from.shape == to.shape && from.home != Home::shared && from.home == to.home;
    return same ? std::optional(ValueId{use->id}) : std::nullopt;
  }

  void change(Block& block) {
    for (size_t i = block.size(); i-- > 0;) {
      for (Block* inner : blocks_of(block[i])) change(*inner);
      const std::optional<ValueId> from = copied_value(block[i]);
      if (!from) continue;
      const ValueId to = block[i].as<Assign>()->value;
      std::vector<Statement*> writes;
      for (size_t j = i + 1; j < block.size(); ++j) {
        const auto* write = block[j].as<Write>();
        if (write && write->value == to) writes.push_back(&block[j]);
        if (touched(program_, block[j]).defines.count(from->index)) break;
      }
      if (definitions_[to.index] != 1 || writes.empty() || static_cast<int>(writes.size()) != uses_[to.index]) continue;
      for (Statement* write : writes) write->as<Write>()->value = *from;
      if (writes.front()->origin.empty()) writes.front()->origin = block[i].origin;
      block.erase(block.begin() + static_cast<std::ptrdiff_t>(i));
      uses_[from->index] += static_cast<int>(writes.size()) - 1;  // the writes' own, instead of the copy's
    }
  }

  const Program& program_;
  std::map<int, int> definitions_, uses_;  // statements by value
};

}  // namespace

void forward_copies(Program& program) {
  for (tile::Role& role : program.roles) CopyForwarding(program).run(role.body);
  find_carries(program);
}

}  // namespace pallasgen
