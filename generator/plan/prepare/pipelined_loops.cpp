#include "prepare/pipelined_loops.h"

#include <algorithm>
#include <set>

#include "check/steps.h"
#include "prepare/step_names.h"

namespace pallasgen {

namespace {

bool copies_ahead(const PipelineSettings& pipeline) {
  return pipeline.warp_specialized.value || pipeline.stages.automatic || pipeline.stages.value.value_or(0) > 0;
}

bool is_array_of(const BlockDim& dim, const TypedPtr& extent) {
  if (dim.kind == BlockKind::whole) return true;
  return dim.kind == BlockKind::blocked && constant_value(extent) == dim.size && constant_value(dim.index) == 0;
}

class LoopAsAxis {
 public:
  explicit LoopAsAxis(const Kernel& kernel) : kernel_(kernel) {}

  std::shared_ptr<const Kernel> run() {
    if (!copies_ahead(kernel_.pipeline) || kernel_.sequential_axes() > 0 || !find_loop() || !find_slices())
      return nullptr;
    find_carried();
    if (!same_in_each_step()) return nullptr;
    out_ = kernel_;
    add_axis();
    for (const auto& [ref, read] : slices_) slice_block(ref, *read);
    for (const auto& [local, bind] : carried_) add_scratch(local, *bind);
    const KernelStmts& body = kernel_.body;
    out_.body.clear();
    const TypedPtr axis = axis_symbol(out_, axis_);
    const auto each_step = [&](const KernelStmt& statement) {
      const auto* bind = std::get_if<BindStmt>(&statement.node);
      return bind && carried_.count(bind->local) == 0;
    };
    KernelStmts binds;
    std::copy_if(body.begin(), body.begin() + loop_at_, std::back_inserter(binds), each_step);
    StepNames names(kernel_, std::move(binds));
    append(names.in_step(loop_->body));
    const TypedPtr first = index_apply(Op::equal, axis, index_constant(0));
    for (std::ptrdiff_t i = 0; i < loop_at_; ++i) {
      if (!each_step(body[i])) append(guarded(first, names.in_guard({body[i]})));
    }
    append(loop_->body);
    const TypedPtr last = index_apply(Op::subtract, axis_size_symbol(out_, axis_), index_constant(1));
    const KernelStmts after(body.begin() + loop_at_ + 1, body.end());
    if (!after.empty()) append(guarded(index_apply(Op::equal, axis, last), names.in_guard(after)));
    return std::make_shared<const Kernel>(std::move(out_));
  }

 private:
  // Finds the only loop at the top level; its bounds must be known before it begins.
  bool find_loop() {
    for (size_t i = 0; i < kernel_.body.size(); ++i) {
      const auto* loop = std::get_if<ForStmt>(&kernel_.body[i].node);
      if (!loop) continue;
      if (loop_ || bounds(loop->step, kernel_.facts()).minimum.value_or(0) < 1) return false;
      loop_ = loop;
      loop_at_ = static_cast<std::ptrdiff_t>(i);
    }
    if (!loop_) return false;
    bool known = true;
    for (const TypedPtr& bound : {loop_->start, loop_->stop, loop_->step}) {
      known = known && bound->dtype == DType::index;
      walk(bound, [&](const Typed& node) { known = known && !node.as<LocalUse>() && !node.as<RefRead>(); });
    }
    return known;
  }

  // Finds the inputs in global memory of which the body reads a single slice, and only in the loop.
  bool find_slices() {
    std::set<int> others;
    const auto look = [&](const KernelStmts& statements, bool inside) {
      for_each_value(statements, [&](const TypedPtr& value) {
        walk(value, [&](const Typed& node) {
          if (const Apply* mask = node.applies(Op::valid)) others.insert(mask->attributes.ref);
          const RefRead* read = node.as<RefRead>();
          if (!read) return;
          const RefRead*& known = slices_[read->ref];
          const bool moves = inside && is_slice(*read);
          if (!moves || (known && !same_index(*known, *read))) others.insert(read->ref);
          known = read;
        });
      });
    };
    for (size_t i = 0; i < kernel_.body.size(); ++i) {
      if (static_cast<std::ptrdiff_t>(i) != loop_at_) look({kernel_.body[i]}, false);
    }
    look(loop_->body, true);
    for (const KernelStmt& statement : kernel_.body) {
      for_each_statement({statement}, [&](const KernelStmt& inner) {
        if (const auto* atomic = std::get_if<AtomicStmt>(&inner.node)) others.insert(atomic->ref);
        if (const auto* store = std::get_if<StoreStmt>(&inner.node)) others.insert(store->ref);
      });
    }
    for (const Ref& ref : kernel_.refs) {
      if (ref.alias_of) others.insert(*ref.alias_of);
    }
    for (int ref : others) slices_.erase(ref);
    return !slices_.empty();
  }

