#pragma once

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "emit/template.h"
#include "plan/plan.h"
#include "spelling.h"

namespace pallasgen {

// Prints the program of one role: a template of templates/statement for each statement.
class ProgramWriter {
 public:
  using View = nlohmann::ordered_json;

  // `error` is set by the first template that cannot be rendered; what is printed after that is nothing.
  ProgramWriter(const Plan& plan, const RolePlan& role, const Templates& templates, TemplateError& error);

  // The statements, one under the other, without a newline at the end.
  std::string write(const program::Statements& statements);
  bool failed() const { return failed_; }

  // One statement each.
  std::string operator()(const program::ForTiles& node);
  std::string operator()(const program::DeclareSteps& node);
  std::string operator()(const program::DeclareLet& node);
  std::string operator()(const program::ForSteps& node);
  std::string operator()(const program::ForStoreColumns& node);
  std::string operator()(const program::ForChunks& node);
  std::string operator()(const program::If& node);
  std::string operator()(const program::BarrierWait& node);
  std::string operator()(const program::ExpectBytes& node);
  std::string operator()(const program::TensorLoad& node);
  std::string operator()(const program::AsyncCopy& node);
  std::string operator()(const program::ArriveFilled& node);
  std::string operator()(const program::CommitCopies& node);
  std::string operator()(const program::WaitCopies& node);
  std::string operator()(const program::Release& node);
  std::string operator()(const program::Mma& node);
  std::string operator()(const program::MmaWait& node);
  std::string operator()(const program::AdvanceRing& node);
  std::string operator()(const program::TakeTurn& node);
  std::string operator()(const program::PassTurn& node);
  std::string operator()(const program::StoreAcquire& node);
  std::string operator()(const program::WarpgroupSync& node);
  std::string operator()(const program::StageChunk& node);
  std::string operator()(const program::FenceAsyncShared& node);
  std::string operator()(const program::TensorStore& node);
  std::string operator()(const program::StoreDrain& node);
  std::string operator()(const program::DeclareFragment& node);
  std::string operator()(const program::PackOperand& node);
  std::string operator()(const program::BindScalar& node);
  std::string operator()(const program::FillIfNoStep& node);
  std::string operator()(const program::Load& node);
  std::string operator()(const program::LoadShared& node);
  std::string operator()(const program::StoreGlobal& node);
  std::string operator()(const program::Elementwise& node);
  std::string operator()(const program::ForElements& node);
  std::string operator()(const program::ReduceLanes& node);
  std::string operator()(const program::ScanLanes& node);
  std::string operator()(const program::ForRange& node);
  std::string operator()(const program::WhileLoop& node);
  std::string operator()(const program::SetScalar& node);
  std::string operator()(const program::StoreElement& node);
  std::string operator()(const program::ReduceFragment& node);
  std::string operator()(const program::StoreTile& node);
  std::string operator()(const program::LoadTile& node);
  std::string operator()(const program::RoleSync& node);
  std::string operator()(const program::GridSync& node);
  std::string operator()(const program::TakeTicket& node);
  std::string operator()(const program::Check& node);
  std::string operator()(const program::LeaveOnFault& node);
  std::string operator()(const program::PollFault& node);
  std::string operator()(const program::Print& node);
  std::string operator()(const program::Assert& node);

 private:
  std::string render(const char* name, View view);
  std::string write(const program::Statement& statement);
  // `// text` above what it explains; nothing when a statement around has quoted the same.
  std::string quote(const std::string& text) const;

