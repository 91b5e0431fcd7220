#include "declarations/blocks.h"

#include <fmt/format.h>

#include <algorithm>

#include "expressions/evaluate.h"

namespace pallasgen {

namespace {

const NameExpr* callee_of(const ExprPtr& expr) {
  const CallExpr* call = expr->as<CallExpr>();
  return call ? call->callee->as<NameExpr>() : nullptr;
}

TypedPtr zero_at(Span span) { return make_typed(span, DType::index, {}, Constant{int64_t{0}, {}}); }

// The note on a list whose only entry is a tuple, as Python would write it.
std::optional<std::string> tuple_remedy(std::string_view key, const std::vector<ExprPtr>& entries) {
  const TupleExpr* tuple = entries.size() == 1 ? entries[0]->as<TupleExpr>() : nullptr;
  if (!tuple) return std::nullopt;
  return fmt::format("a tuple of Python is a list here: {}: {}", key,
                     to_string(*make_expr({}, ListExpr{tuple->items})));
}

class BlockCheck {
 public:
  BlockCheck(Context& context, const RefSpec& spec, Ref& ref)
      : context_(context), spec_(spec), ref_(ref), sizes_{context, kSizePlace}, maps_{context, kIndexPlace} {}

  bool run() {
    bool good = true;
    if (!spec_.block) {
      for (size_t i = 0; i < ref_.array_shape.size(); ++i) good = whole(i) && good;
    } else if (spec_.block->size() != ref_.array_shape.size()) {
      context_.diagnostics
          .error(kBlockRank, spec_.block_span,
                 fmt::format("the block of '{}' has {}, but its array has {} dimension{}", spec_.name,
                             entries(spec_.block->size()), ref_.array_shape.size(), plural(ref_.array_shape.size())))
          .note(tuple_remedy("block", *spec_.block)
                    .value_or("a dimension of which each program takes one index is written as squeezed"));
      return false;
    } else {
      for (const ExprPtr& entry : *spec_.block) good = size_entry(entry) && good;
    }
    if (gathers_) return false;  // its index map has another form
    return index_map(good) && good;
  }

 private:
  static constexpr Place kSizePlace{"a block", false, false, false, false, 0, true, "literals and consts"};
  Context& context_;
  const RefSpec& spec_;
  Ref& ref_;
  bool gathers_ = false;
  TypingContext sizes_, maps_;

  static std::string plural(size_t n) { return n == 1 ? "" : "s"; }
  static std::string entries(size_t n) { return fmt::format("{} entr{}", n, n == 1 ? "y" : "ies"); }

  bool whole(size_t dim) {
    BlockDim out;
    out.kind = BlockKind::whole;
    out.size_expr = ref_.array_shape[dim];
    out.index = zero_at(spec_.span);
    out.span = spec_.type.dims[dim]->span;
    const auto none = [](const Symbol&) { return std::optional<int64_t>(); };
    const std::optional<int64_t> extent = evaluate_index(ref_.array_shape[dim], none);
    out.size = extent.value_or(-1);
    ref_.block.push_back(out);
    ref_.shape.push_back(out.size);
    if (extent || spec_.space == MemorySpace::gmem) return true;
    context_.diagnostics
        .error(kRuntimeShape, out.span,
               fmt::format("'{}' has no block, and its extent {} is known only at launch", spec_.name,
                           to_string(ref_.array_shape[dim])))
        .note("give it a block of constant sizes, such as block: [128], with an index_map");
    return false;
  }

  // Types a constant > 0 and keeps it in `out.size_expr` as written.
  bool size_of(const ExprPtr& expr, const std::string& what, BlockDim& out) {
    sizes_.keep_constants = true;
    const TypedPtr size = index_of(sizes_, expr, what, kBlockEntry);
    sizes_.keep_constants = false;
    if (!size) return false;
    const std::optional<int64_t> value = evaluate_index(size, [](const Symbol&) { return std::optional<int64_t>(); });
    if (!value || *value < 1) {
      context_.diagnostics.error(kBlockEntry, expr->span,
                                 fmt::format("{} must be a constant of at least 1, not {}", what,
                                             value ? fmt::format("{}", *value) : to_string(size)));
      return false;
    }
    out.size = *value;
    out.size_expr = size;
    return true;
  }

