#pragma once

#include <map>

#include "forms.h"
#include "loop_nest.h"

namespace pallasgen::schedule {

// The blocks of outputs that are no views: at which depth of the loops each begins and is written back.
class Outputs {
 public:
  // `guards`: statements of programs without a step.
  Outputs(const Kernel& kernel, tile::Program& program, Translation& translation, const LoopNest& nest,
          const std::vector<const tile::Block*>& guards);

  // The number of loops around the beginning and the end of the block.
  size_t depth_of(int ref) const { return outputs_.at(ref).depth; }
  // True if a block is written back after all loops unless there was no step.
  bool depends_on_steps() const;

  // Adds the beginnings, or the ends, of blocks at this depth. `no_step`: null if every program has a step.
  void open(size_t depth, const TypedPtr& no_step, tile::Block& out) const;
  void close(size_t depth, const TypedPtr& no_step, tile::Block& out) const;
  // Notes in the innermost loop that there is a step.
  void note_step(tile::Block& out) const;
  // Initializes, before the guards of a program without a step, the blocks that these may not write, so that writing
  // the blocks back changes nothing.
  void keep_filled(tile::Block& out) const;

 private:
  struct Output {
    size_t depth = 0;
    // Whether the guards of a program without a step write it; elements that they do not write stay as in memory.
    enum class Guards : uint8_t { never, perhaps, surely } guards = Guards::surely;
    // A variable that is true after a step since the block began; none if a condition of sizes says so.
    std::optional<tile::ValueId> stepped = {};
    bool keeps = false;     // it may leave elements unwritten
    bool replaced = false;  // a guard that every program runs writes all of it, and nothing reads it
  };

  Output made(int ref, const tile::Box& box, const std::vector<const tile::Block*>& guards);
  bool each_step_writes(int ref) const;  // all of it
  bool is_read(int ref) const;
  TypedPtr has_stepped(const Output& output) const;
  tile::Statement filled(int ref) const;
  tile::Statement set(const Output& output, bool to) const;

  const Kernel& kernel_;
  const tile::Program& program_;
  Translation& translation_;
  const LoopNest& nest_;
  std::map<int, Output> outputs_;
};

}  // namespace pallasgen::schedule
