#include "last_values.h"

#include <algorithm>
#include <map>
#include <set>

#include "tile/walk.h"

namespace pallasgen::schedule {

namespace {

using namespace tile;

void rename_uses(const Program& program, Statement& statement, ValueId from, ValueId to) {
  for (Block* inner : blocks_of(statement)) {
    for (Statement& each : *inner) rename_uses(program, each, from, to);
  }
  if (Put* put = statement.as<Put>(); put && put->value == from) put->value = to;
  change_own_expressions(statement, [&](TypedPtr& expr) {
    expr = rewrite(expr, [&](const TypedPtr& node) -> TypedPtr {
      const auto* used = node->as<LocalUse>();
      return used && used->id == from.index ? use(program, to, node->span) : nullptr;
    });
  });
}

class LastValues {
 public:
  explicit LastValues(Program& program) : program_(program) {
    for (const Role& role : program.roles) {
      for_each_statement(role.body, [&](const Statement& statement) {
        if (const auto value = defined_by(statement)) ++definitions_[value->index];
        if (const Dot* dot = statement.as<Dot>()) sums_.insert(dot->value.index);
      });
    }
  }

  std::vector<LastValue> run() {
    for (Role& role : program_.roles) {
      for (Statement& statement : role.body) {
        ForTiles* tiles = statement.as<ForTiles>();
        for (size_t i = 0; tiles && i < tiles->body.size(); ++i) {
          const Put* put = tiles->body[i].as<Put>();
          if (put && put->value) name_before(tiles->body, i);
        }
      }
    }
    return std::move(named_);
  }

 private:
  bool touches(const Statement& statement, ValueId value) const {
    const Touched of = touched(program_, statement);
    return of.reads.count(value.index) > 0 || of.defines.count(value.index) > 0;
  }

  void name_before(Block& statements, size_t put) {
    const Shape whole = program_.value(statements[put].as<Put>()->value).shape;
    for (size_t at = put; at-- > 0;) {
      Assign* assign = statements[at].as<Assign>();
      if (!assign || !assign->expr || assign->expr->shape != whole || definitions_[assign->value.index] == 1) continue;
      const ValueId value = assign->value;
      // Sums of other dots that the chunks read would all stay in registers until the last chunk.
      const std::set<int> taken = used_by(statements[at]);
      if (std::any_of(taken.begin(), taken.end(), [&](int of) { return of != value.index && sums_.count(of) > 0; }))
        continue;
      const auto first = statements.begin() + static_cast<std::ptrdiff_t>(at) + 1;
      const auto behind = statements.begin() + static_cast<std::ptrdiff_t>(put) + 1;
      const bool defined = std::any_of(
          first, behind, [&](const Statement& each) { return touched(program_, each).defines.count(value.index) > 0; });
      const bool used =
          std::any_of(behind, statements.end(), [&](const Statement& each) { return touches(each, value); });
      if (defined || used) continue;
      const Value of = program_.value(value);
      const ValueId named = add_value(program_, {of.name + "_part", of.dtype, of.shape, of.home});
      assign->value = named;
      std::for_each(first, behind, [&](Statement& each) { rename_uses(program_, each, value, named); });
      --definitions_[value.index];
      definitions_[named.index] = 1;
      named_.push_back({value, named});
    }
  }

  Program& program_;
  std::map<int, int> definitions_;  // by value: number of statements
  std::set<int> sums_;              // values that dots make
  std::vector<LastValue> named_;
};

}  // namespace

std::vector<LastValue> name_last_values(Program& program) { return LastValues(program).run(); }

void restore_names(Program& program, const std::vector<LastValue>& named) {
  for (Role& role : program.roles) {
    for (Statement& statement : role.body) {
      ForTiles* tiles = statement.as<ForTiles>();
      for (const LastValue& each : tiles ? named : std::vector<LastValue>()) {
        const auto computes = [&](const Statement& inner) { return defined_by(inner) == each.named; };
        const auto whole = std::find_if(tiles->body.begin(), tiles->body.end(), computes);
        if (whole == tiles->body.end()) continue;
        whole->as<Assign>()->value = each.value;
        std::for_each(whole + 1, tiles->body.end(),
                      [&](Statement& inner) { rename_uses(program, inner, each.named, each.value); });
      }
    }
  }
}

}  // namespace pallasgen::schedule
