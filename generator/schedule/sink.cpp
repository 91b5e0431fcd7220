#include "sink.h"

#include <map>

#include "conditions.h"
#include "tile/walk.h"

namespace pallasgen::schedule {

namespace {

using namespace tile;

using Uses = std::map<int, int>;  // by value: how many statements use it

Uses uses_in(const Program& program, const Block& block) {
  Uses out;
  for_each_statement(block, [&](const Statement& statement) {
    Touched own = {};
    for_each_expression(statement, [&](const TypedPtr& expr) { touch(program, expr, own); });
    if (const auto* write = statement.as<Write>()) own.reads.insert(write->value.index);
    for (int value : own.reads) ++out[value];
  });
  return out;
}

// The block of the branch that has all uses of the value; null if there is none.
Block* only_user(const Program& program, Statement& statement, int value, int uses) {
  auto* branch = statement.as<If>();
  if (!branch) return nullptr;
  for (Block* block : {&branch->then, &branch->otherwise}) {
    const Uses inside = uses_in(program, *block);
    const auto found = inside.find(value);
    if (found != inside.end() && found->second == uses && !touched(program, *block).defines.count(value)) return block;
  }
  return nullptr;
}

// True if copies may bring the box ahead of the steps: a pipeline is asked for, and the place of the box does not
// depend on what the body reads.
bool may_go_ahead(const Program& program, const Read& read) {
  const PipelineSettings& pipeline = program.declarations->pipeline;
  const bool copies = pipeline.warp_specialized.value || pipeline.stages.value.value_or(0) > 0 ||
                      pipeline.stages.automatic || program.ref(read.box.ref).stages;
  bool known = copies && !is_view(program.ref(read.box.ref));
  for (const BoxDim& dim : read.box.dims) {
    walk(dim.first, [&](const Typed& node) { known = known && !node.as<LocalUse>() && !node.applies(Op::element); });
  }
  return known;
}

// True if the condition of the branch depends on what the body reads.
bool depends_on_values(const Statement& branch) {
  bool found = false;
  walk(branch.as<If>()->condition,
       [&](const Typed& node) { found = found || (node.as<LocalUse>() && node.dtype != DType::index); });
  return found;
}

// `in_steps`: the block is in a loop of steps, ahead of which copies may run. There, reads that may go ahead do not
// move into branches that values decide.
void sink(const Program& program, const Uses& all, Block& block, bool in_steps) {
  for (size_t i = block.size(); i-- > 0;) {
    const auto* read = block[i].as<Read>();
    const auto uses = read ? all.find(read->value.index) : all.end();
    if (uses == all.end()) continue;
    const Touched own = touched(program, block[i]);
    for (size_t j = i + 1; j < block.size(); ++j) {
      if (Block* user = only_user(program, block[j], read->value.index, uses->second)) {
        if (in_steps && depends_on_values(block[j]) && may_go_ahead(program, *read)) break;
        user->insert(user->begin(), std::move(block[i]));
        block.erase(block.begin() + static_cast<std::ptrdiff_t>(i));
        break;
      }
      const Touched passed = touched(program, block[j]);
      if (passed.ordered || meet(passed.stores, own.loads) || meet(passed.defines, own.reads) ||
          meet(passed.defines, own.defines))
        break;
    }
  }
  for (Statement& statement : block) {
    const auto* loop = statement.as<For>();
    const bool steps = loop ? loop->variable.kind == SymbolKind::axis : in_steps;
    for (Block* inner : blocks_of(statement)) sink(program, all, *inner, steps);
  }
}

}  // namespace

void drop_unused_reads(const Program& program, Block& block) {
  for (size_t i = block.size(); i-- > 0;) {
    for (Block* inner : blocks_of(block[i])) drop_unused_reads(program, *inner);
    const auto* read = block[i].as<Read>();
    if (!read) continue;
    const int value = read->value.index;
    for (size_t j = i + 1; j < block.size(); ++j) {
      const Touched next = touched(program, block[j]);
      if (next.reads.count(value)) break;
      const std::optional<ValueId> defined = defined_by(block[j]);
      if (!defined || defined->index != value) {
        if (next.defines.count(value)) break;
        continue;
      }
      block.erase(block.begin() + static_cast<std::ptrdiff_t>(i));
      break;
    }
  }
}

void drop_copies_to_themselves(Block& block) {
  for (Statement& statement : block) {
    for (Block* inner : blocks_of(statement)) drop_copies_to_themselves(*inner);
  }
  std::erase_if(block, [](const Statement& statement) {
    const Assign* assign = statement.as<Assign>();
    const auto* copied = assign && assign->expr ? assign->expr->as<LocalUse>() : nullptr;
    return copied && copied->id == assign->value.index;
  });
}

void drop_unused_old_values(const Program& program, Block& block) {
  const std::set<int> used = touched(program, block).reads;
  const auto drop = [&](const auto& self, Block& statements) -> void {
    for (Statement& statement : statements) {
      for (Block* inner : blocks_of(statement)) self(self, *inner);
      auto* atomic = statement.as<AtomicStmt>();
      if (atomic && used.count(atomic->old) == 0) atomic->old = -1;
    }
  };
  drop(drop, block);
}

void drop_unused_values(const Program& program, Block& block) {
  for (bool changed = true; changed;) {
    changed = false;
    const std::set<int> used = touched(program, block).reads;
    const auto drop = [&](const auto& self, Block& statements) -> void {
      for (Statement& statement : statements) {
        for (Block* inner : blocks_of(statement)) self(self, *inner);
      }
      changed = std::erase_if(statements,
                              [&](const Statement& statement) {
                                const bool computes = statement.as<Assign>() || statement.as<Read>();
                                const std::optional<ValueId> value = defined_by(statement);
                                return computes && value && used.count(value->index) == 0 &&
                                       !touched(program, statement).ordered;
                              }) > 0 ||
                changed;
    };
    drop(drop, block);
  }
}

void sink_reads(const Program& program, Block& block) { sink(program, uses_in(program, block), block, false); }

}  // namespace pallasgen::schedule
