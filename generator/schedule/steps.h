#pragma once

#include <functional>
#include <vector>

#include "forms.h"
#include "loop_nest.h"
#include "outputs.h"
#include "tile/walk.h"

namespace pallasgen::schedule {

// Builds the loops over the steps of a kernel around its translated body.
class Steps {
 public:
  Steps(const Kernel& kernel, tile::Program& program, Translation& translation);

  // The statements of one program of the grid.
  tile::Block run();

 private:
  // A statement at the top of the body.
  struct Item {
    const KernelStmt* from;
    tile::Block made;
    tile::Touched touched;
    GuardKind guard = GuardKind::none;  // of all loops
    GuardKind inner = GuardKind::none;  // of the innermost of several alone
    bool moved = false;                 // out of the step
  };

  void find_items();
  void move_invariants();
  // Puts a binding before the loop that has `depth` loops around it.
  void move_before(Item& item, size_t depth);
  bool is_cheaper_in_step(const Item& item) const;
  void move_guards();
  void move_guards(size_t depth, GuardKind Item::* kind,
                   const std::function<tile::Block(tile::Block, GuardKind)>& placed);
  bool may_pass(const Item& guard, const Item& other) const;
  // True if a ref of one set shares a buffer with a ref of the other.
  bool share_buffer(const std::set<int>& a, const std::set<int>& b) const;
  bool may_leave_loop(const Item& guard, size_t depth) const;
  TypedPtr no_step() const;
  static const tile::Block& body_of(const Item& guard) { return guard.made[0].as<tile::If>()->then; }
  bool reads(const tile::Touched& used, int ref) const;
  bool may_fail_early(const Item& item) const;
  tile::Block guarded_by_steps(tile::Statement statement, size_t depth) const;
  void read_inputs(const tile::Touched& used, tile::Block& out, size_t depth);
  tile::Block step();
  tile::Block loops(size_t depth);
  tile::Block without_step();

  const Kernel& kernel_;
  tile::Program& program_;
  Translation& translation_;
  const LoopNest nest_;
  std::vector<Item> items_;
  std::vector<tile::Block> heads_;   // by depth: statements before the loop at that depth, ...
  std::vector<tile::Block> behind_;  // ... and guards of its last step after it
  std::map<int, size_t> depths_;     // of values that do not change with every step
  std::set<int> read_, at_head_;     // refs whose block has been read; refs whose block must be read before all else
  std::optional<Outputs> outputs_;
  std::optional<tile::ValueId> stepped_;
};

}  // namespace pallasgen::schedule
