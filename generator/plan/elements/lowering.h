#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "block_access.h"
#include "element_names.h"
#include "element_site.h"
#include "elements/run_time_checks.h"
#include "elements/uses.h"
#include "fragment_values.h"

namespace pallasgen {

// The statements of a role whose results are computed one element per thread and turn: values in tiles of shared
// memory, numbers in variables of all threads. Which they are is said by the homes of the values (plan/homes.h).
class ElementLowering {
 public:
  // `declared`: the values that have a variable where the statement under way stands.
  ElementLowering(Draft& draft, const tile::Program& program, const tile::Role& role, FragmentValues& values,
                  std::set<int>& declared);

  // While it lives, statements of all threads go to `out`, which is the body of a loop, of a branch or of the role:
  // names that are taken there are free behind it.
  class Body {
   public:
    Body(ElementLowering& lowering, program::Statements& out);
    ~Body();
    Body(const Body&) = delete;
    Body& operator=(const Body&) = delete;

   private:
    ElementLowering& lowering_;
    program::Statements* outer_;
    std::map<int, struct ElementSource> locals_;
    std::vector<tile::Box> checked_;
    size_t depth_;
    NameScope scope_;
  };

  // Before anything else of a statement: what faults say of it.
  void begin_statement(const tile::Statement& statement) { statement_text_ = statement.origin; }
  // Lowers a statement of which goes_by_elements() holds, and which `next` (may be null) follows. False after a
  // refusal.
  bool lower(const tile::Statement& statement, const tile::Statement* next);
  // A condition, a bound of a loop, computed before where that takes statements. Null after a refusal.
  TypedPtr condition(const TypedPtr& expr, const std::string& name, std::vector<program::Binding>& bindings);
  TypedPtr bound_of(const TypedPtr& bound, const std::string& name, std::vector<program::Binding>& bindings);
  // Statements that a condition takes in each turn of a loop go to `before`.
  TypedPtr condition_in(program::Statements& before, const TypedPtr& expr, std::vector<program::Binding>& bindings);
  // A variable of its own that all threads hold, declared here with this value.
  int add_variable(const std::string& name, DType dtype, TypedPtr value);
  program::Statement set_scalar(int scalar, TypedPtr value, std::vector<program::Binding> bindings, bool declares,
                                bool constant) const;
  TypedPtr bind_scalar(int scalar, Span span, ElementSite& site) const;
  // The values of the loop's variable, for what is known of indices inside.
  void enter_loop(const tile::For& loop);
  void leave_loop(const tile::For& loop);
  // Steps along an axis.
  void enter_steps(int axis) { checks_.enter(axis); }
  void leave_steps(int axis) { checks_.leave(axis); }
  // Under run-time checks: what is violated where a box lies outside, and what a loop does after a fault.
  void check_box(const tile::Box& box);
  void leave_on_fault(program::Statements& body) const { checks_.leave_on_fault(body); }
  void end_after_fault(program::WhileLoop& loop);
  // The value is an entry's member, in the current slot of the ring.
  void hold_in_ring(tile::ValueId value, int ring, int member);
  // Makes what the value is kept in: its tile, or its variable where nothing has declared it.
  void declare(tile::ValueId value);
  // The tile of a value in shared memory.
  int tile_of(tile::ValueId value);

  // The largest number of elements that one statement computes.
  int64_t largest() const { return largest_; }
  // The largest number of warps that one reduction keeps busy; 0: none does.
  int64_t warps() const { return warps_; }
  // Bytes from and to global memory, each statement once.
  double bytes() const { return bytes_; }

 private:
  friend class Body;
  using Home = ElementHome;
  using Source = ElementSource;

  // statements.cpp
  bool assign(tile::ValueId value, const TypedPtr& expr, const std::string& origin);
  bool fill(tile::ValueId value, const TypedPtr& expr);
  bool assign_number(tile::ValueId value, const TypedPtr& expr, const std::string& origin);
  bool read(const tile::Read& read, const std::string& origin);
  bool write(const tile::Write& write);
  bool fetch(const tile::Fetch& fetch);
  bool flush(const tile::Flush& flush);
  bool write_box(const tile::Box& box, const TypedPtr& value, const std::string& comment);
  bool print(const tile::Statement& statement, const PrintStmt& print);
  std::string printed_text(Span span, size_t argument) const;
  bool check(const AssertStmt& assertion);
  Source source_of(int value);
  bool is_trivial(const TypedPtr& value) const;
  bool can_inline(tile::ValueId value, const TypedPtr& expr);
  bool stays(const TypedPtr& expr);
  void choose_home(int ref);
  // The tile is that of scratch of a scope, where the ref is.
  void note_scope(int ref, int field);
  bool reads_buffer(int input) const;
  bool changes(int ref) const;
  void refuse(Span span, const std::string& what, const std::string& remedy);
  // stores.cpp
  bool take_store(const tile::Statement& statement, const StoreStmt& store);
  bool reads_elsewhere(const program::Statements& body) const;
  bool read_before(Span span, int ref, std::vector<TypedPtr> operands, const std::vector<IndexItem>& items,
                   const program::Statements& body, const std::function<bool()>& fill);
  bool store_whole_scalar(const tile::Statement& statement, const StoreStmt& store, const Source& to);
  // A loop over all elements of `tile` with `value`; through a second tile where it reads the first elsewhere.
  bool fill_tile(int field, const TypedPtr& value);
  // effects.cpp
  bool take_atomic(const tile::Statement& statement, const AtomicStmt& atomic);

