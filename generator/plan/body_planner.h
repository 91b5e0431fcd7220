#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "block_reads.h"
#include "body.h"
#include "partial_tiles.h"

namespace pallasgen {

// Plans a body whose values are fragments: elementwise over blocks, and, where the frame has rows, reduced along them.
class BodyPlanner {
 public:
  BodyPlanner(Draft& draft, const BlockFrame& frame)
      : draft_(draft), kernel_(*draft.kernel), frame_(frame), reads_(draft, frame) {}

  std::optional<PlannedBody> run();

 private:
  struct Local {
    TypedPtr value;
    std::string text;
    int fragment;
    bool left = false;  // the section in which it was computed is over
  };

  // body.cpp: sections, statements, what goes to memory.
  bool run_sections();
  void leave_section();
  GuardKind guard(const KernelStmt& statement) const;
  void count_stores(const KernelStmts& statements);
  bool take_all(const KernelStmts& statements);
  bool take(const KernelStmt& statement);
  bool take_when(const KernelStmt& statement, const WhenStmt& when);
  bool take_bind(const KernelStmt& statement, const BindStmt& bind);
  bool take_store(const KernelStmt& statement, const StoreStmt& store);
  bool take_part(const KernelStmt& statement, const StoreStmt& store);
  void store_block(int ref, int fragment, const Loop& loop, program::Statements& where);
  TypedPtr any_step() const;
  bool always_stored(int ref) const;
  bool write_back();
  bool moves_each_step(const Ref& ref) const;
  bool is_persistent(int ref) const;
  std::string block_name(const Ref& ref) const;
  TypedPtr at_place(const TypedPtr& expr) const { return placed(kernel_, {expr}, place_).front(); }

  // body_values.cpp: values in fragments.
  int declare(const std::string& name, DType dtype, const Loop& loop, bool persistent = false);
  // Whether a binding of this value has a fragment of its own; the loop over it.
  std::optional<Loop> loop_of_binding(const TypedPtr& value) const;
  // target = value, which broadcasts to a block of `shape`.
  bool compute(int target, const TypedPtr& value, const Shape& shape, const Loop& loop);
  std::optional<Leaf> bind(const TypedPtr& leaf, const std::vector<int>& dims, const Loop& loop);
  std::optional<Leaf> bind_input(const TypedPtr& leaf, const RefRead& read, const std::vector<int>& dims,
                                 const Loop& loop);
  // What stands for a reduction along rows, which is computed before the statement under way.
  std::optional<Leaf> reduction(const TypedPtr& node);
  bool reduce_into(int target, const Apply& reduction);
  // The statement of the spec, above the first of what it becomes.
  std::string heading() { return std::exchange(quoted_, {}); }
  // A fragment with the mean of each row, of which `sum` is the sum.
  int mean_of(int sum, const Loop& rows);
  // valid(ref) at these coordinates of its block.
  TypedPtr inside(int ref, const std::vector<TypedPtr>& at) const;
  BoundLeaf slot(program::SlotKind kind, int fragment) const;

  Draft& draft_;
  const Kernel& kernel_;
  const BlockFrame& frame_;
  BlockReads reads_;
  PlannedBody out_;
  Section* section_ = nullptr;
  StepPlace place_ = StepPlace::in_loop;
  bool fine_ = true;
  std::string quoted_;  // the statement under way, until its heading is written
  std::map<int, std::vector<const StoreStmt*>> stores_;
  std::map<int, Local> locals_;
  std::map<int, int> fragments_;  // ref -> fragment
  std::map<int, Loop> loops_;     // of fragments that are declared here
  std::map<int, int64_t> fragment_registers_;
  std::map<TypedPtr, int> reduced_;  // reductions of the statement under way: the local that stands for each
  int unnamed_ = 0;                  // such locals
  std::set<int> written_;
  std::set<int> written_without_step_;  // before or after the steps
  PartialTiles partials_;
};

}  // namespace pallasgen
