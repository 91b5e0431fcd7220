#include "schedule/unpack_again.h"

#include <algorithm>
#include <map>

#include "check/kernel.h"
#include "conditions.h"
#include "hoisted_reductions.h"
#include "schedule/late_reads.h"
#include "tile/walk.h"

namespace pallasgen::schedule {

namespace {

using namespace tile;

constexpr int kMostOperations = 4;  // to compute an element again
constexpr int kPackedBits = 16;
constexpr int64_t kTimesSmall = 8;  // a block has so many times the elements of a value that may stay in registers, too

int64_t elements(const Value& value) {
  int64_t count = 1;
  for (int64_t size : value.shape) count *= size;
  return count;
}

// Recomputes values of one block, in order, after the blocks inside it.
class Rematerialisation {
 public:
  Rematerialisation(Program& program, const Block& whole) : program_(program) {
    for_each_statement(whole, [&](const Statement& statement) {
      if (const auto value = defined_by(statement)) ++definitions_[value->index];
      if (const auto* carry = carry_of(statement)) {
        for (ValueId value : *carry) ++definitions_[value.index];
      }
      const Assign* assign = statement.as<Assign>();
      for (int value : used_by(statement)) {
        ++uses_[value];
        if (!assign) elsewhere_.insert(value);
      }
    });
  }

  bool block(Block& statements) {
    bool changed = false;
    for (Statement& statement : statements) {
      for (Block* inner : blocks_of(statement)) changed |= block(*inner);
    }
    hoist_reductions_of_values(statements);
    here_.clear();
    for (const Statement& statement : statements) {
      if (const auto value = defined_by(statement)) here_.insert(value->index);
    }
    for (size_t i = 0; i < statements.size(); ++i) {
      Assign* assign = statements[i].as<Assign>();
      if (!assign || !assign->expr) {
        note_read(statements[i]);
        continue;
      }
      if (const size_t added = compute_again(statements, i); added > 0) {
        changed = true;
        i += added;
        assign = statements[i].as<Assign>();
      }
      note_uses(*assign);
      if (schedule::reduces(assign->expr)) ++reductions_;
      note_definition(*assign);
    }
    return changed;
  }

 private:
  // Makes reductions in a value's expression statements before it: the value is computed again from their results.
  void hoist_reductions_of_values(Block& statements) {
    for (size_t i = 0; i < statements.size(); ++i) {
      const Assign* assign = statements[i].as<Assign>();
      if (!assign || !assign->expr || !is_wide(assign->value) || uses_[assign->value.index] < 2) continue;
      if (!schedule::reduces(assign->expr) || short_circuits(assign->expr)) continue;
      for (size_t added = hoist_reductions(program_, statements, i); added > 0; --added, ++i)
        ++definitions_[defined_by(statements[i])->index];
    }
  }

  bool is_wide(ValueId id) const {
    const Value& value = program_.value(id);
    return info(value.dtype).bits > kPackedBits && elements(value) > 1;
  }
  bool is_packed(int id) const {
    const auto found = read_.find(id);
    return found != read_.end() && definitions_.at(id) == 1;
  }

  // Notes values of few bits per element that threads load themselves.
  void note_read(const Statement& statement) {
    const Read* read = statement.as<Read>();
    if (!read || read->path.kind != PathKind::direct) return;
    const Value& value = program_.value(read->value);
    if (info(value.dtype).bits <= kPackedBits && elements(value) > 1) read_.emplace(read->value.index, -1);
  }

  // Notes after how many reductions the assignment unpacks values, and first uses values that can be computed again.
  void note_uses(const Assign& assign) {
    walk(assign.expr, [&](const Typed& node) {
      const auto* used = node.as<LocalUse>();
      if (!used) return;
      if (const auto packed = read_.find(used->id); packed != read_.end()) packed->second = reductions_;
      if (const auto known = again_.find(used->id); known != again_.end() && known->second.first_use < 0)
        known->second.first_use = reductions_;
    });
  }

