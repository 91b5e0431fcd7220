#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "access.h"
#include "block_access.h"
#include "body.h"
#include "draft.h"
#include "element_names.h"
#include "element_site.h"

namespace pallasgen {

// Plans a body of any form: values in tiles, one element of the result per thread and turn.
class ElementPlanner {
 public:
  // `in_rings`, by ref: what a producer brings into the current slots of rings of the draft's plan, which the steps (a
  // tile without steps) read there; what stands before and after the steps reads global memory.
  explicit ElementPlanner(Draft& draft, std::map<int, InRing> in_rings = {});

  // What one tile of the grid runs, steps included. Null after a refusal. Adds tiles (SharedMemory::fields) and scalars
  // to the draft's plan.
  std::optional<program::Statements> run();

  // The largest number of elements that one statement computes.
  int64_t largest() const { return largest_; }
  // The largest number of warps that one reduction keeps busy; 0: none does.
  int64_t warps() const { return warps_; }
  // Whether threads stay in the kernel when a fault is found.
  bool stays() const { return stays_; }
  // Bytes from and to global memory in one step.
  double bytes() const { return bytes_; }

 private:
  // Where a ref, a named value or a computed one is.
  enum class Home : uint8_t { global, tile, scalar, inlined };
  struct Source {
    Home home = Home::global;
    int id = -1;              // tile: field; scalar: of Plan::scalars
    TypedPtr value;           // inlined
    std::string name;         // of the tile or scalar; inlined: of the value
    std::string quoted = {};  // inlined: the statement that it comes from
  };

  // element_uses.cpp: what the body does with names and refs, and where refs live.
  void find_uses(const KernelStmts& statements, int depth);
  void find_uses(const TypedPtr& value, int depth);
  bool choose_home(int ref);
  bool is_input_read(const Ref& output) const;

  // element_sections.cpp: what runs before, in and after the steps.
  bool run_plain(program::Statements& out);
  bool run_steps(program::Statements& out);
  bool run_without_step(program::Statements& out);
  GuardKind guard(const KernelStmt& statement) const;
  bool uses_step_values(const KernelStmts& statements) const;
  program::Statement when_no_step(program::Statements then, program::Statements otherwise) const;
  bool starts(program::Statements& out);
  bool start_as_input(int ref, program::Statements& out);
  bool start_moving(int axis, program::Statements& steps);
  static bool moves_each_step(const Ref& ref, int axis);
  bool write_back(int ref, program::Statements& out);
  bool write_back_moving(int axis, program::Statements& out);
  int moving_axis(int ref) const;

  // element_statements.cpp
  bool take_all(const KernelStmts& statements);
  bool take(const KernelStmt& statement);
  bool take_bind(const KernelStmt& statement, const BindStmt& bind);
  bool take_when(const KernelStmt& statement, const WhenStmt& when);
  bool take_for(const KernelStmt& statement, const ForStmt& loop);
  TypedPtr bound_of(const TypedPtr& bound, ElementSite& site);
  bool take_while(const KernelStmt& statement, const WhileStmt& loop);
  // element_stores.cpp
  bool take_store(const KernelStmt& statement, const StoreStmt& store);
  bool reads_elsewhere(const program::Statements& body) const;
  bool read_before(const KernelStmt& statement, int ref, std::vector<TypedPtr> operands,
                   const std::vector<IndexItem>& items, const program::Statements& body,
                   const std::function<bool()>& fill);
  bool store_whole_scalar(const KernelStmt& statement, const StoreStmt& store, const Source& to);
  // A loop over all elements of `tile` with `value`; through a second tile where it reads the first elsewhere.
  bool fill_tile(int field, const TypedPtr& value);
  // element_effects.cpp
  bool take_atomic(const KernelStmt& statement, const AtomicStmt& atomic);
  bool take_scope(const ScopeStmt& scope);
  bool take_assert(const KernelStmt& statement, const AssertStmt& assertion);
  bool take_print(const KernelStmt& statement, const PrintStmt& print);
  // Statements with braces around them in generated code; a section of those around it, without.
  bool take_block(const KernelStmts& statements, program::Statements& out);
  bool take_section(const KernelStmts& statements, program::Statements& out);
  bool is_trivial(const TypedPtr& value) const;
  bool must_be_checked(const BindStmt& bind) const;
  bool can_inline(const BindStmt& bind) const;
  void refuse(Span span, const std::string& what, const std::string& remedy);

