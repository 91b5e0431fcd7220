#include "tidy/loop_values.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "program/program_walk.h"

namespace pallasgen {

namespace loop_values {

using namespace program;

bool mentions(const Statement& statement, int fragment) {
  bool found = false;
  for_each_fragment(statement, [&](int id) { found = found || id == fragment; });
  return found;
}

bool writes(const Statement& statement, int fragment) {
  const auto* loop = std::get_if<Elementwise>(&statement.node);
  if (!loop) return !std::holds_alternative<DeclareFragment>(statement.node) && mentions(statement, fragment);
  return std::any_of(loop->statements.begin(), loop->statements.end(),
                     [&](const ElementwiseStatement& each) { return each.target == fragment; });
}

// True if statements may move into or out of the loop. Pairs and random bits need loops of their own.
bool may_change(const Elementwise& loop) {
  return std::none_of(loop.statements.begin(), loop.statements.end(), [](const ElementwiseStatement& each) {
    return each.paired || each.value->applies(Op::random_bits);
  });
}

bool is_of_places(const ElementwiseStatement& made) {
  return std::all_of(made.bindings.begin(), made.bindings.end(), [](const Binding& binding) {
    return binding.kind == SlotKind::coordinate || binding.kind == SlotKind::scalar;
  });
}

// Where a fragment is computed and read: both in the loop at `maker`, or read in the loop at `reader` of the block.
struct Use {
  Statements* block;
  size_t maker, reader;
};

class LoopValues {
 public:
  LoopValues(Plan& plan, Statements& program) : plan_(plan), program_(program) {}

  void run() {
    std::vector<int> made;  // the values that loops compute, in program order
    for_each_statement(program_, [&](const Statement& statement) {
      const auto* loop = std::get_if<Elementwise>(&statement.node);
      for (size_t k = 0; loop && k < loop->statements.size(); ++k) {
        std::erase(made, loop->statements[k].target);
        made.push_back(loop->statements[k].target);
      }
    });
    // Readers come first, so that their operands move along with them.
    for (size_t i = made.size(); i-- > 0;) {
      const FragmentPlan& fragment = plan_.fragments[static_cast<size_t>(made[i])];
      std::vector<Use> uses;
      if (fragment.packed || fragment.operand_a || !find_uses(program_, made[i], uses)) continue;
      plan_.fragments[static_cast<size_t>(made[i])].in_loop = true;
      for (size_t u = uses.size(); u-- > 0;) keep(uses[u], made[i]);
    }
    pack_rounded(program_);
    remove_declarations(program_);
  }

 private:
  // Rounds a value where it is packed for instructions, if it is used for nothing else.
  void pack_rounded(Statements& block) {
    for (size_t i = 0; i < block.size(); ++i) {
      for (Statements* inner : bodies_of(block[i])) pack_rounded(*inner);
      auto* pack = std::get_if<PackOperand>(&block[i].node);
      if (!pack || !block[i].comment.empty()) continue;
      size_t at = i;
      while (at > 0 && std::holds_alternative<DeclareFragment>(block[at - 1].node)) --at;
      auto* loop = at > 0 ? std::get_if<Elementwise>(&block[at - 1].node) : nullptr;
      const ElementwiseStatement* rounded = loop ? &loop->statements.back() : nullptr;
      if (!rounded || rounded->target != pack->fragment || !is_rounded(*rounded) ||
          !is_packed_everywhere(pack->fragment))
        continue;
      rounded_.insert(pack->fragment);
      std::string quoted = rounded->quoted;
      for_each_declaration(program_, pack->fragment, [&](const Statement& declaration) {
        if (declaration.quotes && quoted.empty()) quoted = declaration.comment;
      });
      block[i].comment = quoted;
      block[i].quotes = !quoted.empty();
      pack->fragment =
          rounded->bindings[static_cast<size_t>(rounded->value->as<Apply>()->args[0]->as<LocalUse>()->id)].fragment;
      loop->statements.pop_back();
      if (!loop->statements.empty()) {
        loop->layout_of = loop->statements.back().target;
        continue;
      }
      block.erase(block.begin() + static_cast<ptrdiff_t>(at) - 1);
      --i;
    }
  }
  // True if it rounds the elements of an f32 fragment to 16 bits.
  bool is_rounded(const ElementwiseStatement& statement) const {
    const Apply* cast = statement.value->applies(Op::cast);
    const auto* use = cast ? cast->args[0]->as<LocalUse>() : nullptr;
    if (!use || (statement.value->dtype != DType::bf16 && statement.value->dtype != DType::f16)) return false;
    const Binding& read = statement.bindings[static_cast<size_t>(use->id)];
    if (read.kind != SlotKind::element) return false;
    const FragmentPlan &from = plan_.fragments[static_cast<size_t>(read.fragment)],
                       &to = plan_.fragments[static_cast<size_t>(statement.target)];
    return from.dtype == DType::f32 && !from.in_loop && !from.packed && from.layout_text == to.layout_text;
  }
  // True if every statement that uses the fragment computes it by rounding, or packs it.
  bool is_packed_everywhere(int fragment) const {
    size_t made = 0, packed = 0, all = 0;
    for_each_statement(program_, [&](const Statement& statement) {
      if (std::holds_alternative<DeclareFragment>(statement.node) || !mentions(statement, fragment)) return;
      const auto* pack = std::get_if<PackOperand>(&statement.node);
      const auto* loop = std::get_if<Elementwise>(&statement.node);
      ++all;
      packed += pack && pack->fragment == fragment;
      made += loop && loop->statements.back().target == fragment && is_rounded(loop->statements.back()) &&
              !reads_behind(*loop, fragment, 0) && !reads(loop->statements.front(), fragment);
    });
    return made == packed && made + packed == all;
  }

