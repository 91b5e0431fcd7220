#include "program/same_statements.h"

#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

namespace pallasgen {

namespace same_statements {

using namespace program;

// Returns all members of a kind of statement, or of a part of statements, in order.
auto members(const Number& x) { return std::tie(x.value, x.text); }
auto members(const Binding& x) {
  return std::tie(x.kind, x.fragment, x.scalar, x.dim, x.offset, x.field, x.ring, x.ref, x.index, x.may_leave,
                  x.condition, x.outside, x.order);
}
auto members(const AccessDim& x) {
  return std::tie(x.offset, x.extent, x.fragment_dim, x.may_pass_end, x.may_be_below, x.size, x.each, x.variable,
                  x.function);
}
auto members(const program::Access& x) { return std::tie(x.ref, x.dims, x.strides, x.vector, x.masked, x.reason); }
auto members(const BarrierWait& x) { return std::tie(x.barrier, x.ring, x.producer_side); }
auto members(const ExpectBytes& x) { return std::tie(x.barrier, x.ring); }
auto members(const TensorLoad& x) { return std::tie(x.ring, x.operand, x.coordinates); }
auto members(const AsyncCopy& x) { return std::tie(x.ring, x.operand, x.ahead, x.shape, x.access, x.fill, x.bindings); }
auto members(const Prefetch& x) { return std::tie(x.ahead, x.shape, x.access, x.bindings); }
auto members(const ClearRows& x) { return std::tie(x.ring, x.operand, x.first); }
auto members(const RoundCopied& x) { return std::tie(x.ring, x.operand, x.shape, x.vector); }
auto members(const WaitCopies& x) { return std::tie(x.groups, x.rings); }
auto members(const ArriveFilled& x) { return std::tie(x.ring, x.what); }
auto members(const DeclareFragment& x) { return std::tie(x.fragment); }
auto members(const DeclareLet& x) { return std::tie(x.let); }
auto members(const DeclareSteps& x) { return std::tie(x.axis); }
auto members(const BindScalar& x) { return std::tie(x.scalar); }
auto members(const Mma& x) {
  return std::tie(x.accumulator, x.ring_a, x.a, x.ring_b, x.b, x.function, x.n, x.k_steps, x.k_first, x.row_tiles,
                  x.a_first, x.b_first, x.row_tile_rows, x.accumulate, x.axes, x.set_by_threads, x.discards, x.a_major,
                  x.b_major, x.a_descriptor, x.b_descriptor, x.a_described, x.b_described);
}
auto members(const MmaWait& x) { return std::tie(x.groups, x.accumulators); }
auto members(const Release& x) { return std::tie(x.ring, x.when, x.axis); }
auto members(const AdvanceRing& x) { return std::tie(x.ring, x.with); }
auto members(const TakeTurn& x) { return std::tie(x.groups, x.last); }
auto members(const PassTurn& x) { return std::tie(x.groups, x.first); }
auto members(const UnpackAgain& x) { return std::tie(x.fragment); }
auto members(const PackOperand& x) { return std::tie(x.packed, x.fragment); }
auto members(const CallPart& x) { return std::tie(x.part, x.fragments); }
auto members(const ForStoreColumns& x) {
  return std::tie(x.variable, x.count, x.store, x.body, x.first, x.extent, x.group);
}
auto members(const StoreAcquire& x) { return std::tie(x.store, x.pending); }
auto members(const ForChunks::View& x) { return std::tie(x.source, x.view); }
auto members(const ForChunks& x) { return std::tie(x.variable, x.count, x.columns, x.views, x.start, x.body); }
auto members(const StageChunk& x) { return std::tie(x.store, x.fragment, x.chunk, x.pack); }
auto members(const FenceAsync& x) { return std::tie(x.global); }
auto members(const TensorStore& x) { return std::tie(x.store, x.coordinates, x.adds); }
auto members(const Load& x) { return std::tie(x.fragment, x.access, x.fill, x.bindings); }
auto members(const LoadShared& x) { return std::tie(x.fragment, x.ring, x.operand, x.offset, x.vector, x.pitch); }
auto members(const StoreOperand& x) { return std::tie(x.fragment, x.ring, x.operand, x.offset, x.tf32); }
auto members(const StoreGlobal& x) { return std::tie(x.fragment, x.access, x.combine, x.quoted); }
auto members(const ElementwiseStatement& x) { return std::tie(x.target, x.value, x.bindings, x.quoted, x.paired); }
auto members(const Elementwise& x) { return std::tie(x.layout_of, x.statements); }
auto members(const If& x) { return std::tie(x.condition, x.then, x.otherwise, x.bindings, x.run); }
auto members(const ReduceFragment& x) {
  return std::tie(x.target, x.source, x.op, x.axis, x.field, x.quoted, x.part, x.strategy, x.threads, x.across,
                  x.column);
}
auto members(const TileAccess& x) { return std::tie(x.field, x.fragment, x.at, x.vector, x.pitch, x.transposed); }
std::tuple<> members(const WarpSync&) { return {}; }
std::tuple<> members(const WarpgroupSync&) { return {}; }
std::tuple<> members(const RoleSync&) { return {}; }
std::tuple<> members(const CommitCopies&) { return {}; }
std::tuple<> members(const StoreCommit&) { return {}; }

template <class T>
concept Known = requires(const T& x) { members(x); };

bool same(const TypedPtr& a, const TypedPtr& b) { return a && b ? equal(a, b) : a == b; }
bool same(const program::Statement& a, const program::Statement& b);
template <class T>
bool same(const std::vector<T>& a, const std::vector<T>& b);
template <class T>
bool same(const std::optional<T>& a, const std::optional<T>& b) {
  return a == b;
}
template <class T>
bool same(const T& a, const T& b) {
  if constexpr (Known<T>) {
    const auto x = members(a), y = members(b);
    return [&]<size_t... I>(std::index_sequence<I...>) {
      return (same(std::get<I>(x), std::get<I>(y)) && ...);
    }(std::make_index_sequence<std::tuple_size_v<decltype(x)>>());
  } else if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T> || std::is_same_v<T, std::string>) {
    return a == b;
  } else {
    return false;
  }
}
template <class T>
bool same(const std::vector<T>& a, const std::vector<T>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const T& x, const T& y) { return same(x, y); });
}
bool same(const Statement& a, const Statement& b) {
  if (a.node.index() != b.node.index() || a.comment != b.comment || a.quotes != b.quotes) return false;
  return std::visit([&](const auto& node) { return same(node, std::get<std::decay_t<decltype(node)>>(b.node)); },
                    a.node);
}

}  // namespace same_statements

bool same_statement(const program::Statement& a, const program::Statement& b) { return same_statements::same(a, b); }

}  // namespace pallasgen
