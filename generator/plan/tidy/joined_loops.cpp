#include "tidy/joined_loops.h"

#include <algorithm>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "check/steps.h"
#include "program/program_walk.h"
#include "program/same_statements.h"
#include "tidy/matched_fragments.h"

namespace pallasgen {

namespace joined_loops {

using namespace program;

// Shorter bodies are easier to read as two loops.
constexpr size_t kFewestShared = 6;

// The statement between two loops for a first loop without steps: it fills an accumulator that no instruction has set.
struct Fill {
  int fragment;
  TypedPtr value;
};

bool is_zero(const TypedPtr& expr) { return !expr || constant_value(expr) == 0; }

std::optional<Fill> fill_between(const Statement& statement, const ForSteps& before) {
  const If* branch = std::get_if<If>(&statement.node);
  const Apply* none = branch ? branch->condition->applies(Op::less_equal) : nullptr;
  if (!none || !is_zero(before.first) || !equal(none->args[0], before.last) || !is_zero(none->args[1])) return {};
  if (!branch->otherwise.empty() || branch->then.size() != 1) return {};
  const auto* loop = std::get_if<Elementwise>(&branch->then.front().node);
  if (!loop || loop->statements.size() != 1) return {};
  const auto* constant = loop->statements.front().value->as<Constant>();
  const double* value = constant ? std::get_if<double>(&constant->value) : nullptr;
  if (!value || *value != 0) return {};
  return Fill{loop->statements.front().target, loop->statements.front().value};
}

// True for declarations of names that only the following statements use.
bool declares(const Statement& statement) {
  return std::holds_alternative<DeclareFragment>(statement.node) ||
         std::holds_alternative<BindScalar>(statement.node) || std::holds_alternative<DeclareLet>(statement.node);
}
bool may_lack(const Statement& statement) {
  const auto* scalar = std::get_if<SetScalar>(&statement.node);
  return !(scalar && scalar->declares) && !std::holds_alternative<DeclareSteps>(statement.node);
}

// Releases that depend on the first or the last step of a loop cannot be shared by two loops.
bool releases_by_step(const Statements& body) {
  bool late = false;
  for_each_statement(body, [&](const Statement& statement) {
    const auto* release = std::get_if<Release>(&statement.node);
    late = late || (release && release->when != ReleaseWhen::now);
  });
  return late;
}

size_t count(const Statements& body) {
  size_t all = 0;
  for_each_statement(body, [&](const Statement&) { ++all; });
  return all;
}

// True if the two statements are the same but for fragments, whose pairs are then added to `match`.
bool is_same_but_fragments(FragmentMatch& match, const Statement& statement, const Statement& like) {
  if (statement.node.index() != like.node.index()) return false;
  FragmentMatch tried = match;
  const std::optional<Statement> renamed = tried.renamed(statement, like);
  if (!renamed || !same_statement(*renamed, like)) return false;
  match = std::move(tried);
  return true;
}

// True if the statement uses only registers of its thread.
bool is_of_registers(const Statement& statement) {
  if (std::holds_alternative<MmaWait>(statement.node) || declares(statement)) return true;
  bool registers = std::holds_alternative<Elementwise>(statement.node);
  for_each_binding(statement, [&](const Binding& binding) {
    registers = registers && binding.kind != SlotKind::shared && binding.kind != SlotKind::global;
  });
  return registers;
}

bool is_of_instructions(const Statement& statement) {
  return std::holds_alternative<Mma>(statement.node) || std::holds_alternative<MmaWait>(statement.node);
}

// True if statements that compute in registers may move after the others, which issue and await no instructions.
bool may_pass(std::span<const Statement> computed, std::span<const Statement> others) {
  std::set<int> named;
  for (const Statement& statement : computed) {
    if (!is_of_registers(statement)) return false;
    for_each_fragment(statement, [&](int fragment) { named.insert(fragment); });
  }
  bool apart = true;
  for (const Statement& statement : others) {
    Statement inner = statement;
    apart = apart && bodies_of(inner).empty() && !is_of_instructions(statement);
    for_each_fragment(statement, [&](int fragment) { apart = apart && named.count(fragment) == 0; });
  }
  return apart;
}

// The statements of `all` in the order of `fewer`: if both wait for instructions and `all` computes with their results,
// these computations move after the statements that `fewer` has before its wait.
Statements in_order_of(const Statements& fewer, Statements all, FragmentMatch match) {
  size_t next = 0;
  for (size_t i = 0; i < all.size() && next < fewer.size(); ++i) {
    if (is_same_but_fragments(match, fewer[next], all[i])) {
      ++next;
      continue;
    }
    if (!std::holds_alternative<MmaWait>(all[i].node)) continue;
    const auto is = [&](const Statement& statement, const Statement& like) {
      FragmentMatch tried = match;
      return is_same_but_fragments(tried, statement, like);
    };
    const auto from = fewer.begin() + static_cast<ptrdiff_t>(next);
    const auto wait = std::find_if(from, fewer.end(), [&](const Statement& other) { return is(other, all[i]); });
    const auto group = all.begin() + static_cast<ptrdiff_t>(i);
    const auto behind = std::find_if(group, all.end(), [&](const Statement& own) { return is(*from, own); });
    if (wait == fewer.end() || all.end() - behind < wait - from) continue;
    const auto end = behind + (wait - from);
    if (!may_pass({group, behind}, {behind, end})) continue;
    std::rotate(group, behind, end);
    --i;
  }
  return all;
}

class Joiner {
 public:
  Joiner(Draft& draft, Statements& program) : draft_(draft), plan_(draft.plan), program_(program) {}