  // Returns false if the fragment is used in any other way.
  bool find_uses(Statements& block, int fragment, std::vector<Use>& uses) const {
    for (size_t i = 0; i < block.size(); ++i) {
      for (Statements* inner : bodies_of(block[i])) {
        if (!find_uses(*inner, fragment, uses)) return false;
      }
      if (std::holds_alternative<DeclareFragment>(block[i].node) || !mentions(block[i], fragment)) continue;
      const auto* maker = std::get_if<Elementwise>(&block[i].node);
      const std::optional<size_t> k = maker ? only_definition(*maker, fragment) : std::nullopt;
      if (!k || !may_change(*maker)) return false;
      if (reads_behind(*maker, fragment, *k)) {
        if (!reads_elements_only(*maker, fragment)) return false;
        uses.push_back({&block, i, i});
        continue;
      }
      size_t j = i + 1;
      while (j < block.size() &&
             (std::holds_alternative<DeclareFragment>(block[j].node) || !mentions_inside(block[j], fragment)))
        ++j;
      const auto* reader = j < block.size() ? std::get_if<Elementwise>(&block[j].node) : nullptr;
      if (!reader || !may_change(*reader) || !reads_elements(*reader, fragment)) return false;
      const std::string& layout = plan_.fragments[static_cast<size_t>(fragment)].layout_text;
      if (plan_.fragments[static_cast<size_t>(reader->layout_of)].layout_text != layout) return false;
      if (!may_pass(block, i, j, *k)) return false;
      uses.push_back({&block, i, j});
      i = j;
    }
    return true;
  }
  static bool mentions_inside(const Statement& statement, int fragment) {
    bool found = false;
    for_each_statement({statement}, [&](const Statement& inner) { found = found || mentions(inner, fragment); });
    return found;
  }

  // The only statement of the loop that computes the fragment, if no earlier one reads it.
  static std::optional<size_t> only_definition(const Elementwise& loop, int fragment) {
    std::optional<size_t> at;
    for (size_t k = 0; k < loop.statements.size(); ++k) {
      if (!at && reads(loop.statements[k], fragment)) return std::nullopt;
      if (loop.statements[k].target != fragment) continue;
      if (at) return std::nullopt;
      at = k;
    }
    return at;
  }
  static bool reads_behind(const Elementwise& loop, int fragment, size_t k) {
    return std::any_of(loop.statements.begin() + static_cast<ptrdiff_t>(k) + 1, loop.statements.end(),
                       [&](const ElementwiseStatement& each) { return reads(each, fragment); });
  }
  // True if the loop reads the fragment only at its current element ...
  static bool reads_elements_only(const Elementwise& loop, int fragment) {
    return std::all_of(loop.statements.begin(), loop.statements.end(), [&](const ElementwiseStatement& each) {
      return std::all_of(each.bindings.begin(), each.bindings.end(), [&](const Binding& binding) {
        return binding.fragment != fragment || binding.kind == SlotKind::element;
      });
    });
  }
  // ... and computes no element of it.
  static bool reads_elements(const Elementwise& loop, int fragment) {
    return reads_elements_only(loop, fragment) &&
           std::none_of(loop.statements.begin(), loop.statements.end(),
                        [&](const ElementwiseStatement& each) { return each.target == fragment; });
  }
  static bool reads(const ElementwiseStatement& statement, int fragment) {
    return std::any_of(statement.bindings.begin(), statement.bindings.end(),
                       [&](const Binding& binding) { return binding.fragment == fragment; });
  }

