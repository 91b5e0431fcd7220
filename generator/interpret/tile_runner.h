#pragma once

#include "statements.h"
#include "tile/program.h"

namespace pallasgen::interpreter {

// Runs what a tile program does for one program of the grid. Throws Fault where a rule is broken.
class TileRunner {
 public:
  // `runner` evaluates in `environment`, whose blocks are one per ref.
  TileRunner(const tile::Program& program, Environment& environment, StatementRunner& runner);

  // At the environment's parallel axes.
  void run();

 private:
  void run(const tile::Block& block);
  void run(const tile::Statement& statement);
  void loop(const tile::For& loop, Span span);
  void move(const Symbol& variable, int64_t to);
  Block block_at(const tile::Box& box);
  Value& value(tile::ValueId id) { return env_.locals[static_cast<size_t>(id.index)]; }
  // An expression's value, with the dtype and shape of what it is assigned to.
  Value evaluated(const TypedPtr& expr, const tile::Value& to);

  const tile::Program& program_;
  Environment& env_;
  StatementRunner& runner_;
};

}  // namespace pallasgen::interpreter
