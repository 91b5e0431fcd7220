#include "matmul_form.h"

#include <fmt/format.h>

#include "values.h"

namespace pallasgen {

namespace {

constexpr const char* kForm =
    "planned are `acc[...] += dot(a, b)` on whole blocks along one sequential axis k, `acc[...] = 0` under "
    "`when: k == 0`, and stores under `when: k == num_programs(k) - 1`";

bool is_zero(const TypedPtr& value) {
  if (const Apply* cast = value->applies(Op::cast)) return is_zero(cast->args[0]);
  if (const Apply* full = value->applies(Op::full)) return !full->args.empty() && is_zero(full->args.back());
  if (const Apply* broadcast = value->applies(Op::broadcast_to)) return is_zero(broadcast->args[0]);
  const Constant* constant = value->as<Constant>();
  if (!constant) return false;
  if (const int64_t* integer = std::get_if<int64_t>(&constant->value)) return *integer == 0;
  const double* real = std::get_if<double>(&constant->value);
  return real && *real == 0;
}

// The ref that an operand of the dot reads whole, `.T` flipping `trans`; -1 for anything else.
int whole_ref(const Kernel& kernel, const TypedPtr& operand, bool& trans) {
  if (const Apply* transpose = operand->applies(Op::transpose)) {
    if (transpose->attributes.axes != std::vector<int64_t>{1, 0} && !transpose->attributes.axes.empty()) return -1;
    trans = !trans;
    return whole_ref(kernel, transpose->args[0], trans);
  }
  const RefRead* read = operand->as<RefRead>();
  return read && read_is_whole(kernel, *read) ? read->ref : -1;
}

class Recogniser {
 public:
  explicit Recogniser(Draft& draft) : draft_(draft), kernel_(*draft.kernel) {}

  std::optional<MatmulForm> run() {
    if (kernel_.sequential_axes() != 1) {
      draft_
          .refuse(kPlanMmaForm, first_dot_span(),
                  fmt::format("a dot in a grid with {} sequential axes is not planned yet", kernel_.sequential_axes()))
          .note(kForm);
      return std::nullopt;
    }
    form_.axis = static_cast<int>(kernel_.axes.size()) - 1;
    for (const KernelStmt& statement : kernel_.body) {
      if (!take(statement)) return std::nullopt;
    }
    if (!form_.dot) return refuse(kernel_.body.front(), "the dot stands in no accumulation of its own");
    if (!form_.last) return refuse(*form_.dot, "nothing is stored after the last step");
    if (!zeroed_) return refuse(*form_.dot, fmt::format("'{}' is not set to zero before", name(form_.acc)));
    return form_;
  }

 private:
  const std::string& name(int ref) const { return kernel_.refs[ref].name; }

  Span first_dot_span() const {
    Span span = kernel_.span;
    bool found = false;
    for_each_value(kernel_.body, [&](const TypedPtr& value) {
      walk(value, [&](const Typed& node) {
        if (!found && node.applies(Op::dot)) span = node.span, found = true;
      });
    });
    return span;
  }

  std::nullopt_t refuse(const KernelStmt& statement, const std::string& what) {
    draft_.refuse(kPlanMmaForm, statement.span, what + ": a matmul of this form is not planned yet").note(kForm);
    return std::nullopt;
  }

  bool take(const KernelStmt& statement) {
    if (const WhenStmt* when = std::get_if<WhenStmt>(&statement.node)) {
      const GuardKind kind = guard_kind(kernel_, when->condition);
      if (kind == GuardKind::none || !when->otherwise.empty()) {
        refuse(statement, "a guard that is neither the first nor the last step's");
        return false;
      }
      return kind == GuardKind::first ? take_first(*when) : take_last(statement, *when);
    }
    if (const StoreStmt* store = std::get_if<StoreStmt>(&statement.node)) return take_dot(statement, *store);
    refuse(statement, "a statement beside the accumulation");
    return false;
  }

  bool take_first(const WhenStmt& when) {
    for (const KernelStmt& statement : when.then) {
      const StoreStmt* store = std::get_if<StoreStmt>(&statement.node);
      if (!store || store->op || !store_is_whole(kernel_, *store) || !is_zero(store->value) || store->mask || zeroed_ ||
          form_.dot) {
        refuse(statement, "a first step that does more than set one accumulator to zero");
        return false;
      }
      form_.acc = store->ref;
      zeroed_ = true;
    }
    return true;
  }

