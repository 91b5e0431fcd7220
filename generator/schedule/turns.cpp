#include "turns.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "schedule/rules.h"
#include "tile/walk.h"

namespace pallasgen::schedule {

namespace {

using namespace tile;

class Turns {
 public:
  explicit Turns(Program& program)
      : program_(program),
        setting_(program.declarations->schedule.take_turns),
        names_(setting_.names.begin(), setting_.names.end()) {}

  void run() {
    const int64_t groups = program_.declarations->pipeline.compute_warpgroups.value.value_or(1);
    if (!program_.declarations->pipeline.warp_specialized.value || groups < 2)
      return refuse("one warpgroup computes, and turns go round among several",
                    "`pipeline: {warp_specialized: true, compute_warpgroups: 2}` beside it works");
    for (Role& role : program_.roles) block(role.body, false);
    for (const std::string& name : setting_.names) {
      if (!found_.count(name) && program_.refusals.empty())
        refuse(why_no_dot(name), "without `take_turns` the kernel plans");
    }
    program_.honoured.insert("schedule.take_turns");
  }

 private:
  // Why no dot by instructions has the name.
  std::string why_no_dot(const std::string& name) const {
    bool dot = false;
    for (const Role& role : program_.roles) {
      for_each_statement(role.body, [&](const Statement& statement) {
        const Dot* found = statement.as<Dot>();
        dot = dot || (found && program_.value(found->value).name == name);
      });
    }
    return dot ? fmt::format("the dot of '{}' goes by no matrix instructions", name)
               : fmt::format("'{0}' is assigned from no dot: it takes a statement of the dot alone, `{0} = dot(…)`",
                             name);
  }
  bool is_named(const Statement& statement) const {
    const Dot* dot = dot_if(statement, &Product::runs_on);
    return dot && names_.count(program_.value(dot->value).name) > 0;
  }
  bool is_copy(const Statement& statement) const {
    const Read* read = statement.as<Read>();
    return read && program_.value(read->value).home == Home::shared;
  }

  // `asks`: data decides whether the block runs.
  void block(Block& statements, bool asks) {
    Block out;
    for (size_t i = 0; i < statements.size();) {
      if (!is_named(statements[i])) {
        for (Block* inner : blocks_of(statements[i])) block(*inner, asks || by_data(statements[i]));
        out.push_back(std::move(statements[i++]));
        continue;
      }
      if (asks)
        refuse(
            fmt::format("data decides whether the dot of '{}' runs, so that warpgroups may have different numbers of "
                        "turns",
                        program_.value(statements[i].as<Dot>()->value).name),
            "without `take_turns` the kernel plans");
      size_t end = i + 1;
      for (size_t j = end; j < statements.size() && (is_named(statements[j]) || is_copy(statements[j])); ++j) {
        if (is_named(statements[j])) end = j + 1;
      }
      const Span span = statements[i].span;
      out.push_back({span, "", TakeTurn{}});
      for (; i < end; ++i) {
        if (is_named(statements[i])) found_.insert(program_.value(statements[i].as<Dot>()->value).name);
        out.push_back(std::move(statements[i]));
      }
      out.push_back({span, "", PassTurn{}});
    }
    statements = std::move(out);
  }

  // True if anything but sizes and indices decides how often the statement's blocks run.
  bool by_data(const Statement& statement) const {
    if (statement.as<While>()) return true;
    const std::set<int> values = used_by(statement);
    return std::any_of(values.begin(), values.end(),
                       [&](int value) { return program_.value({value}).dtype != DType::index; });
  }

  void refuse(const std::string& why, const std::string& works) {
    program_.refusals.push_back(
        {&kScheduleTurns,
         setting_.span,
         fmt::format("`take_turns: [{}]` cannot be honoured: {}", fmt::join(setting_.names, ", "), why),
         {works}});
  }

  Program& program_;
  const NamesSetting& setting_;
  const std::set<std::string> names_;
  std::set<std::string> found_;
};

}  // namespace

void take_turns(tile::Program& program) {
  if (!program.declarations->schedule.take_turns.names.empty()) Turns(program).run();
}

}  // namespace pallasgen::schedule
