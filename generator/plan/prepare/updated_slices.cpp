#include "prepare/updated_slices.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace pallasgen {

namespace {

constexpr int64_t kColumnUnit = 8;  // columns of an accumulator are a multiple of it

struct Columns {
  int64_t first, size;
  bool operator<(const Columns& other) const { return std::pair(first, size) < std::pair(other.first, other.size); }
};

// Returns the columns of an index with constant columns and all rows of a matrix with `rows` rows; nothing otherwise.
std::optional<Columns> columns_of(const std::vector<IndexItem>& index, int64_t rows) {
  const auto* down = index.size() == 2 ? std::get_if<IndexSlice>(&index[0]) : nullptr;
  const auto* across = index.size() == 2 ? std::get_if<IndexSlice>(&index[1]) : nullptr;
  if (!down || !across || down->step != 1 || across->step != 1) return std::nullopt;
  const std::optional<int64_t> first = constant_value(across->start);
  if (constant_value(down->start) != 0 || down->size != rows || !first) return std::nullopt;
  return Columns{*first, across->size};
}

bool multiplies(const TypedPtr& value) {
  bool found = false;
  walk(value, [&](const Typed& node) { found = found || node.applies(Op::dot); });
  return found;
}

class UpdatedSlices {
 public:
  UpdatedSlices(const Kernel& kernel, int ref) : kernel_(kernel), ref_(ref), shape_(kernel.refs[size_of(ref)].shape) {}

  std::shared_ptr<const Kernel> run() {
    if (!find() || !are_apart()) return nullptr;
    auto made = std::make_shared<Kernel>(kernel_);
    for (auto& [columns, ref] : pieces_) {
      Ref piece = kernel_.refs[size_of(ref_)];
      if (columns.first > 0) piece.name = kernel_.identifiers.derived(fmt::format("{}_{}", piece.name, columns.first));
      piece.shape[1] = columns.size;
      BlockDim& across = piece.block[1];
      across.size = columns.size;
      across.size_expr = index_constant(columns.size);
      piece.array_shape[1] = across.size_expr;
      ref = columns.first > 0 ? static_cast<int>(made->refs.size()) : ref_;
      if (ref == ref_)
        made->refs[size_of(ref)] = std::move(piece);
      else
        made->refs.push_back(std::move(piece));
    }
    change(made->body);
    change_values(made->body, [&](TypedPtr& value) { value = of_pieces(value); });
    made->identifiers = Identifiers(*made);
    return made;
  }

 private:
  static size_t size_of(int ref) { return static_cast<size_t>(ref); }
  bool is_whole(const RefRead& read) const { return read.ref == ref_ && read.whole; }

  // Collects the slices that statements name; false if one is not of whole columns, or a value needs all columns.
  bool find() {
    bool fine = true, adds = false;
    const auto note = [&](const std::vector<IndexItem>& index) {
      const std::optional<Columns> columns = columns_of(index, shape_[0]);
      fine = fine && columns;
      if (columns) pieces_.emplace(*columns, ref_);
    };
    std::set<const Typed*> stored;  // values whose columns can be stored piece by piece
    for_each_statement(kernel_.body, [&](const KernelStmt& statement) {
      const auto* atomic = std::get_if<AtomicStmt>(&statement.node);
      fine = fine && !(atomic && atomic->ref == ref_);
      const auto* store = std::get_if<StoreStmt>(&statement.node);
      if (!store || store->ref != ref_) return;
      fine = fine && !store->mask;
      if (store->whole && goes_by_columns(store->value)) stored.insert(store->value.get());
      fine = fine && (!store->whole || stored.count(store->value.get()) > 0);
      if (!store->whole) note(store->index), adds = adds || multiplies(store->value);
    });
    for_each_value(kernel_.body, [&](const TypedPtr& value) {
      walk(value, [&](const Typed& node) {
        const auto* read = node.as<RefRead>();
        if (!read || read->ref != ref_) return;
        if (read->mask || (read->whole && stored.count(value.get()) == 0)) fine = false;
        if (!read->whole) note(read->index);
      });
    });
    return fine && adds;
  }

