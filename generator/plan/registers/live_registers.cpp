#include "registers/live_registers.h"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "layout/layout.h"
#include "program/index_terms.h"
#include "proofs/reductions.h"
#include "questions/rows.h"
#include "registers/fma_blocks.h"
#include "registers/statement_words.h"
#include "registers/value_words.h"
#include "schedule/late_reads.h"
#include "targets/registers.h"
#include "tile/parts.h"

namespace pallasgen {

namespace live {

// Names single members of `tile`, because statements of role programs have the same names.
using tile::Assign, tile::Block, tile::Home, tile::Peak, tile::Program, tile::Role, tile::Statement, tile::Touched,
    tile::Value, tile::ValueId;

constexpr int64_t kWordBytes = 4;

// True if the expression reads the value both in a reduction and outside, or in several reductions: its elements stay
// until the last of them.
bool reads_around_reductions(const TypedPtr& expr, int id) {
  const auto is_use = [&](const Typed& node) {
    const auto* use = node.as<LocalUse>();
    return use && use->id == id;
  };
  std::set<const Typed*> readers;  // outermost reductions that read it; null: a read after or outside of them
  rewrite(expr, [&](const TypedPtr& node) -> TypedPtr {
    const Apply* apply = node->as<Apply>();
    if (is_use(*node)) readers.insert(nullptr);
    if (!apply || !takes_lines(*apply)) return nullptr;
    bool reads = false;
    walk(node, [&](const Typed& inner) { reads = reads || is_use(inner); });
    if (reads) readers.insert(node.get());
    if (reads && is_position(apply->op)) readers.insert(nullptr);  // the search for the place reads it again
    return node;
  });
  return readers.size() > 1;
}

// Moves the expression of a value into the only later statement of its block that reads it: each element is computed at
// its use, so the value is never in registers as a whole. Not if operands would stay in more registers than it takes.
class Inliner {
 public:
  Inliner(const Program& program, Role& role) : program_(program), role_(role) {}

  void run() {
    for_each_statement(role_.body, [&](const Statement& statement) {
      for (int value : used_by(statement)) ++uses_[value];
      if (const auto value = defined_by(statement)) ++definitions_[value->index];
    });
    put_coordinates(role_.body, arrays_of_coordinates(), {});
    block(role_.body);
  }

 private:
  void block(Block& statements) {
    for (size_t i = 0; i < statements.size();) {
      for (Block* inner : blocks_of(statements[i])) block(*inner);
      if (place(statements, i))
        statements.erase(statements.begin() + static_cast<std::ptrdiff_t>(i));
      else
        ++i;
    }
  }

  // True if each element is computed from its coordinates and numbers by sums, differences and products.
  bool is_of_coordinates(const TypedPtr& expr) const {
    bool all = true;
    walk(expr, [&](const Typed& node) {
      const auto* use = node.as<LocalUse>();
      const Apply* apply = node.as<Apply>();
      const bool sums = apply && (apply->op == Op::add || apply->op == Op::subtract || apply->op == Op::multiply);
      all = all && (!use || program_.value({use->id}).shape.empty()) &&
            (!apply || node.shape.empty() || sums || operation(apply->op).group == OpGroup::shape);
    });
    return all;
  }
  // Returns the values whose every definition is of coordinates and of numbers that are defined once, and that
  // statements only use element by element.
  std::set<int> arrays_of_coordinates() {
    std::set<int> found, others;
    for_each_statement(role_.body, [&](const Statement& statement) {
      const Assign* assign = statement.as<Assign>();
      const bool computes = assign && assign->expr && !assign->expr->as<LocalUse>();  // not a conversion
      const std::set<int> used = used_by(statement);
      if (!computes) others.insert(used.begin(), used.end());
      if (const std::vector<ValueId>* carry = carry_of(statement)) {
        for (ValueId value : *carry) others.insert(value.index);
      }
      const std::optional<ValueId> value = defined_by(statement);
      if (!value) return;
      const bool numbers_stay =
          std::all_of(used.begin(), used.end(), [&](int number) { return definitions_[number] <= 1; });
      const bool whole = program_.value(*value).shape.empty() || program_.value(*value).home == Home::shared;
      const bool of_coordinates = computes && !whole && numbers_stay && is_of_coordinates(assign->expr);
      (of_coordinates ? found : others).insert(value->index);
    });
    for (int other : others) found.erase(other);
    return found;
  }
  // Moves such values into the statements that use them, as computing their elements again costs nothing. No loop
  // carries them, so a use reads the last definition above it, in its block or an enclosing one.
  static void put_coordinates(Block& statements, const std::set<int>& values, std::map<int, TypedPtr> defined) {
    for (size_t i = 0; i < statements.size();) {
      Assign* assign = statements[i].as<Assign>();
      if (assign && assign->expr) {
        assign->expr = rewrite(assign->expr, [&](const TypedPtr& node) -> TypedPtr {
          const auto* used = node->as<LocalUse>();
          const auto known = used ? defined.find(used->id) : defined.end();
          return known == defined.end() ? nullptr : known->second;
        });
      }
      for (Block* inner : blocks_of(statements[i])) put_coordinates(*inner, values, defined);
      if (assign && values.count(assign->value.index) > 0) {
        defined[assign->value.index] = assign->expr;
        statements.erase(statements.begin() + static_cast<std::ptrdiff_t>(i));
      } else {
        ++i;
      }
    }
  }