  // Threads count the elements of a block with 32 bits.
  bool has_few_elements(Span span) {
    int64_t room = INT32_MAX;
    for (const int64_t size : ref_.shape) room = size > 0 ? room / size : room;
    if (room > 0) return true;
    context_.diagnostics
        .error(kBlockEntry, span, fmt::format("the block of '{}' has 2^31 elements or more", spec_.name))
        .note("take a smaller one, and a sequential axis that moves it");
    return false;
  }

  bool size_entry(const ExprPtr& written) {
    const ExprPtr expr = taken_branch(sizes_, written);
    if (!expr) return false;
    BlockDim out;
    out.span = expr->span;
    const NameExpr* word = expr->as<NameExpr>();
    const NameExpr* callee = callee_of(expr);
    bool good = true;
    if (word && word->name == "squeezed") {
      out.kind = BlockKind::squeezed;
      out.size_expr = make_typed(expr->span, DType::index, {}, Constant{int64_t{1}, {}});
    } else if (word && (word->name == "element" || word->name == "bounded_slice")) {
      context_.diagnostics.error(kBlockEntry, expr->span, fmt::format("'{0}' needs its size: {0}(n)", word->name));
      good = false;
    } else if (callee && callee->name == "element") {
      good = element(*expr->as<CallExpr>(), expr->span, out);
    } else if (callee && callee->name == "bounded_slice") {
      const CallExpr& call = *expr->as<CallExpr>();
      out.kind = BlockKind::bounded_slice;
      if (call.args.size() != 1 || !call.keywords.empty()) {
        context_.diagnostics.error(kBlockEntry, expr->span,
                                   fmt::format("bounded_slice takes one size, as in bounded_slice(64)"));
        good = false;
      } else {
        good = size_of(call.args[0], fmt::format("the size of bounded_slice of '{}'", spec_.name), out);
      }
    } else if (callee && callee->name == "gather" && !context_.find("gather")) {
      context_.diagnostics
          .error(kNotYet, expr->span, fmt::format("'gather(n)' in the block of '{}' has no meaning yet", spec_.name))
          .note(fmt::format("with space: gmem the body gathers: {}[ids[ds(i * 4, 4)], :]", spec_.name));
      gathers_ = true;
      good = false;
    } else {
      good = size_of(expr, fmt::format("an entry of the block of '{}'", spec_.name), out);
    }
    if (good && out.kind != BlockKind::squeezed) ref_.shape.push_back(out.size);
    good = good && has_few_elements(expr->span);
    ref_.block.push_back(std::move(out));
    return good;
  }

  bool element(const CallExpr& call, Span span, BlockDim& out) {
    out.kind = BlockKind::element;
    if ((call.args.size() != 1 && call.args.size() != 3) || !call.keywords.empty()) {
      context_.diagnostics.error(
          kBlockEntry, span,
          fmt::format("element takes a size, or a size and the padding on both sides: element(8) or element(8, 1, 2)"));
      return false;
    }
    if (!size_of(call.args[0], fmt::format("the size of element of '{}'", spec_.name), out)) return false;
    for (size_t i = 1; i < call.args.size(); ++i) {
      const std::optional<int64_t> pad = constant_integer(sizes_, call.args[i], "the padding of element");
      if (!pad) return false;
      if (*pad < 0) {
        context_.diagnostics.error(
            kBlockEntry, call.args[i]->span,
            fmt::format("the padding of element of '{}' is {}, but must be at least 0", spec_.name, *pad));
        return false;
      }
      (i == 1 ? out.low : out.high) = *pad;
    }
    return true;
  }

