#include "counts.h"

#include <algorithm>
#include <set>

#include "instruction_slots.h"
#include "layout/warps.h"
#include "loops_around.h"
#include "program_walk.h"

namespace pallasgen {

namespace {

using namespace program;

// Passes of the ordinary cores: a warp's access to memory has a quarter of their lanes.
constexpr double kAccess = 4;
// Turns of a loop over elements whose loads the compiler issues together.
constexpr double kUnrolled = 4;

double bytes_of(DType dtype) { return info(dtype).bits / 8.0; }

void add_scaled(Counts& to, const Counts& from, double times) {
  for (const auto& [ref, moved] : from.moved) {
    to.moved[ref].wanted += moved.wanted * times;
    to.moved[ref].touched += moved.touched * times;
  }
  to.read += from.read * times;
  to.operations += from.operations * times;
  to.matrix += from.matrix * times;
  to.slots += from.slots * times;
}

class Counter {
 public:
  Counter(const Plan& plan, const Example& example) : plan_(plan), example_(example) {}

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
    add_scaled(counted_.step, steps, 1 / counted_.steps);
    counted_.step.in_flight = of_rings(true) + steps.in_flight;
    counted_.tile.in_flight += of_rings(false);
    if (!in_steps_) counted_.steps = 0;
    return std::move(counted_);
  }

