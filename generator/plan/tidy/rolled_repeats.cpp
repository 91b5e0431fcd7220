#include "tidy/rolled_repeats.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "program/index_terms.h"
#include "program/program_walk.h"
#include "program/same_statements.h"
#include "program/spec_names.h"
#include "tidy/descriptors.h"
#include "tidy/matched_fragments.h"

namespace pallasgen {

namespace rolled_repeats {

using namespace program;

// Few or short repetitions are easier to read without a loop.
constexpr size_t kFewestStatements = 4, kFewestSaved = 6;

// True for statements that order threads and units, which may occur in one repetition only.
bool orders(const Statement& statement) {
  return is_one_of<RoleSync, WarpgroupSync, WarpSync, FenceAsync, BarrierWait, Release>(statement);
}

// The places that may differ between repetitions.
std::vector<TypedPtr*> places_in(Statement& statement) {
  std::vector<TypedPtr*> places;
  if (auto* mma = std::get_if<Mma>(&statement.node)) places.push_back(&mma->k_first);
  TileAccess* tile = std::get_if<LoadTile>(&statement.node);
  if (!tile) tile = std::get_if<StoreTile>(&statement.node);
  for (size_t dim = 0; tile && dim < tile->at.size(); ++dim) places.push_back(&tile->at[dim]);
  return places;
}

// The distance from place `a` to place `b`, if it is constant.
std::optional<int64_t> distance(const TypedPtr& a, const TypedPtr& b) {
  if (equal(a, b)) return 0;
  return constant_value(simplify(apply({}, Op::subtract, DType::index, {}, {b, a})));
}

// Only the first repetition quotes the spec and makes the descriptors.
void drop_what_first_repetition_has(Statement& statement, const Statement& first) {
  if (auto* loop = std::get_if<Elementwise>(&statement.node)) {
    const auto& like = std::get<Elementwise>(first.node).statements;
    for (size_t i = 0; i < std::min(like.size(), loop->statements.size()); ++i) {
      if (loop->statements[i].quoted.empty()) loop->statements[i].quoted = like[i].quoted;
    }
  } else if (auto* mma = std::get_if<Mma>(&statement.node)) {
    mma->a_described = std::get<Mma>(first.node).a_described;
    mma->b_described = std::get<Mma>(first.node).b_described;
  }
}

// The repetitions found so far, and where their statements are, except those that order.
struct Turns {
  size_t count = 1, length;
  std::vector<size_t> at;
  std::vector<std::vector<int64_t>> steps;    // by statement: how far its places move in each repetition
  std::map<int, std::vector<int>> fragments;  // by fragment of the first repetition: those of the others
  int64_t first = 0;                          // the loop variable's value in the first repetition

  size_t place(size_t turn, size_t statement) const { return at[turn * length + statement]; }
};

// The number of steps that all moving places have taken before the first repetition; 0 if it differs between them.
int64_t steps_before(const Statements& all, const Turns& turns) {
  std::set<int64_t> before;
  for (size_t i = 0; i < turns.length; ++i) {
    Statement statement = all[turns.place(0, i)];
    const std::vector<TypedPtr*> places = places_in(statement);
    for (size_t k = 0; k < places.size(); ++k) {
      const int64_t step = turns.steps[i][k];
      const std::optional<int64_t> at = constant_value(*places[k]);
      if (step != 0) before.insert(at && *at % step == 0 ? *at / step : 0);
    }
  }
  return before.size() == 1 ? *before.begin() : 0;
}

class Roller {
 public:
  Roller(Draft& draft, Statements& program)
      : draft_(draft),
        plan_(draft.plan),
        program_(program),
        variable_(name_apart(draft.names().derived("part"), [&](const std::string& name) { return is_taken(name); })) {}

  void run() {
    block(program_);
    if (rolled_) name_descriptors(draft_, program_);  // a loop's body declares its own
  }