  // Returns the registers of values of this block whose last use is the statement.
  int64_t words_freed_at(const Block& statements, size_t at) const {
    std::set<int> ending = used_by(statements[at]), made;
    for (size_t i = 0; i < statements.size(); ++i) {
      const Touched of = touched(program_, statements[i]);
      if (i < at) made.insert(of.defines.begin(), of.defines.end());
      for (int value : of.reads) {
        if (i > at) ending.erase(value);
      }
    }
    int64_t words = 0;
    for (int value : ending) words += made.count(value) > 0 ? words_of(program_, role_, {value}) : 0;
    return words;
  }

  bool place(Block& statements, size_t at) {
    const Assign* assign = statements[at].as<Assign>();
    if (!assign || !assign->expr || program_.value(assign->value).home == Home::shared) return false;
    const int id = assign->value.index;
    if (definitions_[id] != 1 || uses_[id] != 1 || !is_by_elements(assign->expr, false)) return false;
    const bool loads = loaded_by(program_, *assign) || part_loaded_by(program_, *assign);
    if (assign->expr->as<LocalUse>() || loads) return false;  // a conversion or a load
    const std::set<int> operands = used_by(statements[at]);
    for (size_t i = at + 1; i < statements.size(); ++i) {
      Assign* user = statements[i].as<Assign>();
      if (used_by(statements[i]).count(id)) {
        if (!user || !user->expr || user->expr->as<LocalUse>() || reads_around_reductions(user->expr, id)) return false;
        if (i > at + 1 && words_freed_at(statements, at) > words_of(program_, role_, {id})) return false;
        // One use is enough to find live values: chains of values that are read twice would double at each.
        bool placed = false;
        user->expr = rewrite(user->expr, [&](const TypedPtr& node) -> TypedPtr {
          const auto* used = node->as<LocalUse>();
          if (!used || used->id != id) return nullptr;
          return std::exchange(placed, true) ? zero_of(node->dtype) : assign->expr;
        });
        return true;
      }
      const Touched passed = touched(program_, statements[i]);
      for (int operand : operands) {
        if (passed.defines.count(operand)) return false;
      }
    }
    return false;
  }

