#include "expanded_dots.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "check/has_name.h"
#include "diagnostics/assert.h"
#include "expression/index_map.h"

namespace pallasgen::schedule {

namespace {

bool is_scaled(const Apply& dot) { return dot.args.size() > 2; }

// True if the value is a dot that is written out.
bool has_parts(const Typed& value) {
  const Apply* dot = value.applies(Op::dot);
  return dot && (is_scaled(*dot) || dot->attributes.precision == "bf16x3");
}
bool has_parts(const TypedPtr& value) { return value && has_parts(*value); }

TypedPtr elementwise(Op op, DType dtype, std::vector<TypedPtr> operands) {
  const TypedPtr like = operands.front();
  return make_typed(like->span, dtype, like->shape, Apply{op, std::move(operands), {}});
}

bool mentions_local(const TypedPtr& value, int local) {
  bool found = false;
  walk(value, [&](const Typed& node) {
    const auto* use = node.as<LocalUse>();
    found = found || (use && use->id == local);
  });
  return found;
}

class DotExpansion {
 public:
  explicit DotExpansion(const Kernel& kernel) : kernel_(kernel) {
    for_each_value(kernel.body, [&](const TypedPtr& value) {
      walk(value, [&](const Typed& node) {
        const auto* use = node.as<LocalUse>();
        if (use) locals_ = std::max(locals_, use->id + 1);
        any_ = any_ || has_parts(node);
      });
    });
    for_each_statement(kernel.body, [&](const KernelStmt& statement) {
      if (const auto* bind = std::get_if<BindStmt>(&statement.node)) locals_ = std::max(locals_, bind->local + 1);
      if (const auto* atomic = std::get_if<AtomicStmt>(&statement.node)) locals_ = std::max(locals_, atomic->old + 1);
    });
  }

  std::shared_ptr<const Kernel> run() {
    if (!any_) return nullptr;
    auto out = std::make_shared<Kernel>(kernel_);
    expand(out->body);
    for_each_value(out->body, [&](const TypedPtr& value) {
      walk(value, [&](const Typed& node) { PALLASGEN_ASSERT(!has_parts(node), node.span); });
    });
    return out;
  }

 private:
  const Kernel& kernel_;
  std::set<std::string> made_;  // names
  int locals_ = 0;
  bool any_ = false;

  // A name that nothing has, as values of equal names and types are one value in a tile program.
  std::string unused_name(const std::string& wanted) {
    std::string name = wanted;
    for (int next = 2; has_name(kernel_, name) || !made_.insert(name).second; ++next)
      name = fmt::format("{}_{}", wanted, next);
    return name;
  }

  // Binds the value to a name of its own, in a statement that quotes `words` for the value, if there are any.
  TypedPtr bind(const std::string& wanted, const TypedPtr& value, KernelStmts& out, const std::string& words = "") {
    const int local = locals_++;
    const std::string name = unused_name(wanted), text = words.empty() ? "" : fmt::format("{} = {}", name, words);
    out.push_back({value->span, text, BindStmt{local, name, value, false}});
    return make_typed(value->span, value->dtype, value->shape, LocalUse{local, name});
  }

  static std::string name_of_operand(const TypedPtr& operand, const std::string& otherwise) {
    if (const auto* read = operand->as<RefRead>(); read && read->whole) return read->name;
    const auto* use = operand->as<LocalUse>();
    return use ? use->name : otherwise;
  }

  // The terms whose sum the dot is, in their order. `out` gets names for their operands.
  std::vector<TypedPtr> parts_of(const TypedPtr& dot, KernelStmts& out) {
    Apply whole = *dot->as<Apply>();
    for (size_t i = 0; i < whole.args.size(); ++i) {
      TypedPtr& operand = whole.args[i];
      static constexpr const char* kNames[] = {"a", "b", "a_scale", "b_scale"};
      const auto* read = operand->as<RefRead>();
      if (!(read && read->whole && !read->mask) && !operand->as<LocalUse>())
        operand = bind(kNames[i], expanded(operand, out), out);
    }
    return is_scaled(whole) ? scaled_parts(dot, whole, out) : products_of_halves(dot, whole, out);
  }

  // An operand of f32 rounded to bf16, and the rest (0 for infinities) rounded to bf16.
  std::array<TypedPtr, 2> bf16_parts_of(const TypedPtr& operand, const std::string& name, KernelStmts& out) {
    const auto named = [&](const char* half, const TypedPtr& value) {
      return bind(name + half, value, out, to_string(value));
    };
    const TypedPtr high = named("_high", elementwise(Op::cast, DType::bf16, {operand}));
    const TypedPtr widened = elementwise(Op::cast, DType::f32, {high});
    const TypedPtr rest = elementwise(Op::subtract, DType::f32, {operand, widened});
    const TypedPtr is_finite = elementwise(Op::isfinite, DType::boolean, {widened});
    const TypedPtr zero = make_typed(operand->span, DType::f32, {}, Constant{0.0, {}});
    const TypedPtr low = elementwise(Op::where, DType::f32, {is_finite, rest, zero});
    return {high, named("_low", elementwise(Op::cast, DType::bf16, {low}))};
  }

