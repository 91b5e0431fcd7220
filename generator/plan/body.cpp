#include "body.h"

#include <fmt/format.h>

#include <algorithm>

#include "block_reads.h"
#include "diagnostics/assert.h"
#include "tensor_copies.h"

namespace pallasgen {

namespace {

using namespace program;

bool mentions_sequential(const Kernel& kernel, const Ref& ref, bool innermost_only) {
  for (size_t axis = 0; axis < kernel.axes.size(); ++axis) {
    if (!kernel.axes[axis].sequential || (innermost_only && axis + 1 < kernel.axes.size())) continue;
    for (const BlockDim& dim : ref.block) {
      if (dim.index && mentions(dim.index, SymbolKind::axis, static_cast<int>(axis))) return true;
    }
  }
  return false;
}

class BodyPlanner {
 public:
  BodyPlanner(Draft& draft, const BlockFrame& frame)
      : draft_(draft), kernel_(*draft.kernel), frame_(frame), reads_(draft, frame) {}

  std::optional<PlannedBody> run() {
    for (const Ref& ref : kernel_.refs) {
      const int index = static_cast<int>(&ref - kernel_.refs.data());
      if (ref.role != RefRole::scratch) {
        if (!check_direct_access(draft_, index)) fine_ = false;
      } else if (ref.space != MemorySpace::automatic && ref.space != MemorySpace::reg &&
                 ref.space != MemorySpace::acc) {
        draft_.refuse(kPlanOperand, ref.span, fmt::format("scratch '{}' in shared memory is not planned yet", ref.name))
            .note("`space: reg` works");
        fine_ = false;
      }
    }
    if (!fine_) return std::nullopt;
    count_stores(kernel_.body);
    if (!run_sections()) return std::nullopt;
    write_back();
    std::set<int> counted;
    for (const auto& [fragment, registers] : fragment_registers_) {
      if (counted.insert(fragment).second) out_.registers += registers;
    }
    return std::move(out_);
  }

 private:
  bool run_sections() {
    const bool steps = kernel_.sequential_axes() > 0;
    size_t first = 0, last = kernel_.body.size();
    if (steps) {
      // Guards of the first step may leave the loop only from its top, those of the last only from its end.
      while (first < last && guard(kernel_.body[first]) == GuardKind::first) ++first;
      while (last > first && guard(kernel_.body[last - 1]) == GuardKind::last) --last;
    }
    place_ = StepPlace::first;
    section_ = &out_.before;
    for (size_t i = 0; i < first; ++i) {
      if (!take_all(std::get<WhenStmt>(kernel_.body[i].node).then)) return false;
    }
    leave_section();
    place_ = StepPlace::in_loop;
    section_ = &out_.step;
    for (size_t i = first; i < last; ++i) {
      if (steps && guard(kernel_.body[i]) != GuardKind::none) {
        draft_
            .refuse(
                kPlanBody, kernel_.body[i].span,
                "a guard of the first step below other statements, or of the last step above them, is not planned yet")
            .note("the first step's guards work at the top of the body, the last step's at its end");
        return false;
      }
      if (!take(kernel_.body[i])) return false;
    }
    leave_section();
    place_ = StepPlace::last;
    section_ = &out_.after;
    for (size_t i = last; i < kernel_.body.size(); ++i) {
      if (!take_all(std::get<WhenStmt>(kernel_.body[i].node).then)) return false;
    }
    return true;
  }

  // What was declared inside the steps is out of scope after them: it is computed again where it is asked for.
  void leave_section() {
    reads_.forget();
    for (auto& [id, local] : locals_) local.fragment = -1;
    std::erase_if(fragments_, [&](const auto& entry) { return !is_persistent(entry.first); });
  }

  GuardKind guard(const KernelStmt& statement) const {
    const WhenStmt* when = std::get_if<WhenStmt>(&statement.node);
    if (!when || !when->otherwise.empty()) return GuardKind::none;
    return guard_kind(kernel_, when->condition);
  }

  void count_stores(const KernelStmts& statements) {
    for (const KernelStmt& statement : statements) {
      if (const StoreStmt* store = std::get_if<StoreStmt>(&statement.node)) {
        stores_[store->ref].push_back(store);
      } else if (const WhenStmt* when = std::get_if<WhenStmt>(&statement.node)) {
        count_stores(when->then);
        count_stores(when->otherwise);
      }
    }
  }