  const Program& program_;
  Role& role_;
  std::map<int, int> uses_, definitions_;  // numbers of statements, by value
};

// Most registers of live values with which compilers load parameters vector by vector (observed).
constexpr int64_t kWordsOfPassing = kUsualRegisters - kMoreSpareRegisters - kAddressWords;

// Returns the registers that the result of a statement adds because its operands are still read after it.
int64_t words_added(const Program& program, const Role& role, const Block& block, size_t at) {
  const std::optional<ValueId> made = defined_by(block[at]);
  if (!made) return 0;
  std::set<int> ending = used_by(block[at]);
  for (size_t i = 0; i < block.size(); ++i) {
    if (i < at && schedule::is_parameter(program, block[i])) ending.erase(defined_by(block[i])->index);
    if (i > at) {
      for (int value : touched(program, block[i]).reads) ending.erase(value);
    }
  }
  const int64_t words = words_of(program, role, *made);
  int64_t freed = 0;
  for (int value : ending) freed += words_of(program, role, {value});
  if (2 * freed >= words) return 0;  // it takes their registers as its elements are computed
  const auto& layout = program.value(*made).layout;
  return std::max(words, layout ? registers_per_thread(*layout) : 0);  // packed once all elements are there
}

// A parameter that only the next statement, apart from further parameters, uses: its loop loads it vector by vector.
// `words`: registers of the vectors under way; `beside`: registers of the statement's result, if no operand that ends
// there frees its registers.
struct Passing {
  int64_t words, beside;
};
void find_passing(const Program& program, const Role& role, const Block& block, std::map<int, Passing>& passing) {
  constexpr int64_t kVectorsAhead = 2, kWordBits = 32;
  for (size_t i = 0; i < block.size(); ++i) {
    for (const Block* inner : tile::blocks_of(block[i])) find_passing(program, role, *inner, passing);
    if (!schedule::is_parameter(program, block[i])) continue;
    size_t next = i + 1;
    while (next < block.size() && schedule::is_parameter(program, block[next])) ++next;
    const auto& [value, box, path, of] = *block[i].as<tile::Read>();
    const auto uses = [&](const Statement& statement) {
      return touched(program, statement).reads.count(value.index) > 0;
    };
    if (std::count_if(block.begin() + static_cast<std::ptrdiff_t>(i), block.end(), uses) != 1) continue;
    if (next == block.size() || used_by(block[next]).count(value.index) == 0) continue;
    passing[value.index] = {
        (kVectorsAhead * path.vector * info(program.value(value).dtype).bits + kWordBits - 1) / kWordBits,
        next == i + 1 ? words_added(program, role, block, next) : 0};
  }
}

// Returns the bools that come from memory: compilers turn each into a condition at once, in a register of its own.
std::set<int> bools_of_blocks(const Program& program, const Block& block) {
  std::set<int> out;
  tile::for_each_statement(block, [&](const Statement& statement) {
    const auto value = defined_by(statement);
    const Assign* assign = statement.as<Assign>();
    const bool moved = assign && assign->expr && assign->expr->as<LocalUse>();
    if (value && program.value(*value).dtype == DType::boolean && (moved || statement.as<tile::Read>()))
      out.insert(value->index);
  });
  return out;
}

// Returns the registers that exact divisions of f32 elements and searches for the place of an extremum add: ptxas calls
// a routine to divide operands out of the usual range, and all live values stay in registers across the call.
int64_t routine_words(const Program& program, const Role& role) {
  constexpr int64_t kWordsOfRoutine = 6, kElements = 8;
  bool found = false;
  for_each_statement(role.body, [&](const Statement& statement) {
    const Assign* assign = statement.as<Assign>();
    if (!assign || !assign->expr) return;
    walk(assign->expr, [&](const Typed& node) {
      const Apply* apply = node.as<Apply>();
      if (!apply) return;
      const bool divides =
          apply->op == Op::divide && node.dtype == DType::f32 && !program.declarations->approximate_math;
      const Value& value = program.value(assign->value);
      const bool by_elements = node.shape == value.shape && words_of(program, role, assign->value) >= kElements;
      found = found || (divides && by_elements) || is_position(apply->op);
    });
  });
  return found ? kWordsOfRoutine : 0;
}

// `whole`: includes the registers that statements need themselves (StatementWords).
LiveRegisters registers(const Program& program, const Role& role, bool whole) {
  Role inlined = role;
  Inliner(program, inlined).run();
  std::map<int, Passing> passing;
  bool beside = false;
  find_passing(program, role, inlined.body, passing);
  const std::set<int> loaded_bools = bools_of_blocks(program, inlined.body);
  const auto words_in = [&](int value) {
    const int64_t words = words_of(program, role, {value}) * (loaded_bools.count(value) ? kWordBytes : 1);
    const auto known = passing.find(value);
    if (known == passing.end()) return words;
    return std::min(words, known->second.words) + (beside ? known->second.beside : 0);
  };
  // If more values are live, compilers load all vectors first.
  if (peak_of(inlined.body, words_in).words > kWordsOfPassing) passing.clear();
  beside = true;
  std::function<int64_t(const Statement&)> within;
  if (whole) within = StatementWords(program, role, inlined.body);
  const Peak peak = peak_of(inlined.body, words_in, within);
  LiveRegisters found{peak.words, {}};
  for (int value : peak.values) {
    if (const int64_t words = words_in(value); words > 0) found.values.emplace_back(words, ValueId{value});
  }
  std::stable_sort(found.values.begin(), found.values.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  return found;
}

}  // namespace live

LiveRegisters live_registers(const tile::Program& program, const tile::Role& role) {
  return live::registers(program, role, false);
}

int64_t address_registers(const tile::Program& program, const tile::Role& role) {
  constexpr int64_t kWordsOfVector = 2;  // the address of a vector that is stored
  int64_t most = 0;
  tile::for_each_statement(role.body, [&](const tile::Statement& statement) {
    const tile::Write* write = statement.as<tile::Write>();
    if (!write || write->path.kind != tile::PathKind::direct) return;
    const auto& layout = program.value(write->value).layout;
    // A thread's vectors that are whole rows apart share one address.
    const int64_t round = role.threads() * write->path.vector;
    const bool share = layout && layout->shape.size() > 1 && round % layout->shape.back() == 0;
    if (layout && layout->flat && !share)
      most = std::max(most, registers_per_thread(*layout) / std::max<int64_t>(1, write->path.vector));
  });
  return kAddressWords + kWordsOfVector * most;
}

int64_t registers_needed(const tile::Program& program, const tile::Role& role) {
  return live::registers(program, role, true).words + address_registers(program, role) + operand_words(role) +
         operand_words_ahead(role) + instruction_words(role) + live::routine_words(program, role);
}

}  // namespace pallasgen
