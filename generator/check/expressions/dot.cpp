#include <fmt/format.h>

#include "expressions/calls.h"
#include "expressions/evaluate.h"
#include "expressions/operators.h"

namespace pallasgen {

namespace {

bool is_f8(DType dtype) { return dtype == DType::f8e4m3 || dtype == DType::f8e5m2; }

// The dtype of dot for inputs of one dtype.
std::optional<DType> dot_result(DType dtype) {
  switch (dtype) {
    case DType::f16:
    case DType::bf16:
    case DType::f32:
    case DType::f8e4m3:
    case DType::f8e5m2:
    case DType::f4e2m1:
      return DType::f32;
    case DType::f64:
      return DType::f64;
    case DType::i8:
    case DType::u8:
    case DType::i4:
    case DType::u4:
      return DType::i32;
    default:
      return std::nullopt;
  }
}

// Advice on an operand that fits transposed: "with trans_b=true they fit".
std::string transposed_fits(const Typed& operand, const char* attribute, bool given) {
  const Apply* transposed = operand.applies(Op::transpose);
  if (transposed && !given) return fmt::format("without the transpose of {} they fit", attribute[6]);
  return fmt::format("{} {}=true they fit", given ? "without" : "with", attribute);
}

constexpr int64_t kFewestScaled = 32;  // the fewest products that share a scale

// The scale of an operand with `rows` rows, or columns, and `depth` contracted elements; null after an error.
TypedPtr scale_operand(TypingContext& in, const ExprPtr& expr, const char* name, int64_t rows, int64_t depth) {
  const TypedPtr scale = value_of(in, expr);
  if (!scale) return nullptr;
  const DType dtype = scale->dtype;
  if (dtype != DType::f32 && dtype != DType::f8e8m0 && dtype != DType::f8e4m3)
    return in.fail(kOperandDType, expr->span, "'{}' of dot is f32, f8e8m0 or f8e4m3, not {}", name, describe(scale));
  if (scale->shape.size() != 2 || scale->shape[0] != rows) {
    Diagnostic& out =
        in.error(kShapeMismatch, expr->span,
                 "'{}' of dot has shape {}, and must have {} rows, and a column for each part of the contracted {}",
                 name, shape_text(scale->shape), rows, depth);
    const bool turned = scale->shape.size() == 2 && scale->shape[1] == rows && scale->shape[0] > 0;
    if (turned && depth % scale->shape[0] == 0) out.note("its transpose fits: write .T after it");
    return nullptr;
  }
  const int64_t groups = scale->shape[1];
  if (groups == 0 && depth == 0) return scale;
  if (groups == 0 || depth % groups != 0) {
    in.error(kShapeMismatch, expr->span, "'{}' of dot has {} columns, which do not divide the contracted {}", name,
             groups, depth)
        .note(fmt::format("1 column works, a scale for all {} products of a row", depth));
    return nullptr;
  }
  if (depth > 0 && depth / groups < kFewestScaled) {
    in.error(kShapeMismatch, expr->span, "'{}' of dot has a scale for each {} products, and {} are the fewest", name,
             depth / groups, kFewestScaled)
        .note(fmt::format("{} columns work, for {} products each", depth / kFewestScaled, kFewestScaled));
    return nullptr;
  }
  // Past the end the operand is 0, and its product with whatever the scale reads there must be 0 too.
  if (!in.context.extents) check_partial(in.context, scale, 1, expr->span, *in.diagnostics, PartialRule::scale);
  return scale;
}

// The dot with its scales, either of which may be absent.
TypedPtr with_scales(TypingContext& in, const TypedPtr& product, const ExprPtr& a_scale, const ExprPtr& b_scale) {
  Apply scaled = *product->as<Apply>();
  if (product->dtype != DType::f32)
    return in.fail(kOperandDType, product->span, "dot with scales gives f32, and this one gives {}",
                   name_of(product->dtype));
  if (product->shape.size() != 2) {
    in.error(kShapeMismatch, product->span, "dot with scales multiplies matrices, not batches of them: {}",
             shape_text(product->shape))
        .note("a grid axis can take the batch, its dim of the blocks squeezed");
    return nullptr;
  }
  const int64_t depth = scaled.args[0]->shape[scaled.attributes.trans_a ? 0 : 1];
  bool good = true;
  const auto add = [&](const ExprPtr& expr, const char* name, int64_t rows, bool& flag) {
    if (!expr) return;
    const TypedPtr scale = scale_operand(in, expr, name, rows, depth);
    good = good && scale;
    flag = true;
    scaled.args.push_back(scale);
  };
  add(a_scale, "a_scale", product->shape[0], scaled.attributes.scales_a);
  add(b_scale, "b_scale", product->shape[1], scaled.attributes.scales_b);
  if (!good) return nullptr;
  if (scaled.args.size() == 4 && scaled.args[2]->shape[1] != scaled.args[3]->shape[1])
    return in.fail(kShapeMismatch, product->span,
                   "'a_scale' and 'b_scale' of dot have {} and {} columns: both have one for "
                   "each part of the contracted {}",
                   scaled.args[2]->shape[1], scaled.args[3]->shape[1], depth);
  return make_typed(product->span, product->dtype, product->shape, std::move(scaled));
}

}  // namespace

TypedPtr dot_call(TypingContext& in, const CallExpr& node, Span span, const std::string& name) {
  const std::optional<Bound> args = bind_arguments(in, node, span, name);
  if (!args) return nullptr;
  const TypedPtr a = value_of(in, (*args)[0]), b = value_of(in, (*args)[1]);
  OpAttributes attributes;
  bool good = a && b;
  const auto flag = [&](const ExprPtr& expr, const char* what, bool& out) {
    if (!expr) return;
    const std::optional<bool> given = constant_bool(in, expr, what);
    good = good && given;
    out = given.value_or(false);
  };
  flag((*args)[2], "'trans_a'", attributes.trans_a);
  flag((*args)[3], "'trans_b'", attributes.trans_b);
  std::optional<DType> wanted;
  if ((*args)[4]) {
    wanted = dtype_of(in, (*args)[4]);
    good = good && wanted;
  }
  if (const ExprPtr& precision = (*args)[5]) {
    // The precision is a word of dot or a const that holds one; other names of the spec have no meaning here.
    const NameExpr* word = precision->as<NameExpr>();
    const StringExpr* text = precision->as<StringExpr>();
    attributes.precision = word ? word->name : text ? text->value : "";
    if (word) {
      const Name* entry = in.context.find(word->name);
      if (entry && entry->kind == NameKind::constant) {
        const Value constant = evaluate(in, precision);
        if (const Text* value = constant.as<Text>()) attributes.precision = value->value;
      }
    }
    const std::string& given = attributes.precision;
    if (given != "ieee" && given != "tf32" && given != "bf16x3") {
      Diagnostic& out = in.error(kArguments, precision->span, "'precision' of dot is ieee, tf32 or bf16x3, not {}",
                                 to_string(*precision));
      const std::string near = nearest(given, {"ieee", "tf32", "bf16x3"});
      if (!near.empty()) out.note(fmt::format("did you mean '{}'?", near));
      good = false;
    } else if (a && given != "ieee" && a->dtype != DType::f32) {
      in.error(kOperandDType, precision->span, "precision={} is for f32 operands, not {}", given, describe(a));
      good = false;
    }
  }
  const TypedPtr product = good ? dot(in, span, a, b, std::move(attributes), wanted) : nullptr;
  return product && ((*args)[6] || (*args)[7]) ? with_scales(in, product, (*args)[6], (*args)[7]) : product;
}

TypedPtr dot(TypingContext& in, Span span, const TypedPtr& a, const TypedPtr& b, OpAttributes attributes,
             std::optional<DType> wanted) {
  const bool both_f8 = is_f8(a->dtype) && is_f8(b->dtype);
  if (a->dtype != b->dtype && !both_f8) {
    return in.fail(kDTypeMismatch, span, "dot of {} and {}: both must have one dtype", describe(a), describe(b));
  }
  const std::optional<DType> natural = dot_result(a->dtype);
  if (!natural) {
    Diagnostic& out =
        in.error(kOperandDType, span, "dot of {}: it multiplies floats and integers of 8 or 4 bits", describe(a));
    out.note(fmt::format("cast both operands, as in {}", to_string(cast(in, a, DType::f32, span))));
    return nullptr;
  }
  DType result = *natural;
  if (wanted && *wanted != result) {
    if (*wanted != DType::f16 || !(a->dtype == DType::f16 || both_f8)) {
      return in.fail(kOperandDType, span, "dot of {} gives {}, not {}: write .astype({}) after it", describe(a),
                     name_of(result), name_of(*wanted), name_of(*wanted));
    }
    result = DType::f16;
  }
  const size_t rank = a->shape.size();
  if (rank < 2 || b->shape.size() != rank) {
    return in.fail(kShapeMismatch, span,
                   "dot of {} and {}: it needs two operands of rank 2, or of one rank with leading batch dimensions",
                   shape_text(a->shape), shape_text(b->shape));
  }
  Shape shape(a->shape.begin(), a->shape.end() - 2);
  for (size_t i = 0; i + 2 < rank; ++i) {
    if (a->shape[i] != b->shape[i]) {
      return in.fail(kShapeMismatch, span, "dot of {} and {}: batch dimension {} is {} and {}", shape_text(a->shape),
                     shape_text(b->shape), i, a->shape[i], b->shape[i]);
    }
  }
  const size_t axis_a = rank - (attributes.trans_a ? 2 : 1), axis_b = rank - (attributes.trans_b ? 1 : 2);
  if (a->shape[axis_a] != b->shape[axis_b]) {
    Diagnostic& out =
        in.error(kShapeMismatch, span, "dot contracts axis {} of {}, which is {}, with axis {} of {}, which is {}",
                 axis_a, shape_text(a->shape), a->shape[axis_a], axis_b, shape_text(b->shape), b->shape[axis_b]);
    const size_t other_b = rank - (attributes.trans_b ? 2 : 1), other_a = rank - (attributes.trans_a ? 1 : 2);
    if (a->shape[axis_a] == b->shape[other_b]) {
      out.note(transposed_fits(*b, "trans_b", attributes.trans_b));
    } else if (a->shape[other_a] == b->shape[axis_b]) {
      out.note(transposed_fits(*a, "trans_a", attributes.trans_a));
    }
    return nullptr;
  }
  shape.push_back(a->shape[rank - (attributes.trans_a ? 1 : 2)]);
  shape.push_back(b->shape[rank - (attributes.trans_b ? 2 : 1)]);
  if (!in.context.extents) {
    check_partial(in.context, a, static_cast<int64_t>(axis_a), a->span, *in.diagnostics);
    check_partial(in.context, b, static_cast<int64_t>(axis_b), b->span, *in.diagnostics);
  }
  return make_typed(span, result, std::move(shape), Apply{Op::dot, {a, b}, std::move(attributes)});
}

}  // namespace pallasgen
