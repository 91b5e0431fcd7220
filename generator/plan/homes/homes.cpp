#include "homes/homes.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "homes/element_operands.h"
#include "homes/lowering_limits.h"
#include "homes/materialise.h"
#include "homes/program_memory.h"
#include "infer/infer.h"
#include "plan/words.h"
#include "questions/delegated_stores.h"
#include "questions/steps_fill.h"
#include "questions/uses.h"
#include "select/dot_remedies.h"
#include "tile/parts.h"
#include "tile/walk.h"

namespace pallasgen {

namespace value_homes {

// Not all of `tile`: the programs of plans have statements of the same names.
using tile::Assign, tile::Block, tile::Dot, tile::Program, tile::Read, tile::Role, tile::Statement, tile::ValueId,
    tile::Write;

class Homes {
 public:
  explicit Homes(Program given) : given_(std::move(given)) {}

  // `laid_out` gets the program with layouts, unless homes ask for other choices.
  Program run(std::optional<Program>& laid_out) {
    // The old value of an atomic update is kept element by element.
    for (const Role& role : given_.roles) {
      tile::for_each_statement(role.body, [&](const Statement& statement) {
        const auto* atomic = statement.as<AtomicStmt>();
        if (!atomic || atomic->old < 0) return;
        for (int each : values_of_same_name(given_, atomic->old))
          by_elements_.emplace(each, "what an atomic update found");
      });
    }
    for (;;) {
      Program made = placed();
      Program with_layouts = assign_layouts(made);
      const bool found = find_not_lowered(with_layouts, made);
      if (!made.retry.empty()) {
        Program out = given_;
        out.retry = std::move(made.retry);
        return out;
      }
      if (!found) {
        std::vector<tile::Decision> decisions;
        for (const auto& [value, reason] : by_elements_) {
          const tile::Value& of = made.value({value});
          decisions.push_back(is_number(of) ? tile::Decision{of.name, "in a variable of all threads", reason}
                                            : by_elements(of.name, reason));
        }
        // Those of the layouts come after them.
        with_layouts.decisions.insert(
            with_layouts.decisions.begin() + static_cast<std::ptrdiff_t>(made.decisions.size()), decisions.begin(),
            decisions.end());
        made.decisions.insert(made.decisions.end(), decisions.begin(), decisions.end());
        laid_out = std::move(with_layouts);
        return made;
      }
    }
  }

 private:
  // True if a value was found that must go by elements. `laid_out`: `made` with layouts.
  bool find_not_lowered(const Program& laid_out, Program& made) {
    bool found = false;
    of_parts_.clear();
    for (const Role& role : laid_out.roles) {
      const LoweringLimits limits(laid_out, role);
      const auto visit = [&](const auto& self, const Block& block) -> void {
        for (const Statement& statement : block) {
          if (puts_values(statement) || steps_fill(laid_out, statement) || stored_channel(laid_out, statement))
            continue;
          const std::string reason = limits.why_not_lowered(statement);
          const auto* assign = statement.as<Assign>();
          if (assign && assign->expr) note_made_of_found(*assign, made);
          if (!reason.empty()) found = mark(statement, reason, role, made) || found;
          if (is_control(statement) || gathers(statement) || goes_by_elements(laid_out, statement))
            found = mark_numbers(statement, limits, role, made) || found;

          for (const Block* inner : tile::blocks_of(statement)) self(self, *inner);
        }
      };
      visit(visit, role.body);
    }
    return found;
  }