  // element_values.cpp: one element of a value as an expression. Null after a refusal.
  TypedPtr element(const TypedPtr& node, const Coordinates& at, ElementSite& site);
  TypedPtr element_of_apply(const TypedPtr& node, const Apply& apply, const Coordinates& at, ElementSite& site);
  TypedPtr element_of_ref(const TypedPtr& node, const RefRead& read, const Coordinates& at, ElementSite& site);
  TypedPtr element_at(int ref, const Coordinates& at, Span span, ElementSite& site,
                      std::optional<program::MemoryOrder> order = {});
  TypedPtr element_in_slot(int ref, const InRing& place, const Coordinates& at, Span span, ElementSite& site);
  TypedPtr element_of_source(const Source& source, const TypedPtr& node, const Coordinates& at, ElementSite& site);
  TypedPtr element_of_arms(const TypedPtr& node, const TypedPtr& condition, const std::vector<TypedPtr>& arms,
                           const Coordinates& at, ElementSite& site);
  TypedPtr scalar_arms(const TypedPtr& node, const Apply& apply, const Coordinates& at, ElementSite& site);
  TypedPtr concatenation(const TypedPtr& node, const Apply& apply, const Coordinates& at, ElementSite& site);
  TypedPtr valid(const TypedPtr& node, int ref, const Coordinates& at, ElementSite& site);
  // What an index selects from, for run-time checks: how many elements it has along each dim, and where it is used at
  // all. No extents: nothing to check.
  struct IndexedRange {
    std::string name;
    std::vector<TypedPtr> extents;
    TypedPtr mask;       // null: always
    bool clips = false;  // what lies behind is past the end of the array, as of a view
  };
  // Coordinates in what is indexed, for an element of the result; null after a refusal.
  std::optional<Coordinates> indexed(const std::vector<IndexItem>& items, const Coordinates& at, ElementSite& site,
                                     const IndexedRange& range);
  IndexedRange range_of(int ref, TypedPtr mask) const;

  // element_checks.cpp: run-time checks.
  bool checks(const char* which) const;
  program::Statement check(const std::string& fault, TypedPtr violated, std::vector<program::Binding> bindings);
  TypedPtr checked_index(const IndexedRange& range, size_t dim, const TypedPtr& coordinate, ElementSite& site);
  // Where an element is stored after `site` has found all of its indices inside, `condition` (may be null) besides.
  static TypedPtr where_inside(TypedPtr condition, const ElementSite& site);
  void check_blocks(program::Statements& out);
  void check_nan(int ref, program::StoreElement& out, const ArrayPlace& place, ElementSite& site);
  void leave_on_fault(program::Statements& out) const;
  program::Statement poll_fault();
  TypedPtr no_fault_seen(ElementSite& site) const;
  void pass_after_fault(program::Statements& out, size_t first);
  void end_after_fault(program::WhileLoop& loop, const program::Statements& body);
  // An index expression without uses of named values: integers that are read become variables of the site.
  TypedPtr index_of(const TypedPtr& expr, ElementSite& site);
  TypedPtr hoisted_index(const TypedPtr& expr, ElementSite& site);
  TypedPtr bind(program::Binding binding, const std::string& name, Span span, DType dtype, ElementSite& site) const;
  TypedPtr bind_scalar(int scalar, Span span, ElementSite& site) const;

  // element_reductions.cpp
  // A reduction under way: its variables, where its terms are, and what one of them does.
  struct Reduction {
    DType dtype = DType::f32;       // in which elements are combined
    int total = -1, position = -1;  // scalars; of argmax and argmin both, the best value and where it is
    Coordinates inner = {};         // of a term in the operand
    std::vector<size_t> dims = {};  // the loops over the terms: of the operand's dims
    int64_t length = 1;             // terms of a result
    program::Statements term = {};
  };
  Reduction totals(const TypedPtr& node, const Apply& apply);
  bool add_terms(Reduction& reduction, const TypedPtr& node, const Apply& apply, const Coordinates& at, int64_t turns);
  void add_candidate(Reduction& reduction, const TypedPtr& node, const Apply& apply, const TypedPtr& value,
                     std::vector<program::Binding> bindings);
  void start(const Reduction& reduction, const TypedPtr& node, const Apply& apply, program::Statements& out);
  TypedPtr result_of(const Reduction& reduction, const TypedPtr& node, const Apply& apply, ElementSite& site) const;
  TypedPtr reduction(const TypedPtr& node, const Apply& apply, const Coordinates& at, ElementSite& site);
  TypedPtr dot(const TypedPtr& node, const Apply& apply, const Coordinates& at, const TypedPtr& start,
               const Coordinates& start_at, ElementSite& site);
  bool scan(const TypedPtr& node, const Apply& apply, int field);
  // `for` over `size` along dim `dim` of a value of `shape`, around `body`.
  program::Statement loop_along(const std::string& variable, const Number& size, program::Statements body) const;

