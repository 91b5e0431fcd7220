#include "tidy/parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "plan/words.h"
#include "program/program_walk.h"
#include "tidy/repeats.h"

namespace pallasgen {

namespace repeated_parts {

using namespace program;

class Parts {
 public:
  Parts(Draft& draft, int role)
      : draft_(draft), plan_(draft.plan), role_(role), program_(draft.plan.roles[static_cast<size_t>(role)].program) {}

  void outline() {
    while (const std::optional<Repeat> repeat = find_repeat(plan_, program_)) {
      segments_ = repeat->segments;
      if (!make_part(repeat->places, repeat->length)) return;
    }
  }

 private:
  // Finds the fragments that the run uses, in order; those it does not read before it writes; all that it writes.
  void find_writes(const Place& place, size_t length, std::vector<int>& order, std::set<int>& first_written,
                   std::set<int>& written) const {
    std::set<int> read;
    const auto reads = [&](int fragment) {
      if (std::find(order.begin(), order.end(), fragment) == order.end()) order.push_back(fragment);
      if (written.count(fragment) == 0) read.insert(fragment);
    };
    const auto writes = [&](int fragment) {
      if (std::find(order.begin(), order.end(), fragment) == order.end()) order.push_back(fragment);
      written.insert(fragment);
      if (read.count(fragment) == 0) first_written.insert(fragment);
    };
    const Segment& segment = segments_[place.segment];
    for (size_t k = 0; k < length; ++k) {
      const Statement& statement = segment.statement(place.first + k);
      if (const auto* pack = std::get_if<PackOperand>(&statement.node)) {
        reads(pack->fragment);
        writes(pack->packed);
      } else if (const auto* reduce = std::get_if<ReduceFragment>(&statement.node)) {
        reads(reduce->source);
        writes(reduce->target);
      } else {
        for (const ElementwiseStatement& part : std::get<Elementwise>(statement.node).statements) {
          for (const Binding& binding : part.bindings) {
            if (binding.fragment >= 0) reads(binding.fragment);
          }
          writes(part.target);
        }
      }
    }
  }

  // Fragments of the run that nothing uses elsewhere: each place has its own ones, for the same purpose.
  std::set<int> locals(const std::vector<Place>& places, size_t length, const std::set<int>& first_written) const {
    std::map<int, int> everywhere;
    for_each_statement(program_, [&](const Statement& statement) {
      if (std::holds_alternative<DeclareFragment>(statement.node)) return;
      for_each_fragment(statement, [&](int fragment) { ++everywhere[fragment]; });
    });
    std::map<int, int> used;             // by fragment of the first place: uses of its counterparts at all places
    std::map<int, std::set<int>> stand;  // its counterparts
    for (const Place& place : places) {
      std::map<int, int> here;
      for (size_t k = 0; k < length; ++k)
        for_each_fragment(segments_[place.segment].statement(place.first + k), [&](int fragment) { ++here[fragment]; });
      for (const int fragment : first_written) {
        used[fragment] += here[place.match.of(fragment)];
        stand[fragment].insert(place.match.of(fragment));
      }
    }
    std::set<int> local;
    for (const int fragment : first_written) {
      int all = 0;
      for (const int each : stand[fragment]) all += everywhere[each];
      if (all == used[fragment]) local.insert(fragment);
    }
    return local;
  }