  // Gives up the instructions, or the blocks of threads, of a dot that they cannot multiply.
  static bool mark_dot(const Dot& dot, const std::string& reason, Program& made) {
    const auto kind = dot.by->has_blocks() ? tile::ChoiceKind::blocks : tile::ChoiceKind::instructions;
    tile::Choice choice = tile::choice_of(kind, dot, reason);
    if (kind == tile::ChoiceKind::instructions) choice.works = dot_remedies(made, dot);
    return tile::retry_with(made, std::move(choice));
  }
  // The operands of a dot that go by elements, including those that threads put into channels.
  std::vector<int> operands_by_elements(const Statement& statement) const {
    std::set<int> values = tile::used_by(statement), channels;
    for (const Role& role : given_.roles) {
      tile::for_each_statement(role.body, [&](const Statement& each) {
        const auto* get = each.as<tile::Get>();
        if (get && values.count(get->value.index)) channels.insert(get->entry.channel.index);
      });
      tile::for_each_statement(role.body, [&](const Statement& each) {
        const auto* put = each.as<tile::Put>();
        if (put && put->value && channels.count(put->entry.channel.index)) values.insert(put->value.index);
      });
    }
    std::vector<int> found;
    for (int value : values) {
      if (by_elements_.count(value)) found.push_back(value);
    }
    return found;
  }

  // Marks the value that the statement defines, or takes as a whole. For a value that the layouts added, marks the
  // values that are computed from it, or the one that it copies.
  bool mark(const Statement& statement, const std::string& reason, const Role& role, Program& made) {
    if (const auto* write = statement.as<Write>()) return mark_value(write->value, statement.span, reason, role, made);
    if (statement.as<PrintStmt>()) return printed_.insert(statement.span.begin).second;
    const auto* dot = statement.as<Dot>();
    if (dot && !dot->family.empty()) {
      const std::vector<int> operands = operands_by_elements(statement);
      // Values found in this round go into tiles first, and the next round loads the operands from them.
      const auto is_placed = [&](int value) { return made.value({value}).home == tile::Home::shared; };
      if (!std::all_of(operands.begin(), operands.end(), is_placed)) return false;
      std::string of_operands;
      if (!operands.empty())
        of_operands = fmt::format(": '{}' is made element by element, by {}", made.value({operands.front()}).name,
                                  by_elements_.at(operands.front()));
      return mark_dot(*dot, reason + of_operands, made);
    }
    const Assign* assign = statement.as<Assign>();
    // The next round loads parts of a value found in this one from its tile.
    bool found = false;
    if (assign && assign->expr && waits_for_tile(*assign, made, found)) return found;
    const bool computes = assign || statement.as<Read>() || dot;
    return computes && mark_value(*tile::defined_by(statement), statement.span, reason, role, made);
  }

  // Notes values that statements added by layouts make from found values without a tile: the next round adds others.
  void note_made_of_found(const Assign& assign, const Program& made) {
    if (assign.value.index < static_cast<int>(made.values.size())) return;
    walk(assign.expr, [&](const Typed& node) {
      const auto* use = node.as<LocalUse>();
      if (use && (of_parts_.count(use->id) > 0 || is_found(use->id, made))) of_parts_.insert(assign.value.index);
    });
  }

  // True if the value goes by elements and has no tile yet.
  bool is_found(int value, const Program& made) const {
    return by_elements_.count(value) > 0 && made.value({value}).home != tile::Home::shared;
  }

  // True if the statement takes a part of a found value without a tile, or a value made from one: the next round loads
  // it. A value whose elements are moved is then made to go by elements, and `found` is set.
  bool waits_for_tile(const Assign& assign, const Program& made, bool& found) {
    bool waits = false;
    walk(assign.expr, [&](const Typed& node) {
      const auto* of_part = node.as<LocalUse>();
      waits = waits || (of_part && of_parts_.count(of_part->id) > 0);
      const Apply* slice = node.applies(Op::slice);
      const auto* use = slice ? slice->args[0]->as<LocalUse>() : nullptr;
      const bool known = use && use->id < static_cast<int>(made.values.size());  // not added by layouts
      if (!known || made.value({use->id}).home == tile::Home::shared || node.shape == slice->args[0]->shape) return;
      if (const auto map = index_map(node); !map || !tile::has_rows_apart(made, *map)) return;
      if (is_moved(use->id)) {
        for (int each : values_of_same_name(given_, use->id))
          found = by_elements_.emplace(each, "parts of it are loaded").second || found;
      }
      waits = waits || is_found(use->id, made);
    });
    if (waits) of_parts_.insert(assign.value.index);
    return waits;
  }

