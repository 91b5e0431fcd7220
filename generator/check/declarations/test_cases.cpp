#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "declarations/declarations.h"
#include "expressions/evaluate.h"
#include "names/names.h"

namespace pallasgen {

namespace {

void check_dims_of(Context& context, const TestSpec& spec, KernelTest& test) {
  TypingContext in{context, kConstantPlace};
  std::vector<std::string> known;
  for (const Dim& dim : context.kernel.dims) known.push_back(dim.name);
  for (const auto& [name, expr] : spec.dims) {
    const auto dim = std::find_if(context.kernel.dims.begin(), context.kernel.dims.end(),
                                  [&, &key = name](const Dim& row) { return row.name == key.name; });
    if (dim == context.kernel.dims.end()) {
      Diagnostic& out =
          context.diagnostics.error(kTestCase, name.span, fmt::format("a test sets '{}', which is no dim", name.name));
      const std::string near = nearest(name.name, known);
      if (!near.empty()) out.note(fmt::format("did you mean '{}'?", near));
      continue;
    }
    const std::optional<int64_t> value = constant_integer(in, expr, fmt::format("the dim '{}' of a test", name.name));
    if (!value) continue;
    std::string fact;
    if (*value < dim->min) fact = fmt::format("at least {}", dim->min);
    if (dim->max && *value > *dim->max) fact = fmt::format("at most {}", *dim->max);
    if (*value % dim->multiple_of != 0) fact = fmt::format("a multiple of {}", dim->multiple_of);
    if (!fact.empty()) {
      context.diagnostics
          .error(kTestCase, expr->span, fmt::format("a test sets {} = {}, which must be {}", name.name, *value, fact))
          .note(dim->span, "the dim says so");
      continue;
    }
    test.dims[name.name] = *value;
  }
  const bool has_lists = std::any_of(spec.scalars.begin(), spec.scalars.end(),
                                     [](const auto& entry) { return entry.second->template as<ListExpr>(); });
  if (!spec.inputs.empty() || has_lists) return;  // dims may follow from their shapes
  std::vector<std::string> missing, values;
  for (const Dim& dim : context.kernel.dims) {
    const bool given = std::any_of(spec.dims.begin(), spec.dims.end(),
                                   [&](const auto& entry) { return entry.first.name == dim.name; });
    if (given) continue;
    missing.push_back(fmt::format("'{}'", dim.name));
    const int64_t least = std::max<int64_t>(dim.min, 1), of = dim.multiple_of;
    values.push_back(fmt::format("{}: {}", dim.name, (least + of - 1) / of * of));
  }
  if (missing.empty()) return;
  context.diagnostics
      .error(
          kTestCase, spec.span,
          fmt::format("a test does not set the dim{} {}", missing.size() == 1 ? "" : "s", fmt::join(missing, " and ")))
      .note(fmt::format("give {} a value, such as dims: {{{}}}", missing.size() == 1 ? "it" : "each",
                        fmt::join(values, ", ")));
}

std::string_view value_of_dtype(DType dtype) {
  return dtype == DType::boolean ? "true" : info(dtype).is_float ? "0.5" : "1";
}

// Adds the elements of a list, which is at level `depth` of nested lists. False with a diagnostic if its form is wrong.
bool add_elements(TypingContext& in, const ExprPtr& expr, const KernelScalar& scalar, size_t depth, ScalarList& out) {
  const ListExpr* list = expr->as<ListExpr>();
  const size_t rank = scalar.shape->size();
  if (depth == rank && !list) {
    const std::optional<Scalar> value =
        constant_of(in, expr, scalar.dtype, fmt::format("an element of '{}' of a test", scalar.name));
    if (value) out.elements.push_back(*value);
    return value.has_value();
  }
  const auto wrong = [&](const std::string& what) {
    in.context.diagnostics.error(kTestCase, expr->span, fmt::format("the array '{}' of a test {}", scalar.name, what))
        .note(scalar.span, "it is declared here");
    return false;
  };
  if (!list || depth == rank)
    return wrong(fmt::format("has {} dim{}: write {}, or give a file by `inputs`", rank, rank == 1 ? "" : "s",
                             rank == 1 ? "[0, 3, 8]" : "a list for each row"));
  const auto extent = static_cast<int64_t>(list->items.size());
  if (out.shape.size() == depth) out.shape.push_back(extent);
  if (out.shape[depth] != extent)
    return wrong(fmt::format("has lists of {} and of {} elements side by side", out.shape[depth], extent));
  return std::all_of(list->items.begin(), list->items.end(),
                     [&](const ExprPtr& item) { return add_elements(in, item, scalar, depth + 1, out); });
}

// True if the list has the extents that the test's dims give; dims that the test leaves out follow from the list.
bool has_extents(Context& context, const KernelScalar& scalar, const ScalarList& list, const KernelTest& test,
                 Span span) {
  const auto value = [&](const Symbol& symbol) -> std::optional<int64_t> {
    const auto given = symbol.kind == SymbolKind::dim ? test.dims.find(symbol.name) : test.dims.end();
    return given == test.dims.end() ? std::nullopt : std::optional(given->second);
  };
  for (size_t dim = 0; dim < list.shape.size(); ++dim) {
    const TypedPtr& extent = (*scalar.shape)[dim];
    const std::optional<int64_t> wanted = extent ? evaluate_index(extent, value) : std::nullopt;
    if (!wanted || *wanted == list.shape[dim]) continue;
    const std::string why = constant_value(extent) ? "" : fmt::format(", which is {}", to_string(extent));
    context.diagnostics
        .error(kTestCase, span,
               fmt::format("the array '{}' of a test has {} elements along dim {}, and its extent there is {}{}",
                           scalar.name, list.shape[dim], dim, *wanted, why))
        .note(scalar.span, "it is declared here");
    return false;
  }
  return true;
}

void check_scalars_of(Context& context, const TestSpec& spec, KernelTest& test) {
  TypingContext in{context, kConstantPlace};
  for (const auto& [name, expr] : spec.scalars) {
    const Name* entry = context.find(name.name);
    if (context.clashes(name.name)) continue;
    if (!entry || entry->kind != NameKind::scalar) {
      context.diagnostics.error(kTestCase, name.span, fmt::format("a test sets '{}', which is no scalar", name.name));
      continue;
    }
    if (entry->id < 0) continue;
    if (const KernelScalar& scalar = context.kernel.scalars[entry->id]; scalar.shape) {
      ScalarList list;
      if (add_elements(in, expr, scalar, 0, list) && has_extents(context, scalar, list, test, expr->span))
        test.lists[name.name] = std::move(list);
      continue;
    }
    const std::optional<Scalar> value = constant_of(in, expr, context.kernel.scalars[entry->id].dtype,
                                                    fmt::format("the scalar '{}' of a test", name.name));
    if (value) test.scalars[name.name] = *value;
  }
  for (const KernelScalar& scalar : context.kernel.scalars) {
    const bool given = std::any_of(spec.scalars.begin(), spec.scalars.end(),
                                   [&](const auto& entry) { return entry.first.name == scalar.name; });
    if (!given && !scalar.shape)
      context.diagnostics.error(kTestCase, spec.span, fmt::format("a test does not set the scalar '{}'", scalar.name))
          .note(fmt::format("give it a value, such as scalars: {{{}: {}}}", scalar.name, value_of_dtype(scalar.dtype)))
          .note(scalar.span, "it is declared here");
  }
}

}  // namespace

void check_tests(Context& context) {
  TypingContext in{context, kConstantPlace};
  for (const TestSpec& spec : context.spec.tests) {
    KernelTest test;
    check_dims_of(context, spec, test);
    check_scalars_of(context, spec, test);
    for (const auto& [name, path] : spec.inputs) {
      const Name* entry = context.find(name.name);
      if (context.clashes(name.name)) continue;
      const bool input = entry && entry->kind == NameKind::ref && kind_text(context, name.name) == "an input";
      const bool array =
          entry && entry->kind == NameKind::scalar && (entry->id < 0 || context.kernel.scalars[entry->id].shape);
      if (input || array) {
        test.inputs[name.name] = path;
      } else {
        context.diagnostics.error(kTestCase, name.span,
                                  fmt::format("a test gives an array for '{}', which is {}, not an input", name.name,
                                              kind_text(context, name.name)));
      }
    }
    if (spec.seed) {
      const std::optional<int64_t> seed = constant_integer(in, spec.seed, "'seed'");
      if (seed && *seed < 0)
        context.diagnostics.error(kTestCase, spec.seed->span,
                                  fmt::format("'seed' is {}, but must be at least 0", *seed));
      test.seed = static_cast<uint64_t>(seed.value_or(0));
    }
    if (spec.tolerance) {
      const std::optional<Scalar> tolerance = constant_of(in, spec.tolerance, DType::f64, "'tolerance'");
      if (tolerance && !(std::get<double>(*tolerance) >= 0)) {
        context.diagnostics.error(kTestCase, spec.tolerance->span, "'tolerance' must be at least 0");
      } else if (tolerance) {
        test.tolerance = std::get<double>(*tolerance);
      }
    }
    context.kernel.tests.push_back(std::move(test));
  }
}

}  // namespace pallasgen