  std::string coordinate(const TypedPtr& expr) const { return cpp_coordinate(expr, spelling_); }
  std::string index(const TypedPtr& expr) const { return cpp_expression(expr, spelling_, IndexWidth::plain); }
  std::string fragment(int id) const;
  std::string axis(int id) const;
  std::string group() const;  // wg, or 0 where the role has one warpgroup
  std::string staging_of(int store) const;
  std::string slot_of(int ring, int field) const;  // smem.a[s]
  std::string part_of_tile(int field, const TypedPtr& offset);
  std::string slot_name(int ring) const;  // s, or ring.slot where no loop around names it
  // The body of a loop whose turns name the slots of these rings.
  std::string in_turn(const std::vector<int>& rings, const program::Statements& body);
  std::string previous_of(int ring) const;
  // The first step of a loop, and the one behind its last.
  struct StepBounds {
    std::string first, last;
  };
  StepBounds bounds_of(const program::ForSteps& node);
  std::string pointer(int ref) const;
  std::string part(const char* name) const;  // of the workspace, the plan's own; asserts that it is there
  // `fragment, pointer[, Axes<…>()], {extents}, {offsets}`: the arguments of load and store; block_at({extents},
  // {offsets}, {strides}) where the array has strides, or the block may begin before it or ends early.
  std::string access(int fragment, const program::Access& access) const;
  // The same for a value of `rank` dims.
  std::string access(const std::string& value, size_t rank, const program::Access& access) const;
  // The last two of these: where the block lies in its array.
  std::string place(const program::Access& access) const;
  std::string bulk_copy(const program::AsyncCopy& node, const std::string& slot);
  // The spelling in which LocalUse ids index `bindings`; `layout_of` is the fragment of an elementwise loop, or -1.
  Spelling reading(const std::vector<program::Binding>& bindings, int layout_of = -1) const;
  Spelling::Name binding(const std::vector<program::Binding>& bindings, int id, int layout_of) const;
  std::string tile_element(int field, int ring, const std::vector<TypedPtr>& index, const Spelling& spelling) const;
  // `x, {M, N}, {i, j}`: the arguments of the runtime's functions on one element of an array.
  std::string array_element(int ref, const std::vector<TypedPtr>& index, const Spelling& spelling) const;
  // `{M, N}, {i, j}` alone, whatever the array's strides are.
  std::string extents_and_index(int ref, const std::vector<TypedPtr>& index, const Spelling& spelling) const;
  std::string ordered_load(const program::Binding& binding, const std::string& outside, const Spelling& spelling) const;
  std::string inside_and(const program::StoreElement& node, const Spelling& spelling) const;
  std::string index_list(const std::vector<TypedPtr>& index, const Spelling& spelling) const;
  std::string atomic(const program::StoreElement& node, const std::string& condition, const std::string& target,
                     const std::string& value, const Spelling& spelling);
  std::string role_threads() const;  // how many there are: kThreads
  std::string role_warps() const;
  std::pair<std::string, std::string> share(const program::ForElements& node) const;
  std::string increment(const TypedPtr& value, const Spelling& spelling, const std::string& target) const;
  View slots(const std::vector<int>& rings) const;  // of rings whose slot is named at the top of a body
  std::string advances(const std::vector<int>& rings) const;

  const Plan& plan_;
  const RolePlan& role_;
  const Templates& templates_;
  TemplateError& error_;
  Spelling spelling_;
  bool failed_ = false;
  std::string tail_;                 // the comment at the end of the statement being printed
  std::vector<std::string> quoted_;  // by the statements around
  std::set<int> slots_;              // rings whose slots loops around have named
  std::set<int> keeps_previous_;     // rings one of whose releases names the slot of the step before
  std::set<int> declared_previous_;  // those that a loop in front of the statement, or around it, has declared
  StepBounds steps_, ended_;         // of the loop around the statement, and of the last one in front of it
  std::set<int> wide_scalars_;       // index values of the body that are declared as int64_t
  std::set<std::string> loop_variables_;
  // What the variables may be that loops of the spec count and that hold indices from data, by name.
  std::map<std::string, Bounds> variables_;
};

// Whether the role's program names `thread`, its number among the role's threads.
bool needs_thread(const RolePlan& role);

// Whether an int holds all of the range.
bool fits_int(const Bounds& range);

// `text` as a factor of a product, `i * text`.
std::string factor(const Number& number);

// `text` behind a division or a remainder, which end before the next factor: `i % (M * N)`.
std::string divisor(const std::string& text);

}  // namespace pallasgen