  // True if statement `k` of the loop at `i` may move to the loop at `j`.
  bool may_pass(const Statements& statements, size_t i, size_t j, size_t k) const {
    const auto& from = std::get<Elementwise>(statements[i].node);
    const ElementwiseStatement& made = from.statements[k];
    for (const Binding& binding : made.bindings) {
      if (binding.kind == SlotKind::shared || binding.kind == SlotKind::global || binding.fragment == made.target)
        return false;
    }
    for (size_t later = k + 1; later < from.statements.size(); ++later) {
      if (reads(made, from.statements[later].target)) return false;
    }
    const bool of_places = is_of_places(made);
    for (size_t at = i + 1; at < j; ++at) {
      const auto& node = statements[at].node;
      if (std::holds_alternative<DeclareFragment>(node)) continue;
      if (of_places) {
        if (assigns_scalars(statements[at])) return false;
        continue;
      }
      if (!std::holds_alternative<Elementwise>(node)) return false;
      for (const Binding& binding : made.bindings) {
        if (binding.fragment >= 0 && writes(statements[at], binding.fragment)) return false;
      }
    }
    const auto& to = std::get<Elementwise>(statements[j].node);
    return std::none_of(made.bindings.begin(), made.bindings.end(), [&](const Binding& binding) {
      return binding.fragment >= 0 && binding.kind != SlotKind::element && writes({"", false, to}, binding.fragment);
    });
  }
  static bool assigns_scalars(const Statement& statement) {
    bool found = false;
    for_each_statement({statement},
                       [&](const Statement& inner) { found = found || std::holds_alternative<SetScalar>(inner.node); });
    return found;
  }

  void keep(const Use& use, int fragment) {
    auto& to = std::get<Elementwise>((*use.block)[use.reader].node);
    auto& from = std::get<Elementwise>((*use.block)[use.maker].node);
    const size_t k = *only_definition(from, fragment);
    ElementwiseStatement& made = from.statements[k];
    // The declaration's comment moves into the loop.
    for_each_declaration(program_, fragment, [&](const Statement& declaration) {
      if (declaration.quotes && made.quoted.empty()) made.quoted = declaration.comment;
    });
    if (use.reader == use.maker) {
      to.layout_of = to.statements.back().target;
      return;
    }
    to.statements.insert(to.statements.begin(), std::move(made));
    from.statements.erase(from.statements.begin() + static_cast<ptrdiff_t>(k));
    to.layout_of = to.statements.back().target;
    if (from.statements.empty())
      use.block->erase(use.block->begin() + static_cast<ptrdiff_t>(use.maker));
    else
      from.layout_of = from.statements.back().target;
  }
  template <class Visit>
  static void for_each_declaration(const Statements& statements, int fragment, const Visit& visit) {
    for_each_statement(statements, [&](const Statement& statement) {
      const auto* declares = std::get_if<DeclareFragment>(&statement.node);
      if (declares && declares->fragment == fragment) visit(statement);
    });
  }

  void remove_declarations(Statements& statements) const {
    std::erase_if(statements, [&](const Statement& statement) {
      const auto* declares = std::get_if<DeclareFragment>(&statement.node);
      return declares && (plan_.fragments[static_cast<size_t>(declares->fragment)].in_loop ||
                          rounded_.count(declares->fragment) > 0);
    });
    for (Statement& statement : statements) {
      for (Statements* inner : bodies_of(statement)) remove_declarations(*inner);
    }
  }

  Plan& plan_;
  Statements& program_;
  std::set<int> rounded_;  // fragments that are removed
};

}  // namespace loop_values

void keep_values_in_loops(Draft& draft) {
  for (RolePlan& role : draft.plan.roles) loop_values::LoopValues(draft.plan, role.program).run();
}

}  // namespace pallasgen