  // True if statements make the value from elements at other places in their operands, as a transpose does.
  bool is_moved(int value) const {
    std::set<int> moved;
    for (const Role& role : given_.roles) {
      tile::for_each_statement(role.body, [&](const Statement& statement) {
        const auto* assign = statement.as<Assign>();
        if (assign && assign->expr && assign->value.index == value) tile::find_by_elements(assign->expr, moved);
      });
    }
    return !moved.empty();
  }

  // Marks numbers that the statement needs in all threads and that only some threads hold.
  bool mark_numbers(const Statement& statement, const LoweringLimits& limits, const Role& role, Program& made) {
    bool found = false;
    for (int value : tile::used_by(statement)) {
      const bool known = value < static_cast<int>(made.values.size());
      if (known && is_number(made.value({value})) && !limits.is_held_by_all({value}))
        found = mark_value({value}, statement.span, "all threads need it", role, made) || found;
    }
    return found;
  }

  // `span`: that of the statement that defines or takes the value.
  bool mark_value(ValueId value, Span span, const std::string& reason, const Role& role, Program& made) {
    if (value.index < static_cast<int>(given_.values.size())) {
      if (const Dot* dot = instruction_of(value)) {
        if (const std::optional<ValueId> apart = split_definition(value, span))
          return by_elements_.emplace(apart->index, reason).second;
        return mark_dot(*dot, reason, made);
      }
      bool marked = false;
      for (int each : values_of_same_name(given_, value.index))
        marked = by_elements_.emplace(each, reason).second || marked;
      return marked;
    }
    if (value.index < static_cast<int>(made.values.size())) return false;  // a tile that placing added
    bool found = false, used = false;
    std::optional<ValueId> source;
    tile::for_each_statement(role.body, [&](const Statement& statement) {
      const auto defined = tile::defined_by(statement);
      const auto* assign = statement.as<Assign>();
      if (defined == value && assign && assign->expr) {
        if (const auto* use = assign->expr->as<LocalUse>()) source = ValueId{use->id};
      }
      const bool computes = assign || statement.as<Dot>();
      if (!computes || !defined || defined == value || tile::used_by(statement).count(value.index) == 0) return;
      used = true;
      found = mark_value(*defined, statement.span, reason, role, made) || found;
    });
    if (used || !source) return found;
    return mark_value(*source, span, reason, role, made);
  }

  // The dot, by instructions or by blocks of threads, that makes the value in registers; null if there is none.
  const Dot* instruction_of(ValueId value) const {
    const Dot* found = nullptr;
    for (const Role& role : given_.roles) {
      tile::for_each_statement(role.body, [&](const Statement& statement) {
        const Dot* dot = statement.as<Dot>();
        if (dot && !dot->family.empty() && dot->value == value) found = dot;
      });
    }
    return found;
  }
  // Makes the results of the statements at `span` that assign the value a value of its own, which is then copied to it,
  // in the registers of its instructions. Null if no statement there assigns it.
  std::optional<ValueId> split_definition(ValueId value, Span span) {
    std::optional<ValueId> apart;
    if (!apart_.insert({value.index, span.begin}).second) return apart;
    for (Role& role : given_.roles) split_definition_in(role.body, value, span, apart);
    if (apart) tile::find_carries(given_);
    return apart;
  }
  void split_definition_in(Block& block, ValueId value, Span span, std::optional<ValueId>& apart) {
    for (size_t i = 0; i < block.size(); ++i) {
      for (Block* inner : tile::blocks_of(block[i])) split_definition_in(*inner, value, span, apart);
      Assign* assign = block[i].as<Assign>();
      const bool there = block[i].span.source == span.source && block[i].span.begin == span.begin;
      if (!assign || !assign->expr || !there || !(assign->value == value)) continue;
      const tile::Value whole = given_.value(value);
      if (!apart) apart = tile::add_value(given_, {whole.name + "_set", whole.dtype, whole.shape});
      assign->value = *apart;
      block.insert(block.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                   {span, "", Assign{value, tile::use(given_, *apart)}});
      ++i;
    }
  }