  // Notes a value that few operations make from packed elements and from values that take few registers, or take them
  // anyway.
  void note_definition(const Assign& assign) {
    const int id = assign.value.index;
    if (!is_wide(assign.value) || definitions_[id] != 1 || elsewhere_.count(id) > 0) return;
    const TypedPtr whole = expanded(assign.expr);
    const int64_t size = elements(program_.value(assign.value));
    int operations = 0;
    bool possible = !short_circuits(whole), packed = false;
    walk(whole, [&](const Typed& node) {
      if (const auto* used = node.as<LocalUse>()) {
        const bool here = is_packed(used->id) && elements(program_.value({used->id})) == size;
        packed = packed || here;
        const bool small = kTimesSmall * elements(program_.value({used->id})) <= size || here_.count(used->id) == 0;
        possible = possible && definitions_[used->id] <= 1 && (here || small);
      } else if (const Apply* apply = node.as<Apply>()) {
        const OpGroup group = operation(apply->op).group;
        const bool sums = apply->op == Op::add || apply->op == Op::subtract || apply->op == Op::multiply;
        operations += sums || group == OpGroup::cast ? 1 : 0;
        possible = possible && (sums || group == OpGroup::cast || group == OpGroup::shape || apply->op == Op::slice);
      } else {
        possible = possible && node.as<Constant>();
      }
    });
    if (possible && packed && operations <= kMostOperations) again_.emplace(id, Known{whole, -1});
  }

  TypedPtr expanded(const TypedPtr& expr) const {
    return rewrite(expr, [&](const TypedPtr& node) -> TypedPtr {
      const auto* used = node->as<LocalUse>();
      const auto known = used ? again_.find(used->id) : again_.end();
      return known == again_.end() ? nullptr : known->second.expr;
    });
  }

  // In the statement at `at`, replaces values used before a reduction by their expressions, and puts before it a
  // self-copy of each packed value unpacked before a reduction. Returns the number of added statements.
  size_t compute_again(Block& statements, size_t at) {
    Assign& assign = *statements[at].as<Assign>();
    bool any = false;
    const TypedPtr whole = rewrite(assign.expr, [&](const TypedPtr& node) -> TypedPtr {
      const auto* used = node->as<LocalUse>();
      const auto known = used ? again_.find(used->id) : again_.end();
      if (known == again_.end() || known->second.first_use < 0 || known->second.first_use == reductions_)
        return nullptr;
      any = true;
      return known->second.expr;
    });
    if (!any) return 0;
    assign.expr = whole;
    std::set<int> anew;
    walk(whole, [&](const Typed& node) {
      const auto* used = node.as<LocalUse>();
      const auto packed = used ? read_.find(used->id) : read_.end();
      if (packed != read_.end() && packed->second >= 0 && packed->second != reductions_) anew.insert(used->id);
    });
    Block made;
    for (int id : anew) made.push_back({statements[at].span, "", Assign{{id}, use(program_, {id}, {})}});
    const size_t added = made.size();
    while (at > 0 && is_parameter(program_, statements[at - 1])) --at;  // loaded vector by vector for the statement
    statements.insert(statements.begin() + static_cast<std::ptrdiff_t>(at), std::make_move_iterator(made.begin()),
                      std::make_move_iterator(made.end()));
    return added;
  }

  // A value as an expression of packed elements and numbers of rows; how many reductions precede its first use, or -1.
  struct Known {
    TypedPtr expr;
    int first_use;
  };

  Program& program_;
  std::map<int, int> definitions_, uses_;
  std::set<int> here_;       // values that the block defines
  std::set<int> elsewhere_;  // values that statements other than assignments use
  std::map<int, int> read_;  // packed values: how many reductions precede the last unpacking, or -1
  std::map<int, Known> again_;
  int reductions_ = 0;
};

}  // namespace

std::optional<Program> unpacked_again(const Program& program) {
  Program made = program;
  bool changed = false;
  for (Role& role : made.roles) {
    Rematerialisation again(made, role.body);
    changed |= again.block(role.body);
  }
  if (!changed) return std::nullopt;
  find_carries(made);
  return made;
}

}  // namespace pallasgen::schedule
