#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>

#include "declarations/declarations.h"
#include "expressions/evaluate.h"
#include "names/names_of.h"

namespace pallasgen {

namespace {

constexpr int64_t kMostWithLets = 1000;  // most terms of a let: bounds and indices are decided with lets written out

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

// The lets. Each is typed as soon as the axes that it depends on are known, so that later sizes of axes can use it.
class Lets {
 public:
  explicit Lets(Context& context) : context_(context), done_(context.spec.lets.size()) {}

  // Types the lets that depend on no axis except the first `axes`.
  void check(int axes) {
    for (size_t i = 0; i < done_.size(); ++i) {
      if (done_[i] || later_axis(context_.spec.lets[i].value, axes)) continue;
      done_[i] = true;
      check(context_.spec.lets[i], i);
    }
  }

  // True if the size of the next axis is small enough with lets and sizes written out. A size that is too large is
  // reported and then counts as one number.
  bool fits(const TypedPtr& size, const AxisSpec& spec) {
    const Span span = spec.size ? spec.size->span : spec.span;
    if (take(sizes_, size, span, fmt::format("size of the axis '{}'", spec.name))) return true;
    sizes_.push_back(1);
    return false;
  }

  // Reports the first name in the size of the axis `axes` that is a let which depends on that axis or a later one.
  bool refused(const ExprPtr& size, int axes) {
    bool found = false;
    visit_names(size, [&](const std::string& text, Span span) {
      const Name* name = context_.find(text);
      if (found || !name || name->kind != NameKind::let) return;
      const Name* axis = later_axis(spec_of(text), axes);
      if (!axis) return;
      found = true;
      context_.diagnostics
          .error(kNameKind, span,
                 fmt::format("the let '{}' depends on the axis '{}', which is not known yet here", text,
                             context_.spec.grid[axis->id].name))
          .note(name->span,
                fmt::format("the size of '{}' may use only lets of the axes before it", context_.spec.grid[axes].name));
    });
    return found;
  }

 private:
  const ExprPtr& spec_of(const std::string& name) const {
    return std::find_if(context_.spec.lets.begin(), context_.spec.lets.end(),
                        [&](const LetSpec& let) { return let.name == name; })
        ->value;
  }

  // An axis from `axes` on that the value depends on, directly or through lets; null if there is none.
  const Name* later_axis(const ExprPtr& value, int axes) {
    const Name* found = nullptr;
    std::set<std::string> seen;
    const std::function<void(const ExprPtr&)> look = [&](const ExprPtr& expr) {
      visit_names(expr, [&](const std::string& text, Span) {
        const Name* name = context_.find(text);
        if (!name || found) return;
        if (name->kind == NameKind::axis && name->id >= axes) found = name;
        if (name->kind == NameKind::let && seen.insert(text).second) look(spec_of(text));
      });
    };
    look(value);
    return found;
  }

  void check(const LetSpec& spec, size_t place) {
    bool good = true;
    visit_names(spec.value, [&](const std::string& text, Span span) {
      const Name* used = context_.find(text);
      if (!good || !used || used->kind != NameKind::let) return;
      const auto at = std::find_if(context_.spec.lets.begin(), context_.spec.lets.end(),
                                   [&](const LetSpec& let) { return let.name == text; });
      if (at - context_.spec.lets.begin() < static_cast<std::ptrdiff_t>(place)) return;
      good = false;
      context_.diagnostics
          .error(kNameKind, span,
                 text == spec.name ? fmt::format("the let '{}' uses itself", text)
                                   : fmt::format("the let '{}' uses '{}', which comes after it", spec.name, text))
          .note(used->span, "a let uses only lets before it");
    });
    TypingContext in{context_, kLetPlace};
    const TypedPtr value = good ? value_of(in, spec.value) : nullptr;
    Name* name = context_.find(spec.name);
    if (!value || !name || name->kind != NameKind::let) return;
    if (!value->shape.empty() || (value->dtype != DType::index && value->dtype != DType::boolean)) {
      context_.diagnostics.error(
          kOperandDType, spec.value->span,
          fmt::format("the let '{}' must be an integer or a truth value, not {}", spec.name, describe(value)));
      return;
    }
    if (!take(expanded_terms_, value, spec.value->span, fmt::format("let '{}'", spec.name))) return;
    name->id = static_cast<int>(context_.kernel.lets.size());
    context_.kernel.lets.push_back({spec.name, value});
  }

  // The number of names, numbers and operations of a value with each let and each size of an axis in it written out.
  int64_t expanded_terms(const TypedPtr& value) const {
    int64_t terms = 0;
    walk(value, [&](const Typed& node) {
      const Symbol* symbol = node.as<Symbol>();
      const bool let = symbol && symbol->kind == SymbolKind::let;
      const bool size = symbol && (symbol->kind == SymbolKind::axis_size || symbol->kind == SymbolKind::axis);
      const std::vector<int64_t>& known = let ? expanded_terms_ : sizes_;
      const size_t id = let || size ? static_cast<size_t>(symbol->id) : known.size();
      terms += id < known.size() ? known[id] : 1;
    });
    return terms;
  }

  // Stores the size of the next let or axis; returns false, with a diagnostic, if it is too large.
  bool take(std::vector<int64_t>& known, const TypedPtr& value, Span span, const std::string& what) {
    const int64_t terms = value ? expanded_terms(value) : 1;
    if (terms <= kMostWithLets) {
      known.push_back(terms);
      return true;
    }
    context_.diagnostics
        .error(kLetSize, span,
               fmt::format(
                   "the {} has more than {} names, numbers and operations where the lets and sizes of axes that it "
                   "uses are written out",
                   what, kMostWithLets))
        .note("an assignment of the body is computed once: give the value a name there, or use each less often");
    return false;
  }

  Context& context_;
  std::vector<bool> done_;
  std::vector<int64_t> expanded_terms_, sizes_;  // sizes of the lets and of the axes of the kernel
};

}  // namespace

void check_grid(Context& context) {
  const std::vector<AxisSpec>& grid = context.spec.grid;
  if (context.spec.has_mesh) {
    const Span span = context.spec.mesh.empty() ? context.spec.span : context.spec.mesh[0].span;
    context.diagnostics
        .error(kNotYet, span, "'mesh' has no meaning yet: kernels over explicit threads cannot be generated")
        .note("a blocked kernel has 'grid'");
  }
  Lets lets(context);
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
                                true,
                                false,
                                static_cast<int>(i),
                                true,
                                "dims, consts, scalars and the axes before it"};
    TypingContext in{context, spec.sequential ? sequential_size : kParallelSize};
    Axis axis{spec.name, nullptr, spec.sequential, spec.span};
    if (spec.sequential) lets.check(static_cast<int>(i));
    if (spec.size && !(spec.sequential && lets.refused(spec.size, static_cast<int>(i))))
      axis.size = index_of(in, spec.size, fmt::format("the size of the axis '{}'", spec.name), kOperandDType);
    if (!lets.fits(axis.size, spec)) axis.size = index_constant(1);
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
  lets.check(static_cast<int>(grid.size()));
  check_skip(context);
}

}  // namespace pallasgen
