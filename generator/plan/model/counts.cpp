#include "model/counts.h"

#include <algorithm>
#include <set>

#include "layout/warps.h"
#include "model/instruction_slots.h"
#include "model/loop_lanes.h"
#include "program/program_walk.h"

namespace pallasgen {

namespace {

using namespace program;

// Iterations of a loop over elements whose loads the compiler issues together.
constexpr double kUnrolled = 4;

double bytes_of(DType dtype) { return info(dtype).bits / 8.0; }

class Counter {
 public:
  Counter(const Plan& plan, const Example& example)
      : plan_(plan), example_(example), accesses_(plan, example, known()), lanes_at_(known()) {}

  CountedTile run() {
    counted_.steps = 1;
    for (const Axis& axis : plan_.kernel->axes) {
      if (!axis.sequential) continue;
      const int64_t size = size_of(axis);
      counted_.by_data = counted_.by_data || !example_.value(axis.size, known());
      counted_.steps *= static_cast<double>(std::max<int64_t>(1, size));
      axes_[static_cast<int>(&axis - plan_.kernel->axes.data())] = size / 2;
    }
    axes_.clear();
    Counts steps;
    for (const RolePlan& role : plan_.roles) {
      threads_ = static_cast<double>(role.warps * kWarp);
      lanes_ = threads_;
      walk(role.program, 1, steps);
    }
    counted_.step.add(steps, 1 / counted_.steps);
    counted_.step.in_flight = of_rings(true) + steps.in_flight;
    counted_.tile.in_flight += of_rings(false);
    if (!in_steps_) counted_.steps = 0;
    return std::move(counted_);
  }

 private:
  // Returns the number of CTAs that share a tile: each has a slot for its part of a block.
  double parts() const { return static_cast<double>(plan_.launch.cluster.value); }
  // Returns the bytes of the slots that are filled at once, in rings that advance with the steps or with the tile.
  double of_rings(bool with_steps) const {
    double bytes = 0;
    for (const RingPlan& ring : plan_.rings) {
      if (ring.operands.front().path == CopyPath::made) continue;
      const int64_t stages = ring.full < 0 ? std::min(ring.slots.value, 1 + ring.ahead.value) : ring.slots.value;
      if (ring.moves_on.empty() != with_steps) bytes += parts() * static_cast<double>(ring.bytes.value * stages);
    }
    return bytes;
  }

  int64_t size_of(const Axis& axis) const {
    return example_.size(static_cast<int>(&axis - plan_.kernel->axes.data()), known());
  }
  Example::Values known() const {
    return [this](const Symbol& symbol) -> std::optional<int64_t> {
      if (symbol.kind == SymbolKind::axis) {
        const auto found = axes_.find(symbol.id);
        if (found != axes_.end()) return found->second;
      }
      if (symbol.kind != SymbolKind::loop) return std::nullopt;
      auto found = variables_.find(symbol.name);
      if (found == variables_.end()) found = variables_.find(plan_.kernel->identifiers.of(symbol.name));
      if (found != variables_.end()) return found->second;
      const auto bound = bound_.find(symbol.name);
      return bound == bound_.end() ? std::nullopt : example_.value(bound->second, known());
    };
  }
  double trip_count(const TypedPtr& start, const TypedPtr& stop, const TypedPtr& step) {
    const std::optional<int64_t> first = start ? example_.value(start, known()) : 0;
    const std::optional<int64_t> last = example_.value(stop, known());
    const int64_t by = step ? example_.value(step, known()).value_or(1) : 1;
    if (!first || !last || by == 0) {
      counted_.by_data = true;
      return 1;
    }
    return static_cast<double>(std::max<int64_t>(0, (*last - *first + by - (by > 0 ? 1 : -1)) / by));
  }

  // `times`: how often the statements run in a tile.
  void walk(const Statements& statements, double times, Counts& steps) {
    for (const Statement& statement : statements) walk(statement, times, steps);
  }
  void walk(const Statement& statement, double times, Counts& steps) {
    Counts& to = in_step_ ? steps : counted_.tile;
    count_bindings(statement, times, to);
    std::visit([&](const auto& node) { visit(node, times, steps, to); }, statement.node);
  }