  bool take_all(const KernelStmts& statements) {
    for (const KernelStmt& statement : statements) {
      if (!take(statement)) return false;
    }
    return true;
  }

  bool take(const KernelStmt& statement) {
    if (const BindStmt* bind = std::get_if<BindStmt>(&statement.node)) return take_bind(statement, *bind);
    if (const StoreStmt* store = std::get_if<StoreStmt>(&statement.node)) return take_store(statement, *store);
    if (const WhenStmt* when = std::get_if<WhenStmt>(&statement.node)) return take_when(statement, *when);
    draft_.refuse(kPlanBody, statement.span, "this statement is not planned yet")
        .note("planned are bindings, stores and guards");
    return false;
  }

  bool take_when(const KernelStmt& statement, const WhenStmt& when) {
    if (const auto value = evaluate_index(when.condition, [](const Symbol&) { return std::nullopt; }))
      return take_all(*value ? when.then : when.otherwise);
    bool reads = false;
    walk(when.condition, [&](const Typed& node) { reads = reads || node.as<RefRead>() || node.as<LocalUse>(); });
    if (reads) {
      draft_.refuse(kPlanBody, statement.span, "a guard that reads values is not planned yet")
          .note("guards over axes, dims and scalars work");
      return false;
    }
    Statements outer = std::move(section_->body);
    section_->body.clear();
    If branch{at_place(when.condition), {}, {}};
    const auto locals = locals_;
    if (!take_all(when.then)) return false;
    branch.then = std::move(section_->body);
    section_->body.clear();
    locals_ = locals;
    if (!take_all(when.otherwise)) return false;
    branch.otherwise = std::move(section_->body);
    locals_ = locals;
    section_->body = std::move(outer);
    section_->body.push_back({"", false, std::move(branch)});
    return true;
  }

  TypedPtr at_place(const TypedPtr& expr) const { return placed(kernel_, {expr}, place_).front(); }

  // A binding becomes a fragment when its first use asks for one of its own shape; others are written in place.
  bool take_bind(const KernelStmt& statement, const BindStmt& bind) {
    if (bind.rebinds || locals_.count(bind.local)) {
      draft_.refuse(kPlanBody, statement.span, fmt::format("a second binding of '{}' is not planned yet", bind.name))
          .note("scratch with `space: reg` can be assigned again");
      return false;
    }
    Local local{bind.value, statement.text, -1};
    const Shape& shape = bind.value->shape;
    const auto loop = std::find_if(stores_.begin(), stores_.end(),
                                   [&](const auto& entry) { return draft_.ref(entry.first).shape == shape; });
    if (!shape.empty() && loop != stores_.end()) {
      const int target =
          declare(cpp_name(bind.name), bind.value->dtype, reads_.loop_of(loop->first), section_->declarations);
      if (!compute(target, bind.value, reads_.loop_of(loop->first), statement.text)) return false;
      local.fragment = target;
    }
    locals_[bind.local] = std::move(local);
    return true;
  }

  bool take_store(const KernelStmt& statement, const StoreStmt& store) {
    const Ref& ref = draft_.ref(store.ref);
    if (store.mask) {
      draft_.refuse(kPlanBody, statement.span, "a masked store is not planned yet").note("`where` works");
      return false;
    }
    if (ref.role == RefRole::workspace || ref.role == RefRole::input) {
      draft_.refuse(kPlanBody, statement.span, fmt::format("a store to '{}' is not planned yet", ref.name));
      return false;
    }
    if (!store_is_whole(kernel_, store)) return take_part(statement, store);
    const Loop loop = reads_.loop_of(store.ref);
    const bool persistent = is_persistent(store.ref);
    const bool known = fragments_.count(store.ref) > 0;
    if (!known) {
      Statements& where = persistent ? out_.before.declarations : section_->declarations;
      fragments_[store.ref] = declare(block_name(ref), ref.dtype, loop, where);
      out_.persistent = out_.persistent || persistent;
    }
    // A block is combined into memory once, when it is left: with the last step, or in each.
    if (ref.reduce && !persistent && (stores_[store.ref].size() > 1 || !moves_each_step(ref))) {
      draft_.refuse(kPlanBody, statement.span,
                    fmt::format("'{}' is stored more often than it is combined into memory", ref.name));
      return false;
    }
    const int target = fragments_[store.ref];
    TypedPtr value = store.value;
    if (store.op) {
      if (written_.count(store.ref) == 0) {
        draft_.refuse(kPlanBody, statement.span, fmt::format("'{}' is read before it is written", ref.name));
        return false;
      }
      value = make_typed(
          value->span, ref.dtype, ref.shape,
          Apply{*store.op, {make_typed({}, ref.dtype, ref.shape, RefRead{store.ref, {}, true, {}, {}}), value}, {}});
    }
    if (!compute(target, value, loop, statement.text)) return false;
    written_.insert(store.ref);
    if (ref.role == RefRole::output && !persistent) store_block(store.ref, target, loop, section_->body);
    return true;
  }