  void run() { block(program_); }

 private:
  void block(Statements& statements) {
    for (size_t i = 0; i < statements.size(); ++i) {
      for (Statements* inner : bodies_of(statements[i])) block(*inner);
      join_at(statements, i);
    }
  }

  void join_at(Statements& statements, size_t i) {
    const auto* first = std::get_if<ForSteps>(&statements[i].node);
    if (!first || !first->last || !first->second.empty() || i + 1 == statements.size()) return;
    const std::optional<Fill> fill = fill_between(statements[i + 1], *first);
    const size_t at = i + 1 + (fill ? 1 : 0);
    const auto* second = at < statements.size() ? std::get_if<ForSteps>(&statements[at].node) : nullptr;
    if (!second || !second->second.empty() || second->axis != first->axis || second->rings != first->rings ||
        !second->first || !equal(second->first, first->last) || (fill && second->last) ||
        statements[i].comment != statements[at].comment)
      return;
    std::optional<ForSteps> joined = join(*first, *second, fill ? &*fill : nullptr);
    if (!joined) return;
    Statements made;
    made.push_back({statements[i].comment, statements[i].quotes, std::move(*joined)});
    if (fill) {
      If none{pallasgen::apply({}, Op::less_equal, DType::boolean, {},
                               {axis_size_symbol(*plan_.kernel, first->axis), index_constant(0)}),
              std::get<If>(statements[i + 1].node).then,
              {}};
      made.push_back({statements[i + 1].comment, statements[i + 1].quotes, std::move(none)});
    }
    const auto begin = statements.begin() + static_cast<ptrdiff_t>(i);
    const auto to = statements.erase(begin, statements.begin() + static_cast<ptrdiff_t>(at) + 1);
    statements.insert(to, std::make_move_iterator(made.begin()), std::make_move_iterator(made.end()));
  }

