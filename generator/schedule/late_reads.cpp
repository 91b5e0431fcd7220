#include "schedule/late_reads.h"

#include <algorithm>
#include <utility>

#include "conditions.h"
#include "hoisted_reductions.h"
#include "tile/walk.h"

namespace pallasgen::schedule {

namespace {

using namespace tile;

bool reduces(const Statement& statement) {
  bool found = false;
  for_each_expression(statement, [&](const TypedPtr& expr) { found = found || schedule::reduces(expr); });
  return found;
}

class ReadsBehindReductions {
 public:
  explicit ReadsBehindReductions(Program& program) : program_(program) {}

  void block(Block& statements) {
    for (Statement& statement : statements) {
      for (Block* inner : blocks_of(statement)) block(*inner);
    }
    for (size_t i = 0; i < statements.size();) {
      const size_t place = is_parameter(program_, statements[i]) ? place_of(statements, i) : i;
      if (place == i) {
        ++i;
        continue;
      }
      const Value& value = program_.value(statements[i].as<Read>()->value);
      program_.decisions.push_back({"reads of " + value.name, "behind the reductions that do not need it",
                                    "all programs read the same, which the caches have by then"});
      const auto at = statements.begin() + static_cast<std::ptrdiff_t>(i);
      std::rotate(at, at + 1, statements.begin() + static_cast<std::ptrdiff_t>(place) + 1);
    }
  }

 private:
  // The last index, after a reduction, to which the read at `i` may move; `i` if it passes no reduction.
  size_t place_of(Block& statements, size_t i) {
    const Touched own = touched(program_, statements[i]);
    const int value = statements[i].as<Read>()->value.index;
    bool passes = false;
    for (size_t j = i + 1; j < statements.size(); ++j) {
      const Touched next = touched(program_, statements[j]);
      if (next.reads.count(value)) {
        const size_t added = hoist_independent_reductions(statements, j, value);
        return passes || added > 0 ? j - 1 + added : i;
      }
      if (next.ordered || next.defines.count(value) || meet(next.stores, own.loads)) return i;
      passes = passes || reduces(statements[j]);
    }
    return i;
  }

  // Makes the reductions of the statement at `at` that do not need the value statements before it; returns their
  // number.
  size_t hoist_independent_reductions(Block& statements, size_t at, int value) {
    const Assign* assign = statements[at].as<Assign>();
    if (!assign || !assign->expr || short_circuits(assign->expr)) return 0;
    return hoist_reductions(program_, statements, at, [&](const TypedPtr& reduction) {
      bool apart = true;
      walk(reduction, [&](const Typed& inner) {
        const auto* use = inner.as<LocalUse>();
        apart = apart && !inner.as<RefRead>() && !(use && use->id == value);
      });
      return apart;
    });
  }

  Program& program_;
};

// Moves reads of the threads to the uses of their values, if there are stores in between.
class ReadsBehindStores {
 public:
  explicit ReadsBehindStores(const Program& program) : program_(program) {}

  // Returns the values whose reads have moved.
  std::set<int> block(Block& statements) {
    std::set<int> moved;
    for (Statement& statement : statements) {
      for (Block* inner : blocks_of(statement)) moved.merge(block(*inner));
    }
    for (size_t i = statements.size(); i-- > 0;) {
      const size_t place = place_of(statements, i);
      if (place == i) continue;
      moved.insert(statements[i].as<Read>()->value.index);
      const auto at = statements.begin() + static_cast<std::ptrdiff_t>(i);
      std::rotate(at, at + 1, statements.begin() + static_cast<std::ptrdiff_t>(place) + 1);
    }
    return moved;
  }

 private:
  size_t place_of(const Block& statements, size_t i) const {
    const Read* read = statements[i].as<Read>();
    if (!read || read->path.kind != PathKind::direct || program_.value(read->value).shape.empty()) return i;
    const Touched own = touched(program_, statements[i]);
    bool passes = false;
    for (size_t j = i + 1; j < statements.size(); ++j) {
      const Touched next = touched(program_, statements[j]);
      if (next.reads.count(read->value.index)) return passes ? j - 1 : i;
      if (next.ordered || meet(next.stores, own.loads) || meet(next.defines, own.reads) ||
          meet(next.defines, own.defines))
        return i;
      passes = passes || statements[j].as<Write>();
    }
    return i;
  }

  const Program& program_;
};

}  // namespace

bool is_parameter(const Program& program, const Statement& statement) {
  const Read* read = statement.as<Read>();
  const std::vector<Axis>& axes = program.declarations->axes;
  if (std::all_of(axes.begin(), axes.end(), [](const Axis& axis) { return axis.sequential; })) return false;
  if (!read || read->path.kind != PathKind::direct || program.value(read->value).shape.empty()) return false;
  const Touched own = touched(program, statement);
  return own.axes.empty() && own.reads.empty();
}

void read_parameters_late(Program& program) {
  for (Role& role : program.roles) ReadsBehindReductions(program).block(role.body);
}

std::optional<Program> with_reads_behind_stores(const Program& program) {
  Program made = program;
  std::set<int> moved;
  for (Role& role : made.roles) moved.merge(ReadsBehindStores(program).block(role.body));
  for (int value : moved)
    made.decisions.push_back({"reads of " + program.value({value}).name, "behind the stores that do not need it",
                              "registers do not hold all blocks at once"});
  return moved.empty() ? std::nullopt : std::optional(std::move(made));
}

}  // namespace pallasgen::schedule