  bool index_map(bool blocks_good) {
    if (!spec_.index_map) {
      for (BlockDim& dim : ref_.block) {
        dim.index = zero_at(spec_.span);
        if (dim.kind == BlockKind::bounded_slice) {
          context_.diagnostics.error(
              kIndexMapEntry, dim.span,
              fmt::format("bounded_slice of '{}' needs an index_map that gives ds(start, size)", spec_.name));
          return false;
        }
      }
      return true;
    }
    const std::vector<ExprPtr>& map = *spec_.index_map;
    if (map.size() != ref_.array_shape.size()) {
      context_.diagnostics
          .error(kIndexMapArity, spec_.index_map_span,
                 fmt::format("the index map of '{}' has {}, but its array has {} dimension{}", spec_.name,
                             entries(map.size()), ref_.array_shape.size(), plural(ref_.array_shape.size())))
          .note(tuple_remedy("index_map", map)
                    .value_or("it gives one index for each dimension, 0 where the block is the same for all programs"));
      return false;
    }
    bool good = true;
    for (size_t i = 0; i < map.size() && i < ref_.block.size(); ++i)
      good = map_entry(map[i], ref_.block[i], blocks_good) && good;
    return good;
  }

  bool map_entry(const ExprPtr& written, BlockDim& dim, bool blocks_good) {
    const ExprPtr expr = taken_branch(maps_, written);
    if (!expr) return false;
    const NameExpr* callee = callee_of(expr);
    const std::string what = fmt::format("an entry of the index map of '{}'", spec_.name);
    if (callee && callee->name == "ds") {
      const CallExpr& call = *expr->as<CallExpr>();
      if (dim.kind != BlockKind::bounded_slice) {
        if (!blocks_good) return false;
        context_.diagnostics.error(
            kIndexMapEntry, expr->span,
            fmt::format("ds(start, size) in the index map of '{}' needs the entry bounded_slice(n) in its block",
                        spec_.name));
        return false;
      }
      if (call.args.size() != 2 || !call.keywords.empty()) {
        context_.diagnostics.error(kIndexMapEntry, expr->span, "ds takes a start and a size: ds(start, size)");
        return false;
      }
      dim.index = index_of(maps_, call.args[0], what, kIndexMapEntry);
      dim.slice_size = index_of(maps_, call.args[1], what, kIndexMapEntry);
      if (!dim.index || !dim.slice_size) return false;
      const Bounds range = bounds(dim.slice_size, context_.kernel.facts());
      if ((range.minimum && *range.minimum > dim.size) || (range.maximum && *range.maximum < 0)) {
        context_.diagnostics.error(kIndexMapEntry, call.args[1]->span,
                                   fmt::format("the size {} of a slice of '{}' is not between 0 and {}",
                                               to_string(dim.slice_size), spec_.name, dim.size));
        return false;
      }
      return true;
    }
    if (dim.kind == BlockKind::bounded_slice) {
      if (!blocks_good) return false;
      context_.diagnostics.error(kIndexMapEntry, expr->span,
                                 fmt::format("bounded_slice of '{}' needs ds(start, size) in its index map, not {}",
                                             spec_.name, to_string(*expr)));
      return false;
    }
    dim.index = index_of(maps_, expr, what, kIndexMapEntry);
    return dim.index != nullptr;
  }
};

}  // namespace

ExprPtr taken_branch(TypingContext& in, const ExprPtr& expr) {
  const ConditionalExpr* node = expr->as<ConditionalExpr>();
  if (!node) return expr;
  const TypedPtr test = condition_of(in, node->condition, "the condition");
  if (!test) return nullptr;
  const Constant* constant = test->as<Constant>();
  if (!constant) return expr;
  return taken_branch(in, std::get<bool>(constant->value) ? node->then : node->otherwise);
}

bool check_block(Context& context, const RefSpec& spec, Ref& ref) { return BlockCheck(context, spec, ref).run(); }

}  // namespace pallasgen