  bool same_index(const RefRead& a, const RefRead& b) const {
    return equal(make_typed({}, DType::f32, {}, a), make_typed({}, DType::f32, {}, b));
  }

  // True if the slice can be a block: it has constant size, its place moves with the loop, and along a dim of which the
  // view is only a part it takes the whole view.
  bool is_slice(const RefRead& read) const {
    const Ref& ref = kernel_.refs[read.ref];
    if (ref.role != RefRole::input || ref.space != MemorySpace::gmem || read.mask || read.whole) return false;
    bool moves = false;
    size_t item = 0;
    for (size_t d = 0; d < ref.block.size(); ++d) {
      if (ref.block[d].kind == BlockKind::squeezed) continue;
      if (item == read.index.size()) return false;
      const bool all = is_array_of(ref.block[d], ref.array_shape[d]);
      const IndexItem& entry = read.index[item++];
      if (const auto* slice = std::get_if<IndexSlice>(&entry)) {
        const bool full = constant_value(slice->start) == 0 && slice->size == ref.block[d].size;
        if (slice->step != 1 || !is_known(slice->start) || (!full && !all)) return false;
        moves = moves || in_loop(slice->start);
      } else if (const auto* integer = std::get_if<IndexInteger>(&entry)) {
        if (!all || !is_known(integer->value)) return false;
        moves = moves || in_loop(integer->value);
      } else {
        return false;
      }
    }
    return moves && item == read.index.size();
  }

  bool in_loop(const TypedPtr& index) const { return mentions(index, SymbolKind::loop, loop_->loop); }

  // True if the index uses only symbols that an index map may use, and this loop's variable.
  bool is_known(const TypedPtr& index) const {
    bool known = index->dtype == DType::index;
    walk(index, [&](const Typed& node) {
      const Symbol* symbol = node.as<Symbol>();
      known = known && !node.as<LocalUse>() && !node.as<RefRead>();
      if (!symbol) return;
      known = known && symbol->kind != SymbolKind::ticket &&
              (symbol->kind != SymbolKind::loop || symbol->id == loop_->loop);
    });
    return known;
  }

  // Finds the names bound before the loop that the loop rebinds.
  void find_carried() {
    std::set<int> rebound;
    for_each_statement(loop_->body, [&](const KernelStmt& statement) {
      if (const auto* bind = std::get_if<BindStmt>(&statement.node)) rebound.insert(bind->local);
      if (const auto* atomic = std::get_if<AtomicStmt>(&statement.node)) rebound.insert(atomic->old);
    });
    for (std::ptrdiff_t i = 0; i < loop_at_; ++i) {
      const auto* bind = std::get_if<BindStmt>(&kernel_.body[i].node);
      if (bind && rebound.count(bind->local) > 0) carried_.emplace(bind->local, bind);
    }
  }

  bool is_aliased(int ref) const {
    return std::any_of(kernel_.refs.begin(), kernel_.refs.end(),
                       [&](const Ref& other) { return other.alias_of == ref; });
  }