  // values.cpp: one element of a value as an expression. Null after a refusal.
  TypedPtr element(const TypedPtr& node, const Coordinates& at, ElementSite& site);
  TypedPtr element_of_apply(const TypedPtr& node, const Apply& apply, const Coordinates& at, ElementSite& site);
  TypedPtr element_of_ref(const TypedPtr& node, const RefRead& read, const Coordinates& at, ElementSite& site);
  TypedPtr element_at(int ref, const Coordinates& at, Span span, ElementSite& site,
                      std::optional<program::MemoryOrder> order = {});
  TypedPtr element_in_array(int ref, const ArrayPlace& place, Span span, ElementSite& site,
                            std::optional<program::MemoryOrder> order = {});
  TypedPtr element_in_slot(const Source& source, const Coordinates& at, const TypedPtr& node, ElementSite& site);
  TypedPtr element_of_source(const Source& source, const TypedPtr& node, const Coordinates& at, ElementSite& site);
  TypedPtr scalar_arms(const TypedPtr& node, const Apply& apply, const Coordinates& at, ElementSite& site);
  TypedPtr concatenation(const TypedPtr& node, const Apply& apply, const Coordinates& at, ElementSite& site);
  TypedPtr valid(const TypedPtr& node, int ref, const Coordinates& at, ElementSite& site);
  // Where an element of a box lies in its array; of a place of which all stores go to memory, of its block.
  ArrayPlace box_place(const tile::Box& box, const Coordinates& at, ElementSite& site);
  ArrayPlace place_of(int ref, const Coordinates& at, ElementSite& site);
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
  // An index expression without uses of named values: integers that are read become variables of the site.
  TypedPtr index_of(const TypedPtr& expr, ElementSite& site);
  TypedPtr hoisted_index(const TypedPtr& expr, ElementSite& site);
  // checks.cpp
  TypedPtr checked_index(const IndexedRange& range, size_t dim, const TypedPtr& coordinate, ElementSite& site);
  // The condition (may be null), where no check of the site's indices has found one outside.
  static TypedPtr where_inside(TypedPtr condition, const ElementSite& site);
  void check_nan(int ref, program::StoreElement& out, const ArrayPlace& place, ElementSite& site);
  program::Statement poll_fault();
  TypedPtr no_fault_seen(ElementSite& site) const;
  TypedPtr bind(program::Binding binding, const std::string& name, Span span, DType dtype, ElementSite& site) const;

  // reductions.cpp
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

  // warps.cpp
  // Whether a warp computes each result of a reduction, or walks each line of a scan, the lanes taking its terms in
  // turn.
  bool takes_warps(const TypedPtr& node) const;
  bool scan_by_warps(const TypedPtr& node, const Apply& apply, int field);
  std::optional<Source> reduce_by_warps(const TypedPtr& node, const std::string& name);
  std::optional<Source> scalar_of_parts(const TypedPtr& node, const std::string& name, int field, int64_t parts);

  // tiles.cpp
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
  SymbolFacts facts() const;
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
  const tile::Program& program_;
  FragmentValues& values_;
  std::set<int>& declared_;
  const ElementUses uses_;
  ElementNames names_;
  RunTimeChecks checks_;
  int fault_seen_ = -1;                      // tile of PollFault; -1: none yet
  std::vector<tile::Box> checked_;           // in the body under way or around it
  program::Statements* body_ = nullptr;      // statements of all threads, where the one under way will stand
  size_t body_depth_ = 1;                    // scopes of names around `body_`
  const tile::Statement* next_ = nullptr;    // behind the one under way
  std::string statement_text_;               // the statement under way as the spec has it, for faults
  std::string target_;                       // what the statement under way assigns, for the names of what it needs
  std::map<int, Source> refs_, locals_;      // locals: by value
  std::map<const Typed*, Source> computed_;  // by the statement under way, before it
  std::map<int, int> tiles_;                 // by value: fields
  std::map<int, std::vector<Number>> tile_sizes_;
  const Typed* loading_ = nullptr;          // the load that load_once is writing
  std::map<std::string, int64_t> extents_;  // of the loop variables around
  int64_t largest_ = 1, warps_ = 0;
  double bytes_ = 0;
};

}  // namespace pallasgen
