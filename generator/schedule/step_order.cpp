#include "step_order.h"

#include <fmt/format.h>

#include <algorithm>

#include "conditions.h"
#include "tile/walk.h"

namespace pallasgen::schedule {

namespace {

using namespace tile;

// True if the order of two statements matters.
bool depend(const Touched& a, const Touched& b) {
  return (a.ordered && b.ordered) || meet(a.defines, b.reads) || meet(a.reads, b.defines) ||
         meet(a.defines, b.defines) || meet(a.stores, b.loads) || meet(a.loads, b.stores) || meet(a.stores, b.stores);
}

bool by_instructions(const Statement& statement) { return dot_if(statement, &Product::runs_on) != nullptr; }

class Orderer {
 public:
  Orderer(const Program& program, const Block& body, const std::set<std::string>& names)
      : program_(program), names_(names) {
    for (const Statement& statement : body) add(statement);
    is_.resize(body_.size());
  }

  StepOrderResult run() {
    if (std::string problem = find_problem(); !problem.empty()) return {{}, std::move(problem)};
    find_named();
    find_others();
    if (!has(Part::others)) return {{}, why_no_other_dot()};
    take_copies();
    if (std::optional<StepOrderResult> refused = find_behind()) return std::move(*refused);
    StepOrder order;
    Block* parts[] = {&order.beside, &order.named, &order.others, &order.rest, &order.behind};
    for (size_t i = 0; i < body_.size(); ++i) parts[static_cast<size_t>(is_[i])]->push_back(body_[i]);
    return {std::move(order)};
  }

 private:
  enum class Part : uint8_t { beside, named, others, rest, behind };

  // Makes what a dot adds to an assignment of its own, so that the dot alone can run later.
  void add(const Statement& statement) {
    const Dot* dot = dot_if(statement, &Product::runs_on);
    const auto* start = dot && dot->start ? dot->start->as<LocalUse>() : nullptr;
    const bool apart = dot && dot->start && !(start && start->id == dot->value.index);
    if (apart) {
      push({statement.span, statement.origin, Assign{dot->value, dot->start}});
      Dot adds = *dot;
      adds.start = use(program_, dot->value, statement.span);
      push({statement.span, "", std::move(adds)});
      return;
    }
    push(statement);
  }
  void push(Statement statement) {
    touched_.push_back(touched(program_, statement));
    body_.push_back(std::move(statement));
  }

  std::string name_of(size_t i) const {
    const std::optional<ValueId> value = defined_by(body_[i]);
    return value ? program_.value(*value).name : "";
  }
  bool is_named(size_t i) const { return body_[i].as<Dot>() && names_.count(name_of(i)) > 0; }
  bool has(Part part) const { return std::find(is_.begin(), is_.end(), part) != is_.end(); }
  bool is_late(size_t i) const { return is_[i] == Part::others || is_[i] == Part::rest; }
  std::string listed_names() const {
    std::string out;
    for (const std::string& name : names_) out += (out.empty() ? "'" : ", '") + name + "'";
    return out;
  }

  // Why no dot is left that could run while the named ones do.
  std::string why_no_other_dot() const {
    std::string by_threads;
    for (size_t i = 0; i < body_.size(); ++i) {
      if (!body_[i].as<Dot>() || is_named(i)) continue;
      if (by_instructions(body_[i]))
        return fmt::format("the dots of a step that are not named are all that {} read: none is left to run beside",
                           listed_names());
      by_threads = name_of(i);
    }
    if (by_threads.empty()) return fmt::format("the step has no dot beside {}", listed_names());
    return fmt::format("the dot of '{}', which would run beside, goes by no matrix instructions", by_threads);
  }