  // o[2:4, :] = value: straight to memory, by a layout of the part.
  bool take_part(const KernelStmt& statement, const StoreStmt& store) {
    const Ref& ref = draft_.ref(store.ref);
    if (ref.role != RefRole::output || ref.reduce || store.op || is_persistent(store.ref) || frame_.splits() ||
        stores_[store.ref].size() > 1) {
      draft_
          .refuse(kPlanBody, statement.span, fmt::format("a store to a part of '{}' is not planned yet here", ref.name))
          .note("planned are one store to a part of an output in a body without sequential accumulation");
      return false;
    }
    std::optional<BlockPart> part = reads_.part_of(store.ref, store.index, place_);
    if (!part) {
      draft_.refuse(kPlanBody, statement.span, "a scatter is not planned yet");
      return false;
    }
    const Loop loop = reads_.loop_of_shape(part->shape);
    const int target = declare(block_name(ref), ref.dtype, loop, section_->declarations);
    if (!compute(target, store.value, loop, statement.text)) return false;
    Access access = reads_.access(store.ref, std::move(*part), loop);
    section_->body.push_back({"past the end: dropped", false, StoreGlobal{target, std::move(access), {}}});
    out_.bytes += bytes_of(ref.dtype, loop.elements());
    return true;
  }

  bool moves_each_step(const Ref& ref) const {
    return kernel_.sequential_axes() == 0 || mentions_sequential(kernel_, ref, true);
  }

  bool is_persistent(int ref) const {
    const Ref& r = draft_.ref(ref);
    if (kernel_.sequential_axes() == 0) return false;
    return r.role == RefRole::scratch || !mentions_sequential(kernel_, r, false);
  }

  std::string block_name(const Ref& ref) const {
    return ref.role == RefRole::scratch ? cpp_name(ref.name) : cpp_name(ref.name + "_block");
  }

  int declare(const std::string& name, DType dtype, const Loop& loop, Statements& where) {
    const int fragment = reads_.add_fragment(name, dtype, loop);
    fragment_registers_[fragment] = reads_.registers(fragment);
    where.push_back({"", false, DeclareFragment{fragment}});
    return fragment;
  }

  bool compute(int target, const TypedPtr& value, const Loop& loop, const std::string& quoted) {
    bool narrow = false;
    walk(value, [&](const Typed& node) { narrow |= info(node.dtype).is_float && info(node.dtype).bits < 16; });
    if (narrow) {
      draft_.refuse(kPlanBody, value->span, "floats of less than 16 bits are not planned yet")
          .note("f16 and bf16 work");
      return false;
    }
    ElementContext context{draft_,
                           [&](const TypedPtr& leaf, const std::vector<int>& dims) { return bind(leaf, dims, loop); },
                           [&](int dim) {
                             Binding binding{};
                             binding.kind = SlotKind::coordinate;
                             binding.dim = dim;
                             binding.offset = dim == 0 ? reads_.row_offset() : nullptr;
                             return BoundLeaf{binding, "coordinate"};
                           }};
    std::optional<ElementValue> element =
        element_value(at_place(value), broadcast_dims(value->shape, loop.whole), context);
    if (!element) return false;
    ElementwiseStatement statement{target, element->value, element->bindings, quoted};
    Elementwise* last = section_->body.empty() ? nullptr : std::get_if<Elementwise>(&section_->body.back().node);
    if (last && draft_.plan.fragments[last->layout_of].layout == draft_.plan.fragments[target].layout) {
      last->statements.push_back(std::move(statement));
    } else {
      section_->body.push_back({"", false, Elementwise{target, {std::move(statement)}}});
    }
    return true;
  }