  // True if the other names, which each step computes again, keep their values: they depend only on symbols and on
  // inputs that nothing writes.
  bool same_in_each_step() const {
    bool by_atomics = false;
    for_each_statement(loop_->body, [&](const KernelStmt& statement) {
      const auto* atomic = std::get_if<AtomicStmt>(&statement.node);
      by_atomics = by_atomics || (atomic && carried_.count(atomic->old) > 0);
    });
    if (by_atomics) return false;
    std::set<int> named;
    for (std::ptrdiff_t i = 0; i < loop_at_; ++i) {
      bool same = true;
      const auto* bind = std::get_if<BindStmt>(&kernel_.body[i].node);
      if (!bind) {
        // Names that the statement rebinds inside would be lost with the guard.
        for_each_statement({kernel_.body[i]}, [&](const KernelStmt& inner) {
          const auto* rebinds = std::get_if<BindStmt>(&inner.node);
          const auto* atomic = std::get_if<AtomicStmt>(&inner.node);
          same = same && !(rebinds && (rebinds->rebinds || carried_.count(rebinds->local) > 0)) &&
                 !(atomic && atomic->old >= 0);
        });
      } else if (carried_.count(bind->local) == 0) {
        walk(bind->value, [&](const Typed& node) {
          const RefRead* read = node.as<RefRead>();
          const LocalUse* use = node.as<LocalUse>();
          same = same && !(read && (kernel_.refs[read->ref].role != RefRole::input || is_aliased(read->ref))) &&
                 !(use && carried_.count(use->id) > 0);
        });
        same = same && !bind->rebinds && named.insert(bind->local).second;
      }
      if (!same) return false;
    }
    return true;
  }

  void add_axis() {
    Axis axis;
    axis.name = loop_->name;
    axis.size =
        simplify(index_apply(Op::cdiv, simplify(index_apply(Op::subtract, loop_->stop, loop_->start)), loop_->step));
    if (bounds(axis.size, kernel_.facts()).minimum.value_or(-1) < 0)
      axis.size = simplify(index_apply(Op::maximum, axis.size, index_constant(0)));
    axis.sequential = true;
    axis.span = kernel_.body[loop_at_].span;
    axis_ = static_cast<int>(out_.axes.size());
    out_.axes.push_back(std::move(axis));
    turn_ =
        simplify(index_apply(Op::add, index_apply(Op::multiply, axis_symbol(out_, axis_), loop_->step), loop_->start));
  }

  TypedPtr in_axis(const TypedPtr& index) const {
    return substitute(index, [&](const Symbol& symbol) {
      return symbol.kind == SymbolKind::loop && symbol.id == loop_->loop ? turn_ : TypedPtr();
    });
  }

  void slice_block(int index, const RefRead& read) {
    Ref& ref = out_.refs[index];
    ref.space = MemorySpace::smem;
    ref.shape.clear();
    size_t item = 0;
    for (size_t d = 0; d < ref.block.size(); ++d) {
      BlockDim& dim = ref.block[d];
      if (dim.kind == BlockKind::squeezed) continue;
      const IndexItem& entry = read.index[item++];
      if (const auto* integer = std::get_if<IndexInteger>(&entry)) {
        dim = squeezed(dim, in_axis(integer->value));
        continue;
      }
      const auto& slice = std::get<IndexSlice>(entry);
      if (constant_value(slice.start) != 0 || slice.size != dim.size) dim = part(dim, in_axis(slice.start), slice);
      ref.shape.push_back(dim.size);
    }
  }

  static BlockDim squeezed(const BlockDim& from, TypedPtr index) {
    BlockDim dim;
    dim.kind = BlockKind::squeezed;
    dim.index = std::move(index);
    dim.span = from.span;
    return dim;
  }

  // A `start` that is written as a multiple of the size gives a blocked dim, with the size's text from there.
  static BlockDim part(const BlockDim& from, const TypedPtr& start, const IndexSlice& slice) {
    const int64_t size = slice.size;
    BlockDim dim;
    dim.size = size;
    dim.size_expr = slice.size_text ? slice.size_text : index_constant(size);
    dim.span = from.span;
    if (const Apply* product = start->applies(Op::multiply)) {
      for (int side = 0; side < 2; ++side) {
        if (constant_value(product->args[side]) != size) continue;
        dim.size_expr = product->args[side];
        dim.index = product->args[1 - side];
        return dim;
      }
    }
    dim.kind = BlockKind::element;
    dim.index = start;
    return dim;
  }

  void add_scratch(int local, const BindStmt& bind) {
    Ref ref;
    ref.name = bind.name;
    ref.role = RefRole::scratch;
    ref.dtype = bind.value->dtype;
    ref.shape = bind.value->shape;
    ref.space = accumulates_dot(local) ? MemorySpace::acc : MemorySpace::reg;
    ref.space_given = true;
    ref.span = bind.value->span;
    for (size_t d = 0; d < ref.shape.size(); ++d) {
      BlockDim dim;
      dim.kind = BlockKind::whole;
      dim.size = ref.shape[d];
      dim.size_expr = named_size(ref.shape, d);
      dim.index = index_constant(0);
      ref.array_shape.push_back(dim.size_expr);
      ref.block.push_back(std::move(dim));
    }
    scratch_.emplace(local, static_cast<int>(out_.refs.size()));
    out_.refs.push_back(std::move(ref));
  }