  template <class Node>
  void visit(const Node& node, double times, Counts& steps, Counts& to) {
    if constexpr (std::is_same_v<Node, ForStoreColumns> || std::is_same_v<Node, ForChunks>) {
      variables_[node.variable] = 0;
      walk(node.body, times * static_cast<double>(node.count.value), steps);
    } else if constexpr (requires { node.body; }) {
      walk(node.body, times, steps);
    } else {
      count(node, times, to);
    }
  }
  void visit(const ForSteps& node, double times, Counts& steps, Counts&) {
    const bool outer = std::exchange(in_step_, true);
    in_steps_ = true;
    const int64_t size = example_.size(node.axis, known());
    int64_t& at = axes_[node.axis];
    at = 0;
    const double turns = trip_count(node.first, node.last ? node.last : index_constant(size), nullptr);
    const int64_t first = node.first ? example_.value(node.first, known()).value_or(0) : 0;
    at = size / 2;  // for the sizes of loops inside
    accesses_.loops().enter({&at, SymbolKind::axis, node.axis, "", first, static_cast<int64_t>(turns), 1});
    const double under_way = std::exchange(steps.in_flight, 0);
    walk(node.body, times * turns, steps);
    steps.in_flight = std::max(steps.in_flight, under_way);
    accesses_.loops().leave();
    in_step_ = outer;
  }
  void visit(const If& node, double times, Counts& steps, Counts& to) {
    const double share = accesses_.loops().share_of(node.condition, example_, known());
    const double before = to.in_flight;
    walk_share(node.then, times, share, steps);
    const double then = std::exchange(to.in_flight, before);
    walk_share(node.otherwise, times, 1 - share, steps);
    to.in_flight = std::max(to.in_flight, then);
  }
  // A branch that does not run in the example adds its accesses all the same.
  void walk_share(const Statements& body, double times, double share, Counts& steps) {
    if (share > 0) return walk(body, times * share, steps);
    const Counts in_tile = counted_.tile, in_steps = steps;
    walk(body, 0, steps);
    counted_.tile = in_tile;
    steps = in_steps;
  }
  void visit(const CallPart& node, double times, Counts& steps, Counts&) {
    walk(plan_.parts[static_cast<size_t>(node.part)].program, times, steps);
  }
  void visit(const WhileLoop& node, double times, Counts& steps, Counts&) {
    counted_.by_data = true;
    walk(node.body, times, steps);
  }
  void visit(const ForRange& node, double times, Counts& steps, Counts&) {
    const double turns = trip_count(node.start, node.stop, node.step);
    const int64_t first = example_.value(node.start, known()).value_or(0);
    const int64_t step = node.step ? example_.value(node.step, known()).value_or(1) : 1;
    int64_t& at = variables_[node.variable];
    at = first + step * (static_cast<int64_t>(turns) / 2);
    accesses_.loops().enter({&at, SymbolKind::loop, -1, node.variable, first, static_cast<int64_t>(turns), step});
    walk(node.body, times * turns, steps);
    accesses_.loops().leave();
  }
  void visit(const ForElements& node, double times, Counts& steps, Counts& to) {
    const double lanes = lanes_;
    const bool outermost = lanes_at_.empty();
    if (outermost) times_around_ = times, under_way_ = 0;
    double elements = 1;
    for (const Number& size : node.shape) elements *= static_cast<double>(size.value);
    const bool by_lanes = node.by == Share::lanes;
    lanes_ = node.shape.empty()        ? 1
             : by_lanes                ? lanes * elements / kWarp / static_cast<double>(node.parts)
             : node.by == Share::warps ? elements * kWarp
                                       : elements;
    lanes_at_.enter(node);
    walk(node.body, times, steps);
    lanes_at_.leave();
    lanes_ = lanes;
    if (outermost) to.in_flight = std::max(to.in_flight, under_way_);
  }
  template <class Node>
  void count(const Node&, double, Counts&) {}
  void count(const SetScalar& node, double times, Counts& to) {
    accesses_.places().set_scalar(node.scalar, node.value, node.bindings);
    to.slots += times * lanes_ * slots_of(node.value, *plan_.kernel);
  }
  void count(const StoreElement& node, double times, Counts& to) {
    to.slots += times * lanes_ * slots_of(node.value, *plan_.kernel);
    if (node.ref >= 0)
      move_elements(-1, {node.ref, node.index, node.bindings, false, node.atomic.has_value(), {}, {}, 0}, times, to);
    else
      to.move_shared(node.field, times * lanes_ * kSlotsOfAccess);
    if (node.field >= 0 && !node.atomic) accesses_.places().set_tile(node.field, node.index, node.value, node.bindings);
  }
  void count(const LoadShared& node, double times, Counts& to) {
    to.slots += times * elements_in(node.fragment) * bytes_of(fragment(node.fragment).dtype);
  }
  void count(const StoreOperand& node, double times, Counts& to) {
    to.slots += times * elements_in(node.fragment) * bytes_of(fragment(node.fragment).dtype);
  }
  void count(const RoundCopied& node, double times, Counts& to) {
    const double bytes = static_cast<double>(operand_of(node.ring, node.operand).bytes.value);
    to.slots += times * (2 * bytes + bytes / bytes_of(DType::f32));  // loads, stores and a rounding of each element
  }
  void count(const BindScalar& node, double, Counts&) {
    const ScalarValue& scalar = plan_.scalars[static_cast<size_t>(node.scalar)];
    if (scalar.dtype == DType::index && !mentions_variable(scalar.value, scalar.name))
      bound_[scalar.name] = scalar.value;
  }
  void count(const TensorLoad& node, double times, Counts& to) { copy(node.ring, node.operand, 0, times, to); }
  void count(const AsyncCopy& node, double times, Counts& to) {
    const RingOperand& operand = operand_of(node.ring, node.operand);
    const double vector = static_cast<double>(std::max<int64_t>(1, node.access.vector.value));
    const bool by_unit = operand.path == CopyPath::bulk;
    copy(node.ring, node.operand, by_unit ? 0 : vector * bytes_of(ref(operand.ref).dtype), times, to);
    if (by_unit) return;
    const double accesses =
        parts() * static_cast<double>(operand.bytes.value) / bytes_of(ref(operand.ref).dtype) / vector;
    to.slots += times * accesses * std::max(kSlotsOfAccess, vector * bytes_of(ref(operand.ref).dtype));
  }
  void count(const Prefetch& node, double, Counts& to) {
    double bytes = bytes_of(ref(node.access.ref).dtype);
    for (const Number& size : node.shape) bytes *= static_cast<double>(size.value);
    to.in_flight += bytes;
  }
  void count(const TensorStore& node, double times, Counts& to) {
    const StorePlan& store = plan_.stores[static_cast<size_t>(node.store)];
    const int64_t groups = store.ring < 0 ? store.groups.value : 1;  // with a ring a loop over the groups is around it
    const double bytes =
        static_cast<double>(store.rows.value * store.columns.value * groups) * bytes_of(ref(store.ref).dtype);
    to.move(store.ref, {times * bytes, times * bytes});
    counted_.accesses.push_back(accesses_.store(node, times * bytes));
  }
  void count(const Load& node, double times, Counts& to) {
    const double bytes = move_block(node.access, node.fragment, times, true, false, to);
    to.in_flight += bytes;
    to.read += bytes * times;
  }
  void count(const StoreGlobal& node, double times, Counts& to) {
    move_block(node.access, node.fragment, times, false, node.combine.has_value(), to);
  }
  // Packing may round the elements.
  void count(const PackOperand& node, double times, Counts& to) {
    const DType from = fragment(node.fragment).dtype, dtype = fragment(node.packed).dtype;
    if (from == dtype) return;
    const TypedPtr rounded = make_typed({}, dtype, {}, Apply{Op::cast, {make_typed({}, from, {}, LocalUse{})}, {}});
    to.slots += times * elements_in(node.fragment) * slots_of(rounded, *plan_.kernel);
  }
  void count(const Elementwise& node, double times, Counts& to) {
    for (const ElementwiseStatement& part : node.statements) {
      accesses_.places().set_fragment(part.target, part.value, part.bindings);
      to.slots += times * elements_in(node.layout_of) * slots_of(part.value, *plan_.kernel);
    }
  }
  void count(const ReduceFragment& node, double times, Counts& to) {
    if (node.part == program::ReducePart::running) {  // lanes exchange the sum of each run of up to four elements
      to.slots += times * 5 * elements_in(node.source);
      return;
    }
    // After a thread's own elements, five shuffles or five steps of two reads and a write.
    const double step = node.strategy == ReduceStrategy::shuffle ? 2 : 3 * kSlotsOfAccess;
    to.slots += times * (elements_in(node.source) + 5 * step * elements_in(node.target));
  }
  void count(const StoreTile& node, double times, Counts& to) {
    to.move_shared(node.field, times * elements_in(node.fragment) *
                                   std::max(kSlotsOfAccess, bytes_of(fragment(node.fragment).dtype)));
  }
  void count(const LoadTile& node, double times, Counts& to) {
    to.move_shared(node.field, times * elements_in(node.fragment) *
                                   std::max(kSlotsOfAccess, bytes_of(fragment(node.fragment).dtype)));
  }
  // An SM multiplies half as many f64 or integers at once. Reads of shared memory overlap with it.
  void count(const MultiplyAdd& node, double times, Counts& to) {
    const double each = fragment(node.accumulator).dtype == DType::f32 ? 1 : 2;
    to.slots += times * each * elements_in(node.accumulator) * static_cast<double>(node.a.depth.value);
  }
  void count(const Mma& node, double times, Counts& to) {
    const double groups = threads_ / 128;
    const double rows = static_cast<double>(plan_.target->mma_rows * std::max<int64_t>(1, node.row_tiles.value));
    const double k_bytes = static_cast<double>(plan_.target->mma_k_bytes * node.k_steps.value);
    const double on_16_bits = times * groups * 2 * rows * static_cast<double>(node.n.value) * k_bytes / 2;
    to.matrix += on_16_bits;
    to.operations += on_16_bits * 2 / bytes_of(operand_of(node.ring_b, node.b).dtype);
  }

