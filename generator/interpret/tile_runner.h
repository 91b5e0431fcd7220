#pragma once

#include "statements.h"
#include "tile/program.h"

namespace pallasgen::interpreter {

// How a role exchanges entries with others.
class Channels {
 public:
  struct Given {
    std::vector<int64_t> at;  // the entry's coordinates
    Value value;
  };
  virtual ~Channels() = default;
  virtual void put(const tile::Entry& entry, Given value, Span span) = 0;
  virtual Value get(const tile::Entry& entry, const std::vector<int64_t>& at, Span span) = 0;
  // Runs a statement of the protocol of channels.
  virtual void meet(const tile::Statement& statement) = 0;
  // Is called before each statement of the role. `ahead`: for a put, how many entries after the current one.
  virtual void before(const tile::Statement& statement, int64_t ahead) = 0;
};

// Runs a role of a tile program for one program of the grid. Throws Fault if a rule is broken.
class TileRunner {
 public:
  // `runner` evaluates in `environment`, whose blocks are one per ref. `channels` may be null if the role has none.
  TileRunner(const tile::Program& program, const tile::Role& role, Environment& environment, StatementRunner& runner,
             Channels* channels);

  // Runs the role at the environment's parallel axes.
  void run();

 private:
  void run(const tile::Block& block);
  void run(const tile::Statement& statement);
  void loop(const tile::For& loop, Span span);
  void move(const Symbol& variable, int64_t to);
  Block block_at(const tile::Box& box);
  Value gathered_in(const tile::Box& box, size_t dim, const Shape& shape, Span span);
  Value elements_in(const tile::Box& box, const Shape& shape, Span span);
  Value& value(tile::ValueId id) { return env_.locals[static_cast<size_t>(id.index)]; }
  // An expression's value, with the dtype and shape of what it is assigned to.
  Value evaluated(const TypedPtr& expr, const tile::Value& to);

  std::vector<int64_t> coordinates(const tile::Entry& entry);

  const tile::Program& program_;
  const tile::Role& role_;
  Environment& env_;
  StatementRunner& runner_;
  Channels* channels_;
};

}  // namespace pallasgen::interpreter
