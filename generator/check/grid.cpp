#include <fmt/format.h>

#include "evaluate.h"

namespace pallasgen {

namespace {

constexpr Place kParallelSize{"the size of a parallel axis", true, true, false, false, 0, true,
                              "dims, consts and scalars"};
constexpr Place kLetPlace{"a let", true, true, true, false, kAllAxes, true, "axes, dims, consts, scalars and lets"};

int parallel_axes(const Context& context) {
  int count = 0;
  for (const AxisSpec& axis : context.spec.grid) count += !axis.sequential;
  return count;
}

void check_skip(Context& context) {
  if (!context.spec.skip) return;
  const Place place{
      "skip", true, true, true, false, parallel_axes(context), true, "parallel axes, dims, consts, scalars and lets"};
  TypingContext in{context, place};
  const TypedPtr skip = condition_of(in, context.spec.skip, "skip");
  if (!skip) return;
  bool good = true;
  walk(skip, [&](const Typed& node) {
    const Symbol* symbol = node.as<Symbol>();
    if (!symbol || symbol->kind != SymbolKind::let) return;
    for (size_t axis = 0; axis < context.spec.grid.size(); ++axis) {
      if (!context.spec.grid[axis].sequential || !good) continue;
      if (!mentions(context.kernel.lets[symbol->id].value, SymbolKind::axis, static_cast<int>(axis))) continue;
      context.diagnostics
          .error(kNameKind, node.span,
                 fmt::format("skip uses '{}', which depends on the sequential axis '{}'", symbol->name,
                             context.spec.grid[axis].name))
          .note("a program is skipped as a whole: only parallel axes may decide");
      good = false;
    }
  });
  if (good) context.kernel.skip = skip;
}

}  // namespace

void check_grid(Context& context) {
  const std::vector<AxisSpec>& grid = context.spec.grid;
  if (context.spec.has_mesh) {
    const Span span = context.spec.mesh.empty() ? context.spec.span : context.spec.mesh[0].span;
    context.diagnostics
        .error(kNotYet, span, "'mesh' has no meaning yet: kernels over explicit threads cannot be generated")
        .note("a blocked kernel has 'grid'");
  }
  const AxisSpec* sequential = nullptr;
  for (size_t i = 0; i < grid.size(); ++i) {
    const AxisSpec& spec = grid[i];
    if (spec.sequential && !sequential) sequential = &spec;
    if (!spec.sequential && sequential) {
      context.diagnostics
          .error(
              kGridOrder, spec.span,
              fmt::format("the parallel axis '{}' comes after the sequential axis '{}'", spec.name, sequential->name))
          .note(sequential->span, "sequential axes come last");
    }
    const Place sequential_size{"the size of a sequential axis",
                                true,
                                true,
                                false,
                                false,
                                static_cast<int>(i),
                                true,
                                "dims, consts, scalars and the axes before it"};
    TypingContext in{context, spec.sequential ? sequential_size : kParallelSize};
    Axis axis{spec.name, nullptr, spec.sequential, spec.span};
    if (spec.size)
      axis.size = index_of(in, spec.size, fmt::format("the size of the axis '{}'", spec.name), kOperandDType);
    if (axis.size) {
      const Bounds range = bounds(axis.size, context.kernel.facts());
      if (range.maximum && *range.maximum < 0) {
        context.diagnostics
            .error(kGridSize, spec.size->span, fmt::format("the axis '{}' has {} programs", spec.name, *range.maximum))
            .note("a size is 0 or more");
      } else if (range.minimum && *range.minimum > INT32_MAX) {
        context.diagnostics
            .error(kGridSize, spec.size->span,
                   fmt::format("the axis '{}' has {} {}, and the most is {}", spec.name, *range.minimum,
                               spec.sequential ? "steps" : "programs", INT32_MAX))
            .note("a larger block, or two axes");
      }
    }
    context.kernel.axes.push_back(std::move(axis));
  }
  for (const LetSpec& spec : context.spec.lets) {
    TypingContext in{context, kLetPlace};
    const TypedPtr value = value_of(in, spec.value);
    Name* name = context.find(spec.name);
    if (!value || !name || name->kind != NameKind::let) continue;
    if (!value->shape.empty() || (value->dtype != DType::index && value->dtype != DType::boolean)) {
      context.diagnostics.error(
          kOperandDType, spec.value->span,
          fmt::format("the let '{}' must be an integer or a truth value, not {}", spec.name, describe(value)));
      continue;
    }
    name->id = static_cast<int>(context.kernel.lets.size());
    context.kernel.lets.push_back({spec.name, value});
  }
  check_skip(context);
}

}  // namespace pallasgen