  // Returns a size of a block, by its name in an output's block if there is one; prefers outputs of the same shape.
  TypedPtr named_size(const Shape& shape, size_t d) const {
    TypedPtr named = index_constant(shape[d]);
    for (const Ref& ref : kernel_.refs) {
      size_t kept = 0;
      for (const BlockDim& dim : ref.block) {
        if (dim.kind == BlockKind::squeezed) continue;
        const bool here = ref.shape == shape && kept++ == d;
        if (ref.role != RefRole::output || dim.size != shape[d] || !dim.size_expr ||
            constant_value(dim.size_expr) != shape[d])
          continue;
        if (here) return dim.size_expr;
        if (named->as<Constant>()) named = dim.size_expr;
      }
    }
    return named;
  }

  bool accumulates_dot(int local) const {
    bool found = false;
    for_each_statement(loop_->body, [&](const KernelStmt& statement) {
      const auto* bind = std::get_if<BindStmt>(&statement.node);
      if (!bind || bind->local != local) return;
      walk(bind->value, [&](const Typed& node) { found = found || node.applies(Op::dot); });
    });
    return found;
  }

  TypedPtr rewritten(const TypedPtr& value) const {
    return rewrite(value, [&](const TypedPtr& node) -> TypedPtr {
      if (const Symbol* symbol = node->as<Symbol>())
        return symbol->kind == SymbolKind::loop && symbol->id == loop_->loop ? turn_ : nullptr;
      if (const LocalUse* use = node->as<LocalUse>()) {
        const auto scratch = scratch_.find(use->id);
        if (scratch == scratch_.end()) return nullptr;
        return make_typed(node->span, node->dtype, node->shape,
                          RefRead{scratch->second, whole(out_.refs[scratch->second]), true, {}, {}, use->name});
      }
      const RefRead* read = node->as<RefRead>();
      if (!read || slices_.count(read->ref) == 0) return nullptr;
      const Ref& ref = out_.refs[read->ref];
      return make_typed(node->span, node->dtype, node->shape, RefRead{read->ref, whole(ref), true, {}, {}, ref.name});
    });
  }

  static std::vector<IndexItem> whole(const Ref& ref) {
    std::vector<IndexItem> items;
    for (int64_t size : ref.shape) items.push_back(IndexSlice{index_constant(0), size});
    return items;
  }

  KernelStmts rewritten(KernelStmts statements) const {
    change_values(statements, [&](TypedPtr& value) { value = rewritten(value); });
    change_statements(statements, [&](KernelStmt& statement) {
      const auto* bind = std::get_if<BindStmt>(&statement.node);
      const auto scratch = bind ? scratch_.find(bind->local) : scratch_.end();
      if (scratch == scratch_.end()) return;
      statement.node = StoreStmt{scratch->second, whole(out_.refs[scratch->second]), true, {}, bind->value, nullptr};
    });
    return statements;
  }

  static KernelStmts guarded(TypedPtr condition, KernelStmts statements) {
    KernelStmt when;
    when.span = statements.front().span;
    when.text = "when: " + to_string(condition);
    when.node = WhenStmt{std::move(condition), std::move(statements), {}};
    return {when};
  }

  void append(KernelStmts statements) {
    for (KernelStmt& statement : rewritten(std::move(statements))) out_.body.push_back(std::move(statement));
  }

  const Kernel& kernel_;
  Kernel out_;
  const ForStmt* loop_ = nullptr;
  std::ptrdiff_t loop_at_ = 0;
  int axis_ = -1;
  TypedPtr turn_;                           // the loop's variable: axis * step + start
  std::map<int, const RefRead*> slices_;    // by ref that becomes a block
  std::map<int, const BindStmt*> carried_;  // by local
  std::map<int, int> scratch_;              // the ref of each carried local
};

}  // namespace

std::shared_ptr<const Kernel> with_loop_as_axis(const Kernel& kernel) { return LoopAsAxis(kernel).run(); }

}  // namespace pallasgen