  std::string find_problem() const {
    for (size_t i = 0; i < body_.size(); ++i) {
      if (is_named(i) && !by_instructions(body_[i]))
        return fmt::format("the dot of '{}' goes by no matrix instructions", name_of(i));
      std::string problem;
      for_each_statement({body_[i]}, [&](const Statement& inner) {
        const For* loop = inner.as<For>();
        if (by_instructions(inner) && !blocks_of(body_[i]).empty())
          problem = fmt::format("the dot of '{}' stands under a condition or in a loop of the step",
                                program_.value(inner.as<Dot>()->value).name);
        if (loop && loop->variable.kind == SymbolKind::axis)
          problem = fmt::format("the step has steps of '{}' in it", loop->variable.name);
      });
      if (!problem.empty()) return problem;
    }
    return {};
  }

  void find_named() {
    for (size_t i = body_.size(); i-- > 0;) {
      bool named = is_named(i);
      for (size_t j = i + 1; j < body_.size() && !named; ++j)
        named = is_[j] == Part::named && depend(touched_[i], touched_[j]);
      if (named) is_[i] = Part::named;
    }
  }

  // Finds the other dots, and what depends on them and so stays after them.
  void find_others() {
    for (size_t i = 0; i < body_.size(); ++i) {
      if (is_[i] == Part::named) continue;
      bool late = by_instructions(body_[i]), needs = false;
      for (size_t j = 0; j < i; ++j) {
        if (!is_late(j) || !depend(touched_[j], touched_[i])) continue;
        late = needs = true;
      }
      if (late) is_[i] = needs || !by_instructions(body_[i]) ? Part::rest : Part::others;
    }
  }

  // Moves copies into shared memory to the dots that alone read them.
  void take_copies() {
    for (size_t i = body_.size(); i-- > 0;) {
      const Read* read = body_[i].as<Read>();
      if (is_[i] != Part::beside || !read || program_.value(read->value).home != Home::shared) continue;
      std::set<Part> users;
      for (size_t j = i + 1; j < body_.size(); ++j) {
        if (touched_[j].reads.count(read->value.index)) users.insert(is_[j]);
      }
      if (users == std::set{Part::others})
        is_[i] = Part::others;
      else if (!users.empty() && !users.count(Part::beside) && !users.count(Part::named))
        is_[i] = users.count(Part::others) ? Part::others : Part::rest;
    }
  }

  // Finds what in the step ahead must wait for the others of the step before, and what depends on that; a refusal if
  // named dots do.
  std::optional<StepOrderResult> find_behind() {
    for (size_t i = 0; i < body_.size(); ++i) {
      if (is_late(i)) continue;
      for (size_t j = 0; j < body_.size(); ++j) {
        const bool waits = is_late(j) ? depend(touched_[j], touched_[i])
                                      : j < i && is_[j] == Part::behind && depend(touched_[j], touched_[i]);
        if (!waits) continue;
        if (is_[i] == Part::named) return refused(j, i);
        is_[i] = Part::behind;
        break;
      }
    }
    return std::nullopt;
  }

  StepOrderResult refused(size_t before, size_t needs) const {
    // From the statement that needs it to a named dot.
    std::vector<std::string> path = {name_of(before), name_of(needs)};
    for (size_t at = needs; !is_named(at);) {
      size_t next = at + 1;
      while (next < body_.size() && !(is_[next] == Part::named && depend(touched_[at], touched_[next]))) ++next;
      if (next == body_.size()) break;
      at = next;
      path.push_back(name_of(at));
    }
    path.erase(std::unique(path.begin(), path.end()), path.end());
    std::erase(path, "");
    const bool flows = meet(touched_[before].defines, touched_[needs].reads);
    const std::string named = path.empty() ? listed_names() : "'" + path.back() + "'";
    std::string problem =
        flows ? fmt::format("{} of the next step needs '{}', which the step before makes", named, name_of(before))
              : fmt::format("{} of the next step would overwrite what '{}' of the step before needs", named,
                            name_of(before));
    return {{}, std::move(problem), std::move(path)};
  }

  const Program& program_;
  const std::set<std::string>& names_;
  Block body_;
  std::vector<Touched> touched_;
  std::vector<Part> is_;
};

}  // namespace

StepOrderResult order_step(const tile::Program& program, const tile::Block& body, const std::set<std::string>& names) {
  return Orderer(program, body, names).run();
}

}  // namespace pallasgen::schedule
