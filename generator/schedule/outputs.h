#pragma once

#include <map>

#include "forms.h"
#include "nest.h"

namespace pallasgen::schedule {

// The blocks of outputs that are no views: where in the loops each begins, and where it is written back.
class Outputs {
 public:
  // `guards`: what programs without a step run.
  Outputs(const Kernel& kernel, tile::Program& program, Translation& translation, const Nest& nest,
          const std::vector<const tile::Block*>& guards);

  // How many loops stand around the block's beginning and end.
  size_t depth_of(int ref) const { return outputs_.at(ref).depth; }
  // Whether one is written back behind all loops unless there was no step.
  bool asks_for_step() const;

  // The beginnings and the ends of blocks in as many loops. `no_step`: null where each program has one.
  void open(size_t depth, const TypedPtr& no_step, tile::Block& out) const;
  void close(size_t depth, const TypedPtr& no_step, tile::Block& out) const;
  // Notes in the innermost loop that there is a step.
  void note_step(tile::Block& out) const;
  // Before the guards of a program without a step, blocks that these need not write are such that writing them back
  // changes nothing.
  void keep_filled(tile::Block& out) const;

 private:
  struct Output {
    size_t depth = 0;
    // Whether the guards of a program without a step write it; what they leave alone stays as the launcher filled it.
    enum class Guards : uint8_t { never, perhaps, surely } guards = Guards::surely;
    // Whether there was a step since the block began, where no condition of sizes says so.
    std::optional<tile::ValueId> stepped = {};
    bool keeps = false;     // it may leave elements alone
    bool replaced = false;  // a guard that every program runs writes all of it, and nothing reads it
  };

  Output made(int ref, const tile::Box& box, const std::vector<const tile::Block*>& guards);
  bool each_step_writes(int ref) const;  // all of it
  bool is_read(int ref) const;
  TypedPtr turned(const Output& output) const;
  tile::Statement filled(int ref) const;
  tile::Statement set(const Output& output, bool to) const;

  const Kernel& kernel_;
  const tile::Program& program_;
  Translation& translation_;
  const Nest& nest_;
  std::map<int, Output> outputs_;
};

}  // namespace pallasgen::schedule