  bool is_wide(const Typed& node) const { return node.shape.size() == 2 && node.shape.back() == shape_[1]; }
  // True if each column of the value depends only on that column of the accumulator and on values without columns.
  bool goes_by_columns(const TypedPtr& value) const {
    const Apply* apply = value->as<Apply>();
    const auto* read = value->as<RefRead>();
    if (!is_wide(*value)) {
      bool reads = false;
      walk(value, [&](const Typed& node) {
        const auto* inner = node.as<RefRead>();
        reads = reads || (inner && inner->ref == ref_);
      });
      return !reads && (value->shape.empty() || value->shape.back() == 1);
    }
    if (read) return is_whole(*read);
    const OpGroup group = apply ? operation(apply->op).group : OpGroup::elementwise;
    if (apply && group != OpGroup::elementwise && group != OpGroup::cast) return false;
    if (!apply) return value->as<Constant>();
    return std::all_of(apply->args.begin(), apply->args.end(),
                       [&](const TypedPtr& arg) { return goes_by_columns(arg); });
  }

  // True if the pieces, in order, are whole units, cover all columns and do not overlap.
  bool are_apart() const {
    int64_t end = 0;
    for (const auto& [columns, ref] : pieces_) {
      if (columns.first != end || columns.size % kColumnUnit != 0) return false;
      end += columns.size;
    }
    return end == shape_[1] && pieces_.size() > 1;
  }

  void change(KernelStmts& statements) const {
    KernelStmts made;
    for (KernelStmt& statement : statements) {
      if (auto* when = std::get_if<WhenStmt>(&statement.node)) change(when->then), change(when->otherwise);
      if (auto* scope = std::get_if<ScopeStmt>(&statement.node)) change(scope->body);
      if (auto* loop = std::get_if<ForStmt>(&statement.node)) change(loop->body);
      if (auto* loop = std::get_if<WhileStmt>(&statement.node)) change(loop->body);
      auto* store = std::get_if<StoreStmt>(&statement.node);
      if (store && store->ref == ref_ && store->whole) {
        for (const auto& [columns, ref] : pieces_) {
          KernelStmt part = statement;
          auto& of_piece = std::get<StoreStmt>(part.node);
          of_piece.ref = ref;
          of_piece.value = columns_of_value(store->value, columns, ref);
          made.push_back(std::move(part));
        }
        continue;
      }
      if (store && store->ref == ref_) {
        store->ref = pieces_.at(*columns_of(store->index, shape_[0]));
        store->index.clear();
        store->whole = true;
      }
      made.push_back(std::move(statement));
    }
    statements = std::move(made);
  }

  TypedPtr read_of(const Typed& node, int ref, int64_t columns) const {
    RefRead read = *node.as<RefRead>();
    read.ref = ref;
    read.index.clear();
    read.whole = true;
    return make_typed(node.span, node.dtype, {shape_[0], columns}, std::move(read));
  }
  TypedPtr of_pieces(const TypedPtr& value) const {
    return rewrite(value, [&](const TypedPtr& node) -> TypedPtr {
      const auto* read = node->as<RefRead>();
      if (!read || read->ref != ref_ || read->whole) return nullptr;
      const Columns columns = *columns_of(read->index, shape_[0]);
      return read_of(*node, pieces_.at(columns), columns.size);
    });
  }
  // Returns these columns of a value for which goes_by_columns() is true.
  TypedPtr columns_of_value(const TypedPtr& value, const Columns& columns, int ref) const {
    if (!is_wide(*value)) return value;
    const auto* read = value->as<RefRead>();
    if (read) return read_of(*value, ref, columns.size);
    Shape shape = value->shape;
    shape.back() = columns.size;
    const Apply* apply = value->as<Apply>();
    if (!apply) return make_typed(value->span, value->dtype, std::move(shape), value->node);
    std::vector<TypedPtr> args;
    for (const TypedPtr& arg : apply->args) args.push_back(columns_of_value(arg, columns, ref));
    return pallasgen::apply(value->span, apply->op, value->dtype, std::move(shape), std::move(args), apply->attributes);
  }

  const Kernel& kernel_;
  const int ref_;
  const Shape shape_;
  std::map<Columns, int> pieces_;  // the ref of each
};

}  // namespace

std::shared_ptr<const Kernel> with_slices_as_accumulators(const Kernel& kernel) {
  std::shared_ptr<const Kernel> made;
  for (size_t ref = 0; ref < kernel.refs.size(); ++ref) {
    const Kernel& last = made ? *made : kernel;
    const Ref& scratch = last.refs[ref];
    if (scratch.role != RefRole::scratch || scratch.space != MemorySpace::acc || scratch.shape.size() != 2) continue;
    if (std::shared_ptr<const Kernel> apart = UpdatedSlices(last, static_cast<int>(ref)).run()) made = std::move(apart);
  }
  return made;
}

}  // namespace pallasgen