  static BoundLeaf element(int fragment, const std::string& name) {
    Binding binding{};
    binding.kind = SlotKind::element;
    binding.fragment = fragment;
    return {binding, name};
  }

  std::optional<Leaf> bind(const TypedPtr& leaf, const std::vector<int>& dims, const Loop& loop) {
    const bool identity = loop.is_identity(leaf->shape, dims);
    if (const LocalUse* use = leaf->as<LocalUse>()) {
      const Local& local = locals_.at(use->id);
      if (local.fragment >= 0 && identity) return element(local.fragment, draft_.plan.fragments[local.fragment].name);
      return Leaf{local.value};
    }
    const RefRead& read = *leaf->as<RefRead>();
    const Ref& ref = draft_.ref(read.ref);
    if (ref.role != RefRole::input) {
      if (!fragments_.count(read.ref) || !written_.count(read.ref) || !identity || !read_is_whole(kernel_, read)) {
        draft_.refuse(
            kPlanBody, leaf->span,
            fmt::format("reading '{}' {} is not planned yet", ref.name,
                        written_.count(read.ref) ? "in part or transposed" : "before the body has written it"));
        return std::nullopt;
      }
      const int fragment = fragments_[read.ref];
      return element(fragment, draft_.plan.fragments[fragment].name);
    }
    const std::optional<int> fragment = reads_.load(leaf, read, dims, loop, place_, *section_);
    if (!fragment) return std::nullopt;
    if (fragment_registers_.emplace(*fragment, reads_.registers(*fragment)).second)
      out_.bytes += bytes_of(ref.dtype, loop.elements());
    return element(*fragment, draft_.plan.fragments[*fragment].name);
  }

  void store_block(int ref, int fragment, const Loop& loop, Statements& where) {
    BlockPart part = reads_.whole_part(ref, section_ == &out_.after ? StepPlace::last : place_);
    Access access = reads_.access(ref, std::move(part), loop);
    const std::string comment = access.masked ? "past the end: dropped" : "";
    StoreGlobal store{fragment, std::move(access), {}};
    if (const auto& reduce = draft_.ref(ref).reduce) {
      store.combine = *reduce == "add" ? AtomicKind::add : *reduce == "min" ? AtomicKind::min : AtomicKind::max;
      store.access.vector = number(1);
    }
    where.push_back({comment, false, std::move(store)});
    out_.bytes += bytes_of(draft_.ref(ref).dtype, loop.elements());
  }

  // Outputs that stayed in registers through the steps.
  void write_back() {
    section_ = &out_.after;
    for (const auto& [ref, fragment] : fragments_) {
      if (draft_.ref(ref).role == RefRole::output && is_persistent(ref))
        store_block(ref, fragment, reads_.loop_of(ref), out_.after.body);
    }
  }

  struct Local {
    TypedPtr value;
    std::string text;
    int fragment;
  };

  Draft& draft_;
  const Kernel& kernel_;
  const BlockFrame& frame_;
  BlockReads reads_;
  PlannedBody out_;
  Section* section_ = nullptr;
  StepPlace place_ = StepPlace::in_loop;
  bool fine_ = true;
  std::map<int, std::vector<const StoreStmt*>> stores_;
  std::map<int, Local> locals_;
  std::map<int, int> fragments_;  // ref -> fragment
  std::map<int, int64_t> fragment_registers_;
  std::set<int> written_;
};

}  // namespace

program::Statements in_order(Section section) {
  program::Statements all = std::move(section.shared_loads);
  for (program::Statements* part : {&section.loads, &section.declarations, &section.body}) {
    for (program::Statement& statement : *part) all.push_back(std::move(statement));
  }
  return all;
}

std::optional<PlannedBody> plan_body(Draft& draft, const BlockFrame& frame) { return BodyPlanner(draft, frame).run(); }

}  // namespace pallasgen