  // For `precision=bf16x3`: the products of the halves without that of the two lower ones, the smallest first.
  std::vector<TypedPtr> products_of_halves(const TypedPtr& dot, const Apply& whole, KernelStmts& out) {
    const auto [a_high, a_low] = bf16_parts_of(whole.args[0], name_of_operand(whole.args[0], "a"), out);
    const auto [b_high, b_low] = bf16_parts_of(whole.args[1], name_of_operand(whole.args[1], "b"), out);
    std::vector<TypedPtr> products;
    for (const auto& [a, b] : {std::pair(a_low, b_high), std::pair(a_high, b_low), std::pair(a_high, b_high)}) {
      Apply product = whole;
      product.args = {a, b};
      product.attributes.precision.clear();
      products.push_back(make_typed(dot->span, dot->dtype, dot->shape, std::move(product)));
    }
    return products;
  }

  // The scales of all parts in f32, those of one part next to each other.
  TypedPtr transposed_scale(const TypedPtr& scale, const std::string& otherwise, KernelStmts& out) {
    const std::string name = name_of_operand(scale, otherwise);
    std::string words = name + ".T";
    TypedPtr value = transposed(scale);
    if (scale->dtype != DType::f32) {
      value = elementwise(Op::cast, DType::f32, {value});
      words += ".astype(f32)";
    }
    return bind(name + "_t", value, out, words);
  }

  // The products of each part times its scales.
  std::vector<TypedPtr> scaled_parts(const TypedPtr& dot, const Apply& whole, KernelStmts& out) {
    const TypedPtr named = make_typed(dot->span, dot->dtype, dot->shape, whole);
    const int64_t groups = groups_of(whole), rows = dot->shape[0], columns = dot->shape[1];
    std::vector<std::pair<TypedPtr, bool>> scales;  // and whether it scales a
    for (size_t i = 2; i < whole.args.size(); ++i) {
      const bool of_a = i == 2 && whole.attributes.scales_a;
      scales.emplace_back(transposed_scale(whole.args[i], of_a ? "a_scale" : "b_scale", out), of_a);
    }
    std::vector<TypedPtr> parts;
    for (int64_t group = 0; group < groups; ++group) {
      const TypedPtr of_group = dot_of_group(named, group);
      Apply product = *of_group->as<Apply>();
      for (size_t i = 0; i < 2; ++i) product.args[i] = dot_operand(*of_group->as<Apply>(), i);
      product.attributes.part_first = product.attributes.part_size = 0;
      TypedPtr part = make_typed(dot->span, dot->dtype, dot->shape, std::move(product));
      for (const auto& [scale, of_a] : scales) {
        const TypedPtr vector = sliced(scale, part_map(scale->shape, 0, index_constant(group), std::nullopt));
        const IndexMap stretched = reshape_map(vector->shape, of_a ? Shape{rows, 1} : Shape{1, columns});
        const TypedPtr factor = sliced(vector, stretched);
        part = make_typed(dot->span, dot->dtype, dot->shape, Apply{Op::multiply, {part, factor}, {}});
      }
      parts.push_back(std::move(part));
    }
    return parts;
  }

  TypedPtr sum(const TypedPtr& start, const TypedPtr& part) const {
    return make_typed(part->span, part->dtype, part->shape, Apply{Op::add, {start, part}, {}});
  }

  // Binds the name of `to` to the sum of `start`, if any, and the parts of the dot. `text`: the words of the spec that
  // the first statement quotes.
  void chain(const TypedPtr& start, const TypedPtr& dot, Span span, const std::string& text, const BindStmt& to,
             KernelStmts& out) {
    const std::vector<TypedPtr> parts = parts_of(dot, out);
    const TypedPtr before = make_typed(dot->span, dot->dtype, dot->shape, LocalUse{to.local, to.name});
    if (parts.empty())
      return out.push_back({span, text, BindStmt{to.local, to.name, start ? start : zero(dot), to.rebinds}});
    for (size_t i = 0; i < parts.size(); ++i) {
      const TypedPtr value = i > 0 ? sum(before, parts[i]) : start ? sum(start, parts[i]) : parts[i];
      out.push_back({span, i == 0 ? text : "", BindStmt{to.local, to.name, value, i > 0 || to.rebinds}});
    }
  }