 private:
  // CTAs that share a tile, each of which has a slot for its part of a block.
  double parts() const { return static_cast<double>(plan_.launch.cluster.value); }
  // Bytes of the slots that are filled at once, of rings that move with the steps or with the tile.
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
      const auto found = variables_.find(symbol.name);
      return found == variables_.end() ? std::nullopt : std::optional(found->second);
    };
  }
  double trips(const TypedPtr& start, const TypedPtr& stop, const TypedPtr& step) {
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
    const double turns = trips(node.first, node.last ? node.last : index_constant(size), nullptr);
    const int64_t first = node.first ? example_.value(node.first, known()).value_or(0) : 0;
    at = size / 2;  // for the sizes of loops inside
    loops_.enter({&at, SymbolKind::axis, node.axis, "", first, static_cast<int64_t>(turns), 1});
    const double under_way = std::exchange(steps.in_flight, 0);
    walk(node.body, times * turns, steps);
    steps.in_flight = std::max(steps.in_flight, under_way);
    loops_.leave();
    in_step_ = outer;
  }
  void visit(const If& node, double times, Counts& steps, Counts& to) {
    const double share = loops_.share_of(node.condition, example_, known());
    const double before = to.in_flight;
    if (share > 0) walk(node.then, times * share, steps);
    const double then = std::exchange(to.in_flight, before);
    if (share < 1) walk(node.otherwise, times * (1 - share), steps);
    to.in_flight = std::max(to.in_flight, then);
  }
  void visit(const CallPart& node, double times, Counts& steps, Counts&) {
    walk(plan_.parts[static_cast<size_t>(node.part)].program, times, steps);
  }
  void visit(const WhileLoop& node, double times, Counts& steps, Counts&) {
    counted_.by_data = true;
    walk(node.body, times, steps);
  }
  void visit(const ForRange& node, double times, Counts& steps, Counts&) {
    const double turns = trips(node.start, node.stop, node.step);
    const int64_t first = example_.value(node.start, known()).value_or(0);
    const int64_t step = node.step ? example_.value(node.step, known()).value_or(1) : 1;
    int64_t& at = variables_[node.variable];
    at = first + step * (static_cast<int64_t>(turns) / 2);
    loops_.enter({&at, SymbolKind::loop, -1, node.variable, first, static_cast<int64_t>(turns), step});
    walk(node.body, times * turns, steps);
    loops_.leave();
  }
  void visit(const ForElements& node, double times, Counts& steps, Counts& to) {
    const double lanes = lanes_;
    const bool outermost = lanes_at_.empty();
    if (outermost) times_around_ = times, under_way_ = 0;
    const std::vector<Example::Values> around = lanes_at_;
    std::vector<Example::Values> inside;
    double elements = 1;
    for (const Number& size : node.shape) elements *= static_cast<double>(size.value);
    const bool by_lanes = node.by == Share::lanes;
    lanes_ = node.shape.empty()        ? 1
             : by_lanes                ? lanes * elements / kWarp / static_cast<double>(node.parts)
             : node.by == Share::warps ? elements * kWarp
                                       : elements;
    for (int lane = 0; lane < kWarp && static_cast<double>(lane) < elements; ++lane)
      inside.push_back(lane_of(node, node.by == Share::warps ? 0 : lane));
    lanes_at_ = std::move(inside);
    const ForElements* outer = std::exchange(loop_, &node);
    walk(node.body, times, steps);
    loop_ = outer;
    lanes_ = lanes;
    lanes_at_ = around;
    if (outermost) to.in_flight = std::max(to.in_flight, under_way_);
  }
  // Coordinates of the element that a lane of the first warp has first.
  Example::Values lane_of(const ForElements& loop, int lane) const {
    std::map<std::string, int64_t> at;
    int64_t left = lane;
    for (size_t dim = loop.shape.size(); dim-- > 0;) {
      at[loop.coordinates[dim]] = left % std::max<int64_t>(1, loop.shape[dim].value);
      left /= std::max<int64_t>(1, loop.shape[dim].value);
    }
    return [this, at, around = lanes_at_.empty() ? Example::Values() : lanes_at_.front()](const Symbol& symbol) {
      const auto found = symbol.kind == SymbolKind::loop ? at.find(symbol.name) : at.end();
      if (found != at.end()) return std::optional(found->second);
      const std::optional<int64_t> outer = around ? around(symbol) : std::nullopt;
      return outer ? outer : known()(symbol);
    };
  }

  template <class Node>
  void count(const Node&, double, Counts&) {}
  void count(const SetScalar& node, double times, Counts& to) {
    to.slots += times * lanes_ * slots_of(node.value, *plan_.kernel);
  }
  void count(const StoreElement& node, double times, Counts& to) {
    to.slots += times * lanes_ * slots_of(node.value, *plan_.kernel);
    if (node.ref >= 0)
      move_elements(node.ref, node.index, times, false, to);
    else
      to.slots += times * lanes_ * kAccess;
  }
  void count(const LoadShared& node, double times, Counts& to) {
    to.slots += times * elements_in(node.fragment) * bytes_of(fragment(node.fragment).dtype);
  }
  void count(const StoreOperand& node, double times, Counts& to) {
    to.slots += times * elements_in(node.fragment) * bytes_of(fragment(node.fragment).dtype);
  }
  void count(const RoundCopied& node, double times, Counts& to) {
    const double bytes = static_cast<double>(operand_of(node.ring, node.operand).bytes.value);
    to.slots += times * (2 * bytes + bytes / bytes_of(DType::f32));  // loaded and stored, and each element rounded
  }
  void count(const BindScalar& node, double, Counts&) {
    const ScalarValue& scalar = plan_.scalars[static_cast<size_t>(node.scalar)];
    const std::optional<int64_t> value =
        scalar.dtype == DType::index ? example_.value(scalar.value, known()) : std::nullopt;
    if (value) variables_[scalar.name] = *value;
  }
  void count(const TensorLoad& node, double times, Counts& to) { copy(node.ring, node.operand, times, to); }
  void count(const AsyncCopy& node, double times, Counts& to) {
    copy(node.ring, node.operand, times, to);
    const RingOperand& operand = operand_of(node.ring, node.operand);
    if (operand.path == CopyPath::bulk) return;
    const double vector = static_cast<double>(std::max<int64_t>(1, node.access.vector.value));
    const double accesses =
        parts() * static_cast<double>(operand.bytes.value) / bytes_of(ref(operand.ref).dtype) / vector;
    to.slots += times * accesses * std::max(kAccess, vector * bytes_of(ref(operand.ref).dtype));
  }
  void count(const Prefetch& node, double, Counts& to) {
    double bytes = bytes_of(ref(node.access.ref).dtype);
    for (const Number& size : node.shape) bytes *= static_cast<double>(size.value);
    to.in_flight += bytes;
  }
  void count(const TensorStore& node, double times, Counts& to) {
    const StorePlan& store = plan_.stores[static_cast<size_t>(node.store)];
    const int64_t groups = store.ring < 0 ? store.groups.value : 1;  // a loop stands around those of all
    const double bytes =
        static_cast<double>(store.rows.value * store.columns.value * groups) * bytes_of(ref(store.ref).dtype);
    move(store.ref, {times * bytes, times * bytes}, to);
  }
  void count(const Load& node, double times, Counts& to) {
    const double bytes = move_block(node.access, node.fragment, times, true, to);
    to.in_flight += bytes;
    to.read += bytes * times;
  }
  void count(const StoreGlobal& node, double times, Counts& to) {
    move_block(node.access, node.fragment, times, false, to);
  }
  // What is packed may be rounded on the way.
  void count(const PackOperand& node, double times, Counts& to) {
    const DType from = fragment(node.fragment).dtype, dtype = fragment(node.packed).dtype;
    if (from == dtype) return;
    const TypedPtr rounded = make_typed({}, dtype, {}, Apply{Op::cast, {make_typed({}, from, {}, LocalUse{})}, {}});
    to.slots += times * elements_in(node.fragment) * slots_of(rounded, *plan_.kernel);
  }
  void count(const Elementwise& node, double times, Counts& to) {
    for (const ElementwiseStatement& part : node.statements)
      to.slots += times * elements_in(node.layout_of) * slots_of(part.value, *plan_.kernel);
  }
  void count(const ReduceFragment& node, double times, Counts& to) {
    if (node.part == program::ReducePart::running) {  // of each run of up to four what lanes exchange
      to.slots += times * 5 * elements_in(node.source);
      return;
    }
    // Behind a thread's own elements, five shuffles or as many steps of two reads and a write.
    const double step = node.strategy == ReduceStrategy::shuffle ? 2 : 3 * kAccess;
    to.slots += times * (elements_in(node.source) + 5 * step * elements_in(node.target));
  }
  void count(const StoreTile& node, double times, Counts& to) {
    to.slots += times * elements_in(node.fragment) * std::max(kAccess, bytes_of(fragment(node.fragment).dtype));
  }
  void count(const LoadTile& node, double times, Counts& to) {
    to.slots += times * elements_in(node.fragment) * std::max(kAccess, bytes_of(fragment(node.fragment).dtype));
  }
  // Of f64 and of integers an SM multiplies half as many at once. Reads of shared memory go on beside it.
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

  // What expressions read besides registers.
  void count_bindings(const Statement& statement, double times, Counts& to) {
    const auto* of_fragments = std::get_if<Elementwise>(&statement.node);
    const double lanes = of_fragments ? elements_in(of_fragments->layout_of) : lanes_;
    for_each_binding(statement, [&](const Binding& binding) {
      if (binding.kind == SlotKind::shared) to.slots += times * lanes * kAccess;
      if (binding.kind == SlotKind::global) move_elements(binding.ref, binding.index, times, true, to);
    });
  }
  void move_elements(int array, const std::vector<TypedPtr>& index, double times, bool reads, Counts& to) {
    const double bytes = bytes_of(ref(array).dtype);
    to.slots += times * lanes_ * kAccess;
    if (lanes_at_.empty()) {  // the same element in all threads
      move(array, {times * bytes, times * 32}, to);
      return;
    }
    // What a loop of one element reads again is in the L1 cache.
    double block = bytes;
    for (const int64_t size : ref(array).shape) block *= static_cast<double>(size);
    const std::optional<Sectors> sectors = sectors_of(plan_, example_, array, index, lanes_at_);
    const double apart = sectors ? static_cast<double>(sectors->places) / static_cast<double>(lanes_at_.size()) : 1;
    const double all = times * lanes_ * bytes * apart;
    const double wanted = times > times_around_ ? std::min(all, times_around_ * std::max(block, lanes_ * bytes)) : all;
    const double ratio = sectors ? static_cast<double>(sectors->touched) / static_cast<double>(sectors->needed) : 1;
    move(array, {wanted, wanted * ratio}, to);
    if (sectors && loop_)
      counted_.accesses.push_back({array, reads, &index, loop_, *sectors, {wanted, wanted * ratio}});
    if (!reads) return;
    to.read += wanted;
    under_way_ += std::min(lanes_ * times / std::max(times_around_, 1e-9), threads_ * kUnrolled) * bytes;
  }
  double block_bytes(const Access& access, int fragment_index) const {
    const ValueLayout& layout = fragment(fragment_index).layout;
    double bytes = bytes_of(ref(access.ref).dtype) * threads_ /
                   static_cast<double>(std::max<int64_t>(1, pallasgen::threads(layout)));
    for (const int64_t size : layout.shape) bytes *= static_cast<double>(size);
    return bytes;
  }
  double move_block(const Access& access, int fragment_index, double times, bool reads, Counts& to) {
    const double bytes = block_bytes(access, fragment_index);
    const std::optional<Sectors> sectors = sectors_of(plan_, example_, access, fragment(fragment_index).layout);
    const double ratio = sectors ? static_cast<double>(sectors->touched) / static_cast<double>(sectors->needed) : 1;
    move(access.ref, {times * bytes, times * bytes * ratio}, to);
    if (sectors)
      counted_.accesses.push_back(
          {access.ref, reads, nullptr, nullptr, *sectors, {times * bytes, times * bytes * ratio}});
    to.slots += times * bytes / static_cast<double>(std::max<int64_t>(1, access.vector.value)) * kAccess /
                bytes_of(ref(access.ref).dtype);
    return bytes;
  }
  void copy(int ring, int operand, double times, Counts& to) {
    const RingOperand& of = operand_of(ring, operand);
    const double bytes = times * parts() * static_cast<double>(of.bytes.value);
    move(of.ref, {bytes, bytes}, to);
    to.read += bytes;
  }
  static void move(int array, Moved moved, Counts& to) {
    to.moved[array].wanted += moved.wanted;
    to.moved[array].touched += moved.touched;
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
  CountedTile counted_;
  std::map<int, int64_t> axes_;
  std::map<std::string, int64_t> variables_;
  std::vector<Example::Values> lanes_at_;    // of a warp in the loop over elements under way
  double threads_ = 0, lanes_ = 0;           // of the role; how many lanes run a statement there, in all turns
  double times_around_ = 0;                  // how often that loop is run
  double under_way_ = 0;                     // bytes that it reads at once
  LoopsAround loops_;                        // loops, outermost first
  bool in_step_ = false, in_steps_ = false;  // here; anywhere
  const ForElements* loop_ = nullptr;
};

}  // namespace

double Counts::wanted() const {
  double bytes = 0;
  for (const auto& [ref, each] : moved) bytes += each.wanted;
  return bytes;
}
double Counts::touched() const {
  double bytes = 0;
  for (const auto& [ref, each] : moved) bytes += each.touched;
  return bytes;
}

CountedTile count_tile(const Plan& plan, const Example& example) { return Counter(plan, example).run(); }

}  // namespace pallasgen