 private:
  void block(Statements& statements) {
    for (size_t i = 0; i < statements.size(); ++i) {
      for (Statements* inner : bodies_of(statements[i])) block(*inner);
      roll_at(statements, i);
    }
  }

  // A repetition begins with the declaration of a fragment.
  void roll_at(Statements& statements, size_t begin) {
    if (!std::holds_alternative<DeclareFragment>(statements[begin].node)) return;
    std::vector<size_t> at;
    for (size_t i = begin; i < statements.size(); ++i) {
      if (!orders(statements[i])) at.push_back(i);
    }
    for (size_t length = kFewestStatements; 2 * length <= at.size(); ++length) {
      if (!std::holds_alternative<DeclareFragment>(statements[at[length]].node)) continue;
      Turns turns{1, length, at, {}, {}};
      while ((turns.count + 1) * length <= at.size() && is_another_repetition(statements, turns)) ++turns.count;
      if ((turns.count - 1) * length < kFewestSaved) continue;
      turns.first = steps_before(statements, turns);
      std::optional<Statements> body = body_of(statements, turns);
      if (!body) continue;
      rename(turns);
      const auto count = static_cast<int64_t>(turns.count);
      ForRange loop{variable_, index_constant(turns.first), index_constant(turns.first + count), index_constant(1),
                    std::move(*body)};
      loop.unroll = static_cast<int>(count);
      const auto first = statements.begin() + static_cast<std::ptrdiff_t>(begin);
      const auto last = statements.begin() + static_cast<std::ptrdiff_t>(turns.place(turns.count - 1, length - 1));
      *first = {"", false, std::move(loop)};
      statements.erase(first + 1, last + 1);
      rolled_ = true;
      return;
    }
  }

  // True if the statements after the repetitions are another one.
  bool is_another_repetition(const Statements& all, Turns& turns) const {
    const auto from = [&](size_t turn) { return all.begin() + static_cast<std::ptrdiff_t>(turns.place(turn, 0)); };
    const auto to = [&](size_t turn) {
      return all.begin() + static_cast<std::ptrdiff_t>(turns.place(turn, turns.length - 1)) + 1;
    };
    if (to(turns.count - 1) != from(turns.count)) return false;
    FragmentMatch match(plan_, program_, {from(turns.count), to(turns.count)}, {from(0), to(0)});
    std::vector<std::vector<int64_t>> steps;
    for (size_t i = 0; i < turns.length; ++i) {
      Statement like = all[turns.place(0, i)];
      std::optional<Statement> next = match.renamed(all[turns.place(turns.count, i)], like);
      if (!next || next->node.index() != like.node.index()) return false;
      next->comment = like.comment;  // body_of() compares comments
      next->quotes = like.quotes;
      drop_what_first_repetition_has(*next, like);
      const std::vector<TypedPtr*> places = places_in(*next), first = places_in(like);
      if (places.size() != first.size()) return false;
      std::vector<int64_t>& moved = steps.emplace_back();
      for (size_t k = 0; k < places.size(); ++k) {
        const std::optional<int64_t> far = distance(*first[k], *places[k]);
        const auto count = static_cast<int64_t>(turns.count);
        if (!far || *far % count != 0) return false;
        moved.push_back(*far / count);
        *places[k] = *first[k];
      }
      if (!same_statement(*next, like)) return false;
    }
    if (turns.count > 1 && steps != turns.steps) return false;
    turns.steps = std::move(steps);
    for (const auto& [own, of_first] : match.fragments()) {
      if (own != of_first) turns.fragments[of_first].push_back(own);
    }
    return true;
  }