  static TypedPtr zero(const TypedPtr& like) {
    const TypedPtr number = make_typed(like->span, like->dtype, {}, Constant{0.0, {}});
    return make_typed(like->span, like->dtype, like->shape, Apply{Op::full, {number}, {}});
  }

  // The value with names, bound in `out`, for its dots that are written out.
  TypedPtr expanded(const TypedPtr& value, KernelStmts& out) {
    return rewrite(value, [&](const TypedPtr& node) -> TypedPtr {
      const Apply* add = node->applies(Op::add);
      for (const size_t i : {1, 0}) {  // x + dot accumulates from x
        if (!add || !has_parts(add->args[i]) || add->args[i]->shape != node->shape) continue;
        return named(expanded(add->args[1 - i], out), add->args[i], out);
      }
      return has_parts(node) ? named(nullptr, node, out) : nullptr;
    });
  }

  TypedPtr named(const TypedPtr& start, const TypedPtr& dot, KernelStmts& out) {
    const BindStmt to{locals_++, unused_name("scaled"), nullptr, false};
    chain(start, dot, dot->span, "", to, out);
    return make_typed(dot->span, dot->dtype, dot->shape, LocalUse{to.local, to.name});
  }

  void expand(KernelStmts& body) {
    KernelStmts out;
    for (KernelStmt& statement : body) {
      if (auto* when = std::get_if<WhenStmt>(&statement.node)) {
        expand(when->then);
        expand(when->otherwise);
        when->condition = expanded(when->condition, out);
      } else if (auto* loop = std::get_if<ForStmt>(&statement.node)) {
        expand(loop->body);
      } else if (auto* repeat = std::get_if<WhileStmt>(&statement.node)) {
        expand(repeat->body);
        compute_condition_before(*repeat, statement.span, out);
      } else if (auto* scope = std::get_if<ScopeStmt>(&statement.node)) {
        expand(scope->body);
      } else if (auto* store = std::get_if<StoreStmt>(&statement.node)) {
        if (expand(*store, statement, out)) continue;
        store->value = expanded(store->value, out);
      } else if (auto* bound = std::get_if<BindStmt>(&statement.node)) {
        if (expand(*bound, statement, out)) continue;
        bound->value = expanded(bound->value, out);
      } else {
        KernelStmts one = {std::move(statement)};
        change_values(one, [&](TypedPtr& value) { value = expanded(value, out); });
        statement = std::move(one.front());
      }
      out.push_back(std::move(statement));
    }
    body = std::move(out);
  }

  // Computes a condition with such dots before the loop, and again at the end of each iteration.
  void compute_condition_before(WhileStmt& loop, Span span, KernelStmts& out) {
    const TypedPtr asked = loop.condition;
    TypedPtr first = expanded(asked, out);
    if (first == asked) return;
    const BindStmt goes_on{locals_++, unused_name("goes_on"), nullptr, false};
    out.push_back({span, "", BindStmt{goes_on.local, goes_on.name, std::move(first), false}});
    TypedPtr again = expanded(asked, loop.body);
    loop.body.push_back({span, "", BindStmt{goes_on.local, goes_on.name, std::move(again), true}});
    loop.condition = make_typed(asked->span, asked->dtype, asked->shape, LocalUse{goes_on.local, goes_on.name});
  }

  // Writes out `ref[...] += dot`; false for other stores.
  bool expand(const StoreStmt& store, const KernelStmt& from, KernelStmts& out) {
    if (store.op != Op::add || !store.whole || store.mask || !has_parts(store.value)) return false;
    const std::vector<TypedPtr> parts = parts_of(store.value, out);
    for (size_t i = 0; i < parts.size(); ++i) {
      StoreStmt one = store;
      one.value = parts[i];
      out.push_back({from.span, i == 0 ? from.text : "", std::move(one)});
    }
    return true;
  }

  // Writes out `name = dot` and `name = start + dot`, unless the operands use the name; false for others.
  bool expand(const BindStmt& bound, const KernelStmt& from, KernelStmts& out) {
    const Apply* add = bound.value->applies(Op::add);
    TypedPtr start, dot = has_parts(bound.value) ? bound.value : nullptr;
    for (const size_t i : {1, 0}) {
      if (dot || !add || !has_parts(add->args[i]) || add->args[i]->shape != bound.value->shape) continue;
      dot = add->args[i];
      start = add->args[1 - i];
    }
    if (!dot || mentions_local(dot, bound.local)) return false;
    if (start) start = expanded(start, out);
    chain(start, dot, from.span, from.text, bound, out);
    return true;
  }
};

}  // namespace

std::shared_ptr<const Kernel> with_dots_expanded(const Kernel& kernel) { return DotExpansion(kernel).run(); }

}  // namespace pallasgen::schedule