  std::optional<ForSteps> join(const ForSteps& first, const ForSteps& second, const Fill* fill) const {
    if (releases_by_step(first.body) || releases_by_step(second.body)) return std::nullopt;
    const bool more_behind = second.body.size() >= first.body.size();
    const Statements& fewer = more_behind ? first.body : second.body;
    if (count(fewer) < kFewestShared) return std::nullopt;
    FragmentMatch match(plan_, program_, fewer, more_behind ? second.body : first.body);
    const Statements all = in_order_of(fewer, more_behind ? second.body : first.body, match);
    ForSteps joined = first;
    joined.middle = first.last;
    // The second run starts where the first one ended.
    const Apply* larger = first.last->applies(Op::maximum);
    if (larger && first.first && equal(larger->args[1], first.first)) joined.middle = larger->args[0];
    joined.last = second.last;
    const TypedPtr step = axis_symbol(*plan_.kernel, first.axis);
    const TypedPtr here =
        pallasgen::apply({}, more_behind ? Op::greater_equal : Op::less, DType::boolean, {}, {step, joined.middle});
    joined.second = draft_.names().derived(more_behind ? "masked" : "clean");
    joined.end = draft_.names().derived("end_" + plan_.kernel->axes[static_cast<size_t>(first.axis)].name);
    if (is_taken(joined.second) || is_taken(joined.end)) return std::nullopt;
    joined.body.clear();
    std::vector<bool> lacks(all.size());
    bool fills = !fill;
    size_t next = 0;
    for (size_t i = 0; i < all.size(); ++i) {
      joined.body.push_back(all[i]);
      std::optional<Statement> same;
      if (next < fewer.size() && fewer[next].node.index() == all[i].node.index())
        same = match.renamed(fewer[next], all[i]);
      const bool sets = same && fill && differ_in_first_step(*same, all[i], more_behind, *fill, joined.body.back());
      lacks[i] = !sets && !(same && same_statement(*same, all[i]));
      fills = fills || sets;
      if (!lacks[i])
        ++next;
      else if (!may_lack(all[i]))
        return std::nullopt;
    }
    if (next < fewer.size() || !fills) return std::nullopt;
    joined.body = guarded(std::move(joined.body), lacks, {here, {}, {}, {}, (more_behind ? "" : "!") + joined.second});
    return joined;
  }

  // Puts the statements that a run lacks under `branch`. Declarations stay outside if there are several branches.
  static Statements guarded(Statements body, const std::vector<bool>& lacks, const If& branch) {
    size_t groups = 0;
    bool inside = false;
    for (size_t i = 0; i < body.size(); ++i) {
      if (declares(body[i])) continue;
      groups += lacks[i] && !inside;
      inside = lacks[i];
    }
    Statements out, lacked;
    const auto flush = [&] {
      if (std::all_of(lacked.begin(), lacked.end(), declares)) return;
      If under = branch;
      under.then = std::exchange(lacked, {});
      out.push_back({"", false, std::move(under)});
    };
    for (size_t i = 0; i < body.size(); ++i) {
      if (!lacks[i]) {
        flush();
        out.push_back(std::move(body[i]));
      } else {
        (groups > 1 && declares(body[i]) ? out : lacked).push_back(std::move(body[i]));
      }
    }
    flush();
    return out;
  }

  // True if two instructions differ only in that the first loop's one sets the accumulator in step 0, which the fill
  // does otherwise; then `shared` is the instruction of both.
  static bool differ_in_first_step(const Statement& of_fewer, const Statement& of_all, bool more_behind,
                                   const Fill& fill, Statement& shared) {
    const Statement &first = more_behind ? of_fewer : of_all, &second = more_behind ? of_all : of_fewer;
    const Mma* sets = std::get_if<Mma>(&first.node);
    const Mma* adds = std::get_if<Mma>(&second.node);
    if (!sets || !adds || sets->accumulator != fill.fragment || sets->accumulate != Accumulate::not_first_step ||
        adds->accumulate != Accumulate::always || sets->axes.size() != 1)
      return false;
    Statement tried = second;
    auto& both = std::get<Mma>(tried.node);
    both.accumulate = sets->accumulate;
    both.axes = sets->axes;
    if (!same_statement(first, tried)) return false;
    shared = std::move(tried);
    return true;
  }

  bool is_taken(const std::string& name) const {
    const auto is = [&](const auto& named) { return plan_.kernel->identifiers.of(named.name) == name; };
    return std::any_of(plan_.scalars.begin(), plan_.scalars.end(), is) ||
           std::any_of(plan_.fragments.begin(), plan_.fragments.end(),
                       [&](const FragmentPlan& fragment) { return fragment.name == name; });
  }

  Draft& draft_;
  Plan& plan_;
  Statements& program_;
};

}  // namespace joined_loops

void join_loops(Draft& draft) {
  for (RolePlan& role : draft.plan.roles) joined_loops::Joiner(draft, role.program).run();
}

}  // namespace pallasgen