  // element_warps.cpp
  // Whether a warp computes each result of a reduction, or walks each line of a scan, the lanes taking its terms in
  // turn.
  bool takes_warps(const TypedPtr& node) const;
  bool scan_by_warps(const TypedPtr& node, const Apply& apply, int field);
  std::optional<Source> reduce_by_warps(const TypedPtr& node, const std::string& name);
  std::optional<Source> scalar_of_parts(const TypedPtr& node, const std::string& name, int field, int64_t parts);

  // element_tiles.cpp
  Number size_of(const TypedPtr& node, size_t dim) const;
  Number size_as_block(const Shape& shape, size_t dim) const;
  std::vector<Number> sizes_of(const TypedPtr& node) const;
  std::vector<Number> sizes_of_ref(int ref) const;
  int add_tile(const std::string& name, DType dtype, const std::vector<Number>& sizes);
  int add_scalar(const std::string& name, DType dtype);
  // The whole of a value in a tile (a scalar: in a variable of all threads), computed before the statement under way.
  std::optional<Source> materialise(const TypedPtr& node, std::string name = {});
  // The same of a load with an order, which takes place once for each element, a scalar's in one thread for all.
  std::optional<Source> load_once(const TypedPtr& node);
  std::string wanted_name(const TypedPtr& node) const;
  // The loop over all elements of a result: its dims of more than one element, their variables, and where in the result
  // an element is.
  struct ElementLoop {
    std::vector<Number> shape;
    std::vector<std::string> coordinates;
    Coordinates at;
  };
  ElementLoop loop_over(const std::vector<Number>& sizes, const TypedPtr& value);
  program::Statement for_elements(const ElementLoop& loop, program::Statements body);
  // Gives what the list got since `first` the statement of the spec as its heading.
  static void quote(program::Statements& list, size_t first, const std::string& text);
  program::Statement set_scalar(int scalar, TypedPtr value, std::vector<program::Binding> bindings, bool declares,
                                bool constant) const;
  SymbolFacts facts() const;
  TypedPtr at_place(const TypedPtr& expr) const { return placed(kernel_, {expr}, place_).front(); }
  std::vector<IndexItem> at_place(std::vector<IndexItem> items) const;
  // Calls `plan`, which writes statements before the loops under way: it sees none of their variables, whose names are
  // free for others.
  template <class Plan>
  auto before_loops(Plan plan) {
    names_.leave(body_depth_);
    const std::map<std::string, int64_t> extents = extents_;
    auto result = plan();
    extents_ = extents;
    names_.resume();
    return result;
  }

  Draft& draft_;
  const Kernel& kernel_;
  const std::map<int, InRing> in_rings_;
  ElementNames names_;
  StepPlace place_ = StepPlace::in_loop;
  program::Statements* body_ = nullptr;  // statements of all threads, where the one under way will stand
  int stepped_ = -1;                     // scalar: a step has run; -1: the sizes tell
  // A thread that has found a fault stays, because others would wait for it: a producer for the slots that it releases,
  // other programs in grid_sync().
  bool stays_ = false;
  bool from_memory_ = false;    // inputs are read there, slots or not
  int fault_seen_ = -1;         // tile of PollFault; -1: none yet
  size_t body_depth_ = 1;       // scopes of names around `body_`
  std::string statement_text_;  // the statement under way as the spec has it, for faults
  std::string target_;          // what the statement under way assigns, for the names of what it needs
  std::map<int, Source> refs_, locals_;
  std::map<const Typed*, Source> computed_;  // by the statement under way, before it
  int guards_ = 0;                           // around what find_uses is at: guards and loops
  std::map<int, int> guards_of_;             // of locals: around where they are first assigned
  bool in_bind_ = false;                     // the value that is looked at is a name's
  std::set<int> used_always_;                // locals that a statement between the same guards uses
  std::map<int, int> uses_, depths_;         // of locals: uses, loops around where they are first assigned
  std::set<int> rebound_;                    // locals
  std::set<int> read_, written_, updated_;   // refs; updated: by atomics
  std::map<int, int> stores_;                // of refs: statements
  std::map<int, std::vector<Number>> tile_sizes_;
  const Typed* loading_ = nullptr;          // the load that load_once is writing
  std::map<std::string, int64_t> extents_;  // of the loop variables around
  std::map<int, Bounds> loops_;             // of the loops of the spec around, by ForStmt::loop
  int64_t largest_ = 1, warps_ = 0;
  double bytes_ = 0;
};

}  // namespace pallasgen