  // Counts the reads of expressions from shared and global memory.
  void count_bindings(const Statement& statement, double times, Counts& to) {
    for_each_reader(statement, [&](const std::vector<Binding>& bindings, int layout_of) {
      const double lanes = layout_of >= 0 ? elements_in(layout_of) : lanes_;
      for (const Binding& binding : bindings) {
        if (binding.kind == SlotKind::shared) to.move_shared(binding.field, times * lanes * kSlotsOfAccess);
        if (binding.kind == SlotKind::global)
          move_elements(layout_of, {binding.ref, binding.index, bindings, true, false, {}, {}, 0}, times, to);
      }
    });
  }

  // Sets the lanes of the access: those of a loop over a fragment's elements, or of the current loop over elements.
  ElementAccess with_lanes(int layout_of, ElementAccess access) const {
    if (layout_of < 0) {
      if (lanes_at_.empty()) return access;
      access.lanes = lanes_at_.lanes();
      access.dims = lanes_at_.dims();
      access.walk = [this](size_t dim) { return lanes_at_.along(dim); };
      return access;
    }
    const ValueLayout& layout = fragment(layout_of).layout;
    access.lanes = lanes_of(layout, known());
    access.dims = layout.shape.size();
    access.walk = [this, &layout](size_t dim) { return lanes_along(layout, dim, known()); };
    return access;
  }
  void move_elements(int layout_of, ElementAccess of_loop, double times, Counts& to) {
    const ElementAccess access = with_lanes(layout_of, std::move(of_loop));
    const double bytes = bytes_of(ref(access.ref).dtype);
    const double running = layout_of < 0 ? lanes_ : elements_in(layout_of);
    to.slots += times * running * kSlotsOfAccess;
    if (access.lanes.empty()) {  // the same element in all threads
      const Moved moved{times * bytes, times * 32};
      to.move(access.ref, moved);
      counted_.accesses.push_back(
          {access.ref, access.reads, AccessBy::element, bytes, times, times, 1, Sectors{1, 1, 1}, moved});
      return;
    }
    // Elements that a loop inside a loop over elements reads again are in the L1 cache.
    double block = bytes;
    for (const int64_t size : ref(access.ref).shape) block *= static_cast<double>(size);
    std::optional<AccessCounter::Elements> counted = accesses_.elements(access, times * running);
    const double all = times * running * bytes * (counted ? counted->apart : 1);
    const bool again = layout_of < 0 && times > times_around_;
    const double wanted = again ? std::min(all, times_around_ * std::max(block, running * bytes)) : all;
    const Sectors sectors = counted ? counted->access.of_warp : Sectors{1, 1, 1};
    const Moved moved{wanted, wanted * static_cast<double>(sectors.touched) / static_cast<double>(sectors.needed)};
    to.move(access.ref, moved);
    if (counted) {
      counted->access.moved = moved;
      counted_.accesses.push_back(counted->access);
    }
    if (!access.reads) return;
    to.read += wanted;
    const double turns = times / std::max(times_around_, 1e-9);
    if (layout_of >= 0)
      to.in_flight += running * bytes;
    else
      under_way_ += std::min(lanes_ * turns, threads_ * kUnrolled) * bytes;
  }
  double block_bytes(const Access& access, int fragment_index) const {
    const ValueLayout& layout = fragment(fragment_index).layout;
    double bytes = bytes_of(ref(access.ref).dtype) * threads_ /
                   static_cast<double>(std::max<int64_t>(1, pallasgen::threads(layout)));
    for (const int64_t size : layout.shape) bytes *= static_cast<double>(size);
    return bytes;
  }
  double move_block(const Access& access, int fragment_index, double times, bool reads, bool atomic, Counts& to) {
    const double bytes = block_bytes(access, fragment_index);
    const ThreadAccess found = accesses_.block(access, fragment(fragment_index).layout, reads, atomic, times * bytes);
    to.move(access.ref, found.moved);
    counted_.accesses.push_back(found);
    to.slots += times * bytes / static_cast<double>(std::max<int64_t>(1, access.vector.value)) * kSlotsOfAccess /
                bytes_of(ref(access.ref).dtype);
    return bytes;
  }
  // `each`: bytes of an access of a thread; 0: units move them.
  void copy(int ring, int operand, double each, double times, Counts& to) {
    const RingOperand& of = operand_of(ring, operand);
    const double bytes = times * parts() * static_cast<double>(of.bytes.value);
    to.move(of.ref, {bytes, bytes});
    to.read += bytes;
    counted_.accesses.push_back(accesses_.copy(of.ref, each, bytes));
  }