  // Returns false if nothing uses what the run computes.
  bool make_part(const std::vector<Place>& places, size_t length) {
    const Place& first = places.front();
    std::vector<int> order;
    std::set<int> first_written, written;
    find_writes(first, length, order, first_written, written);
    const std::set<int> local = locals(places, length, first_written);
    PartPlan part;
    part.role = role_;
    part.places = static_cast<int>(places.size());
    part.program = body(first, length, local);
    // Arguments in order: fragments that are only read, that are changed, that are computed.
    for (const int kind : {0, 1, 2}) {
      for (const int fragment : order) {
        const int of = written.count(fragment) == 0 ? 0 : first_written.count(fragment) == 0 ? 1 : 2;
        if (of == kind && local.count(fragment) == 0) part.fragments.push_back({fragment, kind > 0, kind < 2});
      }
    }
    if (std::none_of(part.fragments.begin(), part.fragments.end(),
                     [](const PartPlan::Argument& argument) { return argument.written; }))
      return false;
    add_values(part);
    part.name = name_of(part);
    part.comment = comment_of(part);
    const std::string quoted = quote_of(part.program);
    const int number = static_cast<int>(plan_.parts.size());
    std::set<int> gone;
    for (const int fragment : local) {
      for (const Place& place : places) gone.insert(place.match.of(fragment));
    }
    // Backwards, so that earlier places keep their indices.
    for (size_t p = places.size(); p-- > 0;) {
      CallPart call{number, {}};
      for (const PartPlan::Argument& argument : part.fragments)
        call.fragments.push_back(places[p].match.of(argument.fragment));
      insert_call(places[p], length, std::move(call), quoted);
    }
    plan_.parts.push_back(std::move(part));
    remove_declarations(program_, gone);
    return true;
  }
  std::string comment_of(const PartPlan& part) const {
    std::vector<std::string> changed, made, does;
    for (const PartPlan::Argument& argument : part.fragments) {
      const std::string& name = plan_.fragments[static_cast<size_t>(argument.fragment)].name;
      if (argument.written) (argument.read ? changed : made).push_back(name);
    }
    if (!changed.empty()) does.push_back("updates " + listed(changed));
    if (!made.empty()) does.push_back("computes " + listed(made));
    const std::string& role = plan_.roles[static_cast<size_t>(role_)].name;
    return fmt::format("In {} places the {} {}.", part.places, role.empty() ? "kernel" : role, listed(does));
  }
  // The spec's text from the first to the last quoted statement.
  static std::string quote_of(const Statements& statements) {
    std::string first, last;
    const auto note = [&](const std::string& quoted) {
      if (!quoted.empty()) (first.empty() ? first : last) = quoted;
    };
    for (const Statement& statement : statements) {
      if (statement.quotes) note(statement.comment);
      if (const auto* reduce = std::get_if<ReduceFragment>(&statement.node)) note(reduce->quoted);
      const auto* loop = std::get_if<Elementwise>(&statement.node);
      for (size_t i = 0; loop && i < loop->statements.size(); ++i) note(loop->statements[i].quoted);
    }
    return last.empty() || last == first ? first : first + " ... " + last;
  }
  // Named after the first fragment that the part computes, else after the first that it changes.
  std::string name_of(const PartPlan& part) const {
    const auto first = [&](bool made) {
      return std::find_if(part.fragments.begin(), part.fragments.end(), [&](const PartPlan::Argument& argument) {
        return argument.written && !(made && argument.read);
      });
    };
    const auto named = first(true) != part.fragments.end() ? first(true) : first(false);
    std::string of = plan_.fragments[static_cast<size_t>(named->fragment)].name;
    while (of.ends_with('_')) of.pop_back();
    std::string name = draft_.names().derived("compute_" + of);
    const auto is_taken = [&](const PartPlan& other) { return other.name == name; };
    while (std::any_of(plan_.parts.begin(), plan_.parts.end(), is_taken)) name = draft_.names().derived(name + "_too");
    return name;
  }

  // The statements of the first place, with the declarations of local fragments. The spec's text at a declaration that
  // stays outside moves to the next statement.
  Statements body(const Place& place, size_t length, const std::set<int>& local) const {
    const Segment& segment = segments_[place.segment];
    Statements out;
    std::set<int> declared;
    std::string quote;
    const size_t end = segment.at[place.first + length - 1];
    size_t begin = segment.at[place.first];
    while (begin > 0 && std::holds_alternative<DeclareFragment>((*segment.block)[begin - 1].node)) --begin;
    for (size_t i = begin; i <= end; ++i) {
      const Statement& statement = (*segment.block)[i];
      if (const auto* declares = std::get_if<DeclareFragment>(&statement.node)) {
        if (local.count(declares->fragment) > 0) {
          declared.insert(declares->fragment);
          out.push_back(statement);
        } else if (statement.quotes && i > segment.at[place.first]) {
          quote = statement.comment;
        }
        continue;
      }
      for_each_fragment(statement, [&](int fragment) {
        if (local.count(fragment) > 0 && !is_in_loop(fragment) && declared.insert(fragment).second)
          out.push_back({"", false, DeclareFragment{fragment}});
      });
      out.push_back(statement);
      auto* loop = std::get_if<Elementwise>(&out.back().node);
      if (!quote.empty() && loop && loop->statements.front().quoted.empty()) loop->statements.front().quoted = quote;
      quote.clear();
    }
    return out;
  }