  // The program with the homes found so far.
  Program placed() const {
    Program out = given_;
    for (const auto& [value, reason] : by_elements_) set_element_home(out, {value});
    for (Role& role : out.roles) {
      place_element_operands(out, role, printed_);
    }
    return materialise(std::move(out));
  }

  Program given_;
  std::map<int, std::string> by_elements_;  // by value: why
  std::set<std::pair<int, size_t>> apart_;  // values, and the positions of the statements whose results were set apart
  std::set<int> of_parts_;                  // values made from parts of values found in this round
  std::set<size_t> printed_;                // prints by elements, by their position in the spec
};

}  // namespace value_homes

tile::Decision by_elements(std::string value, std::string reason) {
  return {std::move(value), "in shared memory, element by element", std::move(reason), true};
}

bool give_up_tensor_cores(const PlacedProgram& placed, int64_t room, tile::Program& program) {
  const tile::Program& homes = placed.homes();
  const int64_t tiles = !homes.retry.empty() ? 0 : bytes_of_tiles(homes);
  if (tiles <= room) return false;
  const tile::Dot* found = nullptr;
  for (const tile::Role& role : homes.roles) {
    std::set<int> loaded, channels, entries;  // loaded: values from tiles, and entries made from these
    for_each_statement(role.body, [&](const tile::Statement& statement) {
      const auto* assign = statement.as<tile::Assign>();
      const auto* from = assign && assign->expr ? assign->expr->as<LocalUse>() : nullptr;
      const auto* put = statement.as<tile::Put>();
      const auto* get = statement.as<tile::Get>();
      const auto* dot = dot_if(statement, &tile::Product::reads_slots);
      if (get) entries.insert(get->value.index);
      if (from && homes.value({from->id}).home == tile::Home::shared && entries.count(from->id) == 0)
        loaded.insert(assign->value.index);
      if (put && put->value && loaded.count(put->value.index)) channels.insert(put->entry.channel.index);
      if (get && channels.count(get->entry.channel.index)) loaded.insert(get->value.index);
      if (found || !dot) return;
      const std::set<int> used = tile::used_by(statement);
      if (std::any_of(used.begin(), used.end(), [&](int value) { return loaded.count(value) > 0; })) found = dot;
    });
  }
  if (!found) return false;
  tile::Choice choice =
      tile::choice_of(tile::ChoiceKind::instructions, *found,
                      fmt::format("its operands are made element by element, in tiles that need {} bytes of shared "
                                  "memory, and {} are left beside their slots",
                                  grouped(tiles), grouped(std::max<int64_t>(0, room))));
  choice.works = dot_remedies(homes, *found);
  return tile::retry_with(program, std::move(choice));
}

tile::Program choose_homes(const tile::Program& program) { return PlacedProgram(program).homes(); }

const tile::Program& PlacedProgram::homes() const {
  if (!homes_) homes_ = value_homes::Homes(program_).run(laid_out_);
  return *homes_;
}

const tile::Program* PlacedProgram::laid_out() const {
  homes();
  return laid_out_ ? &*laid_out_ : nullptr;
}

void PlacedProgram::decide(const tile::Decision& decision) {
  // Those of homes and layouts follow the program's own.
  const auto behind = static_cast<std::ptrdiff_t>(program_.decisions.size());
  for (std::optional<tile::Program>* known : {&homes_, &laid_out_}) {
    if (*known) (*known)->decisions.insert((*known)->decisions.begin() + behind, decision);
  }
  program_.decisions.push_back(decision);
}

}  // namespace pallasgen