  const Ref& ref(int index) const { return plan_.kernel->refs[static_cast<size_t>(index)]; }
  const FragmentPlan& fragment(int index) const { return plan_.fragments[static_cast<size_t>(index)]; }
  const RingOperand& operand_of(int ring, int operand) const {
    return plan_.rings[static_cast<size_t>(ring)].operands[static_cast<size_t>(operand)];
  }
  double elements_in(int index) const {
    return static_cast<double>(registers_per_thread(fragment(index).layout)) * threads_;
  }

  const Plan& plan_;
  const Example& example_;
  AccessCounter accesses_;
  CountedTile counted_;
  std::map<int, int64_t> axes_;
  std::map<std::string, int64_t> variables_;
  std::map<std::string, TypedPtr> bound_;  // variables computed from others
  LoopLanes lanes_at_;
  double threads_ = 0, lanes_ = 0;           // threads of the role; lanes that run the statement, in all iterations
  double times_around_ = 0;                  // how often the outermost loop over elements runs
  double under_way_ = 0;                     // bytes that this loop reads at once
  bool in_step_ = false, in_steps_ = false;  // the statement is in a loop over steps; there is one
};

}  // namespace

CountedTile count_tile(const Plan& plan, const Example& example) { return Counter(plan, example).run(); }

}  // namespace pallasgen