  bool is_in_loop(int fragment) const { return plan_.fragments[static_cast<size_t>(fragment)].in_loop; }

  // Adds the parameters other than fragments.
  void add_values(PartPlan& part) const {
    std::set<int> scalars, dims, given;
    for (const Statement& statement : part.program) {
      for_each_binding(statement, [&](const Binding& binding) {
        if (binding.kind == SlotKind::scalar) scalars.insert(binding.scalar);
      });
      if (const auto* loop = std::get_if<Elementwise>(&statement.node)) {
        for (const ElementwiseStatement& assigned : loop->statements) {
          walk(assigned.value, [&](const Typed& node) {
            const Symbol* symbol = node.as<Symbol>();
            if (symbol) (symbol->kind == SymbolKind::dim ? dims : given).insert(symbol->id);
          });
        }
      }
    }
    const Kernel& kernel = *plan_.kernel;
    part.scalars.assign(scalars.begin(), scalars.end());
    for (const int dim : dims)
      part.parameters.push_back(
          {ParameterKind::dim, dim, kernel.identifiers.of(kernel.dims[static_cast<size_t>(dim)].name)});
    for (const int scalar : given)
      part.parameters.push_back(
          {ParameterKind::scalar, scalar, kernel.identifiers.of(kernel.scalars[static_cast<size_t>(scalar)].name)});
  }

  // Replaces the run by the call; declarations between its statements come before it.
  void insert_call(const Place& place, size_t length, CallPart call, const std::string& quoted) {
    const Segment& segment = segments_[place.segment];
    Statements& block = *segment.block;
    const size_t begin = segment.at[place.first], end = segment.at[place.first + length - 1] + 1;
    Statements made;
    for (size_t i = begin; i < end; ++i) {
      if (!std::holds_alternative<DeclareFragment>(block[i].node)) continue;
      made.push_back({"", false, std::move(block[i].node)});
    }
    made.push_back({quoted, !quoted.empty(), std::move(call)});
    const auto at =
        block.erase(block.begin() + static_cast<ptrdiff_t>(begin), block.begin() + static_cast<ptrdiff_t>(end));
    block.insert(at, std::make_move_iterator(made.begin()), std::make_move_iterator(made.end()));
  }
  static void remove_declarations(Statements& statements, const std::set<int>& gone) {
    std::erase_if(statements, [&](const Statement& statement) {
      const auto* declares = std::get_if<DeclareFragment>(&statement.node);
      return declares && gone.count(declares->fragment) > 0;
    });
    for (Statement& statement : statements) {
      for (Statements* inner : bodies_of(statement)) remove_declarations(*inner, gone);
    }
  }

  Draft& draft_;
  Plan& plan_;
  const int role_;
  Statements& program_;
  std::vector<Segment> segments_;
};

// Names the layouts of the fragments that parts take.
void name_layouts(Draft& draft) {
  Plan& plan = draft.plan;
  std::vector<int> taken;
  for (const PartPlan& part : plan.parts) {
    for (const PartPlan::Argument& argument : part.fragments) taken.push_back(argument.fragment);
  }
  for (const int id : taken) {
    const FragmentPlan of = plan.fragments[static_cast<size_t>(id)];
    const bool is_named = std::any_of(plan.layouts.begin(), plan.layouts.end(),
                                      [&](const LayoutName& layout) { return layout.name == of.layout_text; });
    if (of.packed || of.operand_a || is_named) continue;
    std::string name = of.name;
    while (name.ends_with('_')) name.pop_back();
    name = draft.names().derived("Layout_" + name);
    plan.layouts.push_back({name, of.layout_text, ""});
    for (FragmentPlan& each : plan.fragments) {
      if (each.layout_text == of.layout_text && !each.packed && !each.operand_a) each.layout_text = name;
    }
  }
}

}  // namespace repeated_parts

void outline_parts(Draft& draft) {
  for (size_t role = 0; role < draft.plan.roles.size(); ++role)
    repeated_parts::Parts(draft, static_cast<int>(role)).outline();
  repeated_parts::name_layouts(draft);
}

}  // namespace pallasgen