  // The body of the loop; nothing if a repetition between the first and the last has statements of its own.
  std::optional<Statements> body_of(const Statements& all, const Turns& turns) const {
    Statements body;
    for (size_t i = 0; i < turns.length; ++i) {
      Statement statement = all[turns.place(0, i)];
      std::string before_arrival;  // the comment of the last repetition that the next statement's comment continues
      for (size_t turn = 1; turn < turns.count; ++turn) {
        const Statement& other = all[turns.place(turn, i)];
        if (other.comment == statement.comment || other.comment.empty()) continue;
        if (turn + 1 < turns.count || !statement.comment.empty() || i + 1 == turns.length ||
            turns.place(turn, i) + 1 == turns.place(turn, i + 1))
          return std::nullopt;
        before_arrival = other.comment;
      }
      const std::vector<TypedPtr*> places = places_in(statement);
      for (size_t k = 0; k < places.size(); ++k) {
        const int64_t step = turns.steps[i][k];
        if (step == 0) continue;
        const TypedPtr moved = multiply(variable(variable_), index_constant(step));
        *places[k] = turns.first == 0 ? simplify(add(*places[k], moved)) : simplify(moved);
      }
      body.push_back(std::move(statement));
      if (i + 1 < turns.length && !add_between(all, turns, i, before_arrival, body)) return std::nullopt;
    }
    return body;
  }

  // Adds the ordering statements after statement `i`; those of the first or last repetition get a condition.
  bool add_between(const Statements& all, const Turns& turns, size_t i, const std::string& comment,
                   Statements& body) const {
    std::vector<Statements> between;
    for (size_t turn = 0; turn < turns.count; ++turn) {
      const auto begin = all.begin();
      between.emplace_back(begin + static_cast<std::ptrdiff_t>(turns.place(turn, i)) + 1,
                           begin + static_cast<std::ptrdiff_t>(turns.place(turn, i + 1)));
    }
    const auto is_first = [&](const Statements& other) {
      return std::equal(other.begin(), other.end(), between[0].begin(), between[0].end(), same_statement);
    };
    if (comment.empty() && std::all_of(between.begin(), between.end(), is_first)) {
      body.insert(body.end(), between[0].begin(), between[0].end());
      return true;
    }
    for (size_t turn = 0; turn < turns.count; ++turn) {
      if (between[turn].empty()) continue;
      if (turn > 0 && turn + 1 < turns.count) return false;
      const TypedPtr number = index_constant(turns.first + static_cast<int64_t>(turn));
      const TypedPtr here = apply({}, Op::equal, DType::boolean, {}, {variable(variable_), number});
      body.push_back({turn == 0 ? "" : comment, false, If{here, std::move(between[turn]), {}}});
    }
    return true;
  }

  // Renames acc_dot_0 (for acc_dot_1, … too) to "acc_dot" unless something else has that name.
  void rename(const Turns& turns) {
    for (const auto& [first, others] : turns.fragments) {
      const auto stem = [&](int fragment) {
        const std::string& name = plan_.fragments[static_cast<size_t>(fragment)].name;
        const size_t end = name.find_last_not_of("0123456789");
        return end != std::string::npos && end > 0 && name[end] == '_' ? name.substr(0, end) : name;
      };
      const std::string name = stem(first);
      const bool alike = std::all_of(others.begin(), others.end(), [&](int other) { return stem(other) == name; });
      if (alike && name != variable_ && !is_taken(name)) plan_.fragments[static_cast<size_t>(first)].name = name;
    }
  }

  bool is_taken(const std::string& name) const {
    const auto is = [&](const auto& named) { return plan_.kernel->identifiers.of(named.name) == name; };
    return std::any_of(plan_.fragments.begin(), plan_.fragments.end(), is) ||
           std::any_of(plan_.scalars.begin(), plan_.scalars.end(), is);
  }

  Draft& draft_;
  Plan& plan_;
  Statements& program_;
  const std::string variable_;
  bool rolled_ = false;
};

}  // namespace rolled_repeats

void roll_repeats(Draft& draft) {
  for (RolePlan& role : draft.plan.roles) rolled_repeats::Roller(draft, role.program).run();
}

}  // namespace pallasgen
