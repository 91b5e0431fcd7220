#include <fmt/format.h>

#include <numeric>

#include "declarations/declarations.h"
#include "declarations/defined_consts.h"
#include "expressions/evaluate.h"
#include "names/language.h"

namespace pallasgen {

namespace {

constexpr int64_t kLargestDim = INT64_MAX;

// A name that nothing else has is a text.
bool is_word(Context& context, const ExprPtr& value) {
  const NameExpr* name = value->as<NameExpr>();
  return name && !context.find(name->name) && !is_language_name(name->name);
}

Value const_value(Context& context, const ExprPtr& expr, Diagnostics& diagnostics) {
  if (is_word(context, expr)) return {Text{expr->as<NameExpr>()->name}, expr->span};
  TypingContext in{context, kConstantPlace};
  in.diagnostics = &diagnostics;
  return evaluate(in, expr);
}

}  // namespace

void check_consts(Context& context) {
  for (const ConstSpec& spec : context.spec.consts) {
    if (context.consts.count(spec.name) || !spec.value) continue;
    Value value = const_value(context, spec.value, context.diagnostics);
    if (spec.replaced) {
      Diagnostics unsaid;  // the spec's value may have errors if it is not used
      const Value had = const_value(context, spec.replaced, unsaid);
      if (!fits_what_it_replaces(context, spec, value, had)) value = had;
    }
    KernelConst out{spec.name, Scalar(false)};
    if (const TypedPtr* typed = value.as<TypedPtr>(); typed && *typed) {
      const Constant* constant = (*typed)->as<Constant>();
      if (constant) {
        out.value = constant->value;
      } else {
        context.diagnostics.error(
            kConstant, spec.value->span,
            fmt::format("the const '{}' is {}, which is no constant", spec.name, to_string(*typed)));
        value.node = Poison{};
      }
    } else if (const DType* dtype = value.as<DType>()) {
      out.value = *dtype;
    } else if (const FunctionName* function = value.as<FunctionName>()) {
      out.value = function->name;
    } else if (const Text* text = value.as<Text>()) {
      out.value = text->value;
    } else if (!value.poisoned()) {
      context.diagnostics
          .error(kConstant, spec.value->span, fmt::format("the const '{}' cannot be {}", spec.name, describe(value)))
          .note("a const is an integer, a float, a truth value, a dtype, a text or the name of a function");
      value.node = Poison{};
    }
    if (!value.poisoned()) context.kernel.consts.push_back(std::move(out));
    context.consts.emplace(spec.name, std::move(value));
  }
}

void check_dims(Context& context) {
  for (const DimSpec& spec : context.spec.dims) {
    Dim dim;
    dim.name = spec.name;
    dim.doc = spec.doc;
    dim.span = spec.span;
    TypingContext in{context, kConstantPlace};
    const auto fact = [&](const ExprPtr& expr, std::string_view key, int64_t least) -> std::optional<int64_t> {
      if (!expr) return std::nullopt;
      const std::optional<int64_t> value =
          constant_integer(in, expr, fmt::format("'{}' of the dim '{}'", key, spec.name));
      if (!value || *value >= least) return value;
      context.diagnostics.error(
          kDimFact, expr->span,
          fmt::format("'{}' of the dim '{}' is {}, but must be at least {}", key, spec.name, *value, least));
      return std::nullopt;
    };
    dim.multiple_of = fact(spec.multiple_of, "multiple_of", 1).value_or(1);
    dim.min = fact(spec.min, "min", 0).value_or(0);
    dim.max = fact(spec.max, "max", 0);
    const int64_t limit = dim.max.value_or(kLargestDim);
    const int64_t first = dim.min == 0 ? 0 : (dim.min - 1) / dim.multiple_of * dim.multiple_of;
    const bool none = dim.min > limit || (dim.min > 0 && first > limit - dim.multiple_of);
    if (none) {
      Diagnostic& out = context.diagnostics.error(kDimFact, spec.span,
                                                  fmt::format("no size of '{}' is a multiple of {} between {} and {}",
                                                              spec.name, dim.multiple_of, dim.min, limit));
      if (dim.max && dim.min > limit)
        out.note(fmt::format("'min' is the smaller one: write min: {}, max: {}", limit, dim.min));
      else
        out.note(fmt::format("the nearest multiples are {} and {}", first,
                             first > INT64_MAX - dim.multiple_of ? first : first + dim.multiple_of));
      dim.max = std::nullopt;
    }
    context.kernel.dims.push_back(std::move(dim));
  }
}

void check_scalars(Context& context) {
  static constexpr Place kPlace{"the shape of a scalar array", true, false, false, false, 0, true, "dims and consts"};
  for (const ScalarSpec& spec : context.spec.scalars) {
    TypingContext in{context, kPlace};
    KernelScalar scalar;
    scalar.name = spec.name;
    scalar.span = spec.span;
    const std::optional<DType> dtype = spec.type.dtype ? dtype_of(in, spec.type.dtype) : std::nullopt;
    scalar.dtype = dtype.value_or(DType::f32);
    bool good = dtype.has_value();
    if (spec.type.array) {
      scalar.shape.emplace();
      for (const ExprPtr& dim : spec.type.dims) {
        scalar.shape->push_back(index_of(in, dim, fmt::format("an extent of '{}'", spec.name), kRefType));
        good = good && scalar.shape->back();
      }
    }
    if (info(scalar.dtype).bits < 8 && scalar.dtype != DType::boolean) {
      context.diagnostics
          .error(kRefType, spec.type.span,
                 fmt::format("the scalar '{}' cannot be {}: it has no form as a parameter", spec.name,
                             name_of(scalar.dtype)))
          .note("use i8, u8 or a wider dtype");
      good = false;
    }
    Name* name = context.find(spec.name);
    if (!good || !name || name->kind != NameKind::scalar) continue;
    name->id = static_cast<int>(context.kernel.scalars.size());
    context.kernel.scalars.push_back(std::move(scalar));
  }
}

}  // namespace pallasgen