  bool take_last(const KernelStmt& guard, const WhenStmt& when) {
    if (!form_.dot || form_.last) {
      refuse(guard, "a last step's guard that does not follow the accumulation");
      return false;
    }
    form_.last = &guard;
    for (const KernelStmt& statement : when.then) form_.epilogue.push_back(&statement);
    return true;
  }

  bool take_dot(const KernelStmt& statement, const StoreStmt& store) {
    if (form_.dot || form_.last || store.mask || !store_is_whole(kernel_, store)) {
      refuse(statement, "a store beside the accumulation");
      return false;
    }
    TypedPtr value = store.value;
    bool accumulates = store.op == Op::add;
    if (!store.op) {
      // acc[...] = acc + dot(a, b), either way round
      const Apply* sum = value->applies(Op::add);
      for (int side = 0; sum && side < 2; ++side) {
        const RefRead* read = sum->args[side]->as<RefRead>();
        if (read && read->ref == store.ref && read_is_whole(kernel_, *read)) {
          accumulates = true;
          value = sum->args[1 - side];
          break;
        }
      }
    }
    const Apply* dot = value->applies(Op::dot);
    if (!accumulates || !dot) {
      refuse(statement, "a store before the last step that is no accumulation of a dot");
      return false;
    }
    if (form_.acc >= 0 && form_.acc != store.ref) {
      refuse(statement, fmt::format("'{}' is set to zero, '{}' accumulates", name(form_.acc), name(store.ref)));
      return false;
    }
    form_.acc = store.ref;
    form_.dot = &statement;
    form_.dot_span = value->span;
    form_.trans_a = dot->attributes.trans_a;
    form_.trans_b = dot->attributes.trans_b;
    form_.a = whole_ref(kernel_, dot->args[0], form_.trans_a);
    form_.b = whole_ref(kernel_, dot->args[1], form_.trans_b);
    return check_operands(statement, value->dtype);
  }

  bool check_operands(const KernelStmt& statement, DType result) {
    for (int operand : {form_.a, form_.b}) {
      if (operand < 0 || kernel_.refs[operand].role != RefRole::input) {
        refuse(statement, "an operand of the dot that is not an input's whole block");
        return false;
      }
      if (kernel_.refs[operand].shape.size() != 2) {
        refuse(statement,
               fmt::format("the block of '{}' has {} dims", name(operand), kernel_.refs[operand].shape.size()));
        return false;
      }
    }
    if (form_.a == form_.b) {
      refuse(statement, fmt::format("'{}' is both operands of the dot", name(form_.a)));
      return false;
    }
    const Ref &a = kernel_.refs[form_.a], &b = kernel_.refs[form_.b], &acc = kernel_.refs[form_.acc];
    if (a.dtype != b.dtype || (a.dtype != DType::bf16 && a.dtype != DType::f16) || result != DType::f32) {
      draft_.refuse(
          kPlanMmaForm, form_.dot_span,
          fmt::format("dot of {} and {} with a result of {} is not planned yet: planned are bf16 with bf16 and "
                      "f16 with f16, with a result of f32",
                      name_of(a.dtype), name_of(b.dtype), name_of(result)));
      return false;
    }
    if (acc.role != RefRole::scratch || acc.space == MemorySpace::smem || acc.space == MemorySpace::tmem ||
        acc.space == MemorySpace::gmem) {
      draft_.refuse(kPlanMmaForm, acc.span,
                    fmt::format("'{}' accumulates a dot and must be scratch with `space: acc`", acc.name));
      return false;
    }
    return true;
  }

  Draft& draft_;
  const Kernel& kernel_;
  MatmulForm form_;
  bool zeroed_ = false;
};

}  // namespace

bool has_dot(const Kernel& kernel) {
  bool found = false;
  for_each_value(kernel.body, [&](const TypedPtr& value) {
    walk(value, [&](const Typed& node) { found = found || node.applies(Op::dot); });
  });
  return found;
}

std::optional<MatmulForm> matmul_form(Draft& draft) { return Recogniser(draft).run(); }

}  // namespace pallasgen
