#include "check/gradients.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "declarations/declarations.h"
#include "expressions/evaluate.h"
#include "gradients/gradient_consts.h"
#include "gradients/gradient_flows.h"

namespace pallasgen {

namespace {

constexpr Place kGradientPlace{"'with' of 'vjp'", true, false, false, false, 0, true, "dims and consts"};

class Linker {
 public:
  Linker(const Kernel& forward, const FindSpec& find, Diagnostics& diagnostics, const OpenExtern& open_extern)
      : forward_(forward),
        find_(find),
        diagnostics_(diagnostics),
        open_extern_(open_extern),
        consts_(consts_of_meaning(forward)) {
    declared_.spec = forward.spec;
    declared_.externs = forward.externs;
    check_declarations(names_);
    for (const Ref& ref : forward.refs)
      if (ref.role == RefRole::input || ref.role == RefRole::output)
        flows_[ref.name] = {ref.dtype, ref.array_shape, ref.strides, ref.span, ""};
    for (const KernelScalar& scalar : forward.scalars)
      if (scalar.shape) flows_[scalar.name] = {scalar.dtype, *scalar.shape, {}, scalar.span, ""};
    for (const Ref& ref : forward.refs)
      if (ref.alias_of) flows_[forward.refs[static_cast<size_t>(*ref.alias_of)].name].overwritten_by = forward.name;
  }

  std::shared_ptr<const Gradients> link() {
    const int errors = diagnostics_.errors();
    for (const GradientSpec& entry : forward_.spec->vjp) add_step(entry);
    // The results are known only if every kernel was linked.
    if (diagnostics_.errors() == errors) find_gradients();
    if (diagnostics_.errors() != errors) return nullptr;
    return std::make_shared<const Gradients>(std::move(out_));
  }

 private:
  const Kernel& forward_;
  const FindSpec& find_;
  Diagnostics& diagnostics_;
  const OpenExtern& open_extern_;
  std::vector<std::string> consts_;
  Gradients out_;
  std::map<std::string, Flow> flows_;
  // The names of the forward kernel, for the expressions of `with`.
  Diagnostics said_before_;
  Kernel declared_;
  Context names_{*forward_.spec, declared_, said_before_};

  // The checked kernel of an entry; null after an error.
  std::shared_ptr<const Kernel> kernel_of(const GradientSpec& entry) {
    if (entry.name == forward_.name) {
      diagnostics_.error(kVjpKernel, entry.span, fmt::format("'{}' names itself as its gradient", entry.name));
      return nullptr;
    }
    const std::shared_ptr<const Spec> spec = find_(entry, consts_);
    if (!spec) return nullptr;
    if (spec->kernel.name != entry.name) {
      diagnostics_
          .error(kVjpKernel, entry.span,
                 fmt::format("the spec of '{}' is that of another kernel, '{}'", entry.name, spec->kernel.name))
          .note(spec->kernel.span, "it is named here");
      return nullptr;
    }
    Diagnostics own;
    std::optional<Kernel> kernel = check(spec, own, open_extern_);
    if (kernel) return std::make_shared<const Kernel>(std::move(*kernel));
    constexpr int kShown = 3;
    Diagnostic& out = diagnostics_.error(
        kVjpKernel, entry.span,
        fmt::format("the gradient kernel '{}' has {} error{}", entry.name, own.errors(), own.errors() == 1 ? "" : "s"));
    int shown = 0;
    for (const Diagnostic& diagnostic : own.all())
      if (diagnostic.severity == Severity::error && shown++ < kShown)
        out.note(diagnostic.span, fmt::format("{} [{}]", diagnostic.message, diagnostic.rule));
    return nullptr;
  }

  void add_step(const GradientSpec& entry) {
    GradientStep step;
    step.kernel = kernel_of(entry);
    if (!step.kernel) return;
    const Kernel& kernel = *step.kernel;
    if (!check_shared_consts(forward_, kernel, consts_, entry.span, diagnostics_)) return;
    bool fine = check_with(entry, kernel);
    if (!fine) return;
    for (const Dim& dim : kernel.dims) {
      step.dims.push_back(dim_of(entry, kernel, dim));
      fine = fine && step.dims.back();
    }
    for (const KernelScalar& scalar : kernel.scalars)
      if (!scalar.shape) add_scalar(entry, scalar, step);
    if (!fine) return;  // errors about shapes would repeat these
    for (const Ref& ref : kernel.refs)
      if (ref.role == RefRole::input)
        take(entry, step, {ref.dtype, ref.array_shape, ref.strides, ref.span, kernel.name}, ref.name);
    for (const KernelScalar& scalar : kernel.scalars)
      if (scalar.shape) take(entry, step, {scalar.dtype, *scalar.shape, {}, scalar.span, kernel.name}, scalar.name);
    for (const Ref& ref : kernel.refs)
      if (ref.alias_of) overwrite(step, kernel.refs[static_cast<size_t>(*ref.alias_of)].name);
    for (const Ref& ref : kernel.refs)
      if (ref.role == RefRole::output) make(entry, step, ref);
    out_.steps.push_back(std::move(step));
  }

  static const std::pair<Named, ExprPtr>* find_with(const GradientSpec& entry, const std::string& name) {
    for (const auto& row : entry.with)
      if (row.first.name == name) return &row;
    return nullptr;
  }

  // True if every name in `with` is one of the kernel's, and the value of every array there is a name.
  bool check_with(const GradientSpec& entry, const Kernel& kernel) {
    std::vector<std::string> arrays, known;
    for (const Ref& ref : kernel.refs)
      if (ref.role == RefRole::input || ref.role == RefRole::output) arrays.push_back(ref.name);
    for (const KernelScalar& scalar : kernel.scalars) (scalar.shape ? arrays : known).push_back(scalar.name);
    for (const Dim& dim : kernel.dims) known.push_back(dim.name);
    known.insert(known.begin(), arrays.begin(), arrays.end());
    const int errors = diagnostics_.errors();
    for (const auto& [name, value] : entry.with) {
      const bool is_array = std::find(arrays.begin(), arrays.end(), name.name) != arrays.end();
      if (is_array && value && !value->as<NameExpr>())
        diagnostics_.error(
            kVjpArgument, value->span,
            fmt::format("'{}' of '{}' is an array, which only a name can stand for", name.name, kernel.name));
      if (std::find(known.begin(), known.end(), name.name) != known.end()) continue;
      Diagnostic& out =
          diagnostics_.error(kVjpArgument, name.span,
                             fmt::format("'{}' has no input, output, dim or scalar '{}'", kernel.name, name.name));
      const std::string near = nearest(name.name, known);
      out.note(near.empty() ? fmt::format("it has {}", fmt::join(known, ", "))
                            : fmt::format("did you mean '{}'?", near));
    }
    return diagnostics_.errors() == errors;
  }

  // The name here of an array, dim or scalar of the kernel.
  static std::string name_here(const GradientSpec& entry, const std::string& name) {
    const auto* with = find_with(entry, name);
    const NameExpr* renamed = with && with->second ? with->second->as<NameExpr>() : nullptr;
    return renamed ? renamed->name : name;
  }

  static Span place_of(const GradientSpec& entry, const std::string& name) {
    const auto* with = find_with(entry, name);
    return with && with->second ? with->second->span : entry.span;
  }

  TypedPtr dim_of(const GradientSpec& entry, const Kernel& kernel, const Dim& dim) {
    const auto* with = find_with(entry, dim.name);
    TypingContext in{names_, kGradientPlace};
    in.diagnostics = &diagnostics_;
    if (with && with->second) return index_of(in, with->second, fmt::format("the dim '{}'", dim.name), kVjpArgument);
    const Name* name = names_.find(dim.name);
    if (name && (name->kind == NameKind::dim || name->kind == NameKind::constant))
      return index_of(in, make_expr(entry.span, NameExpr{dim.name}), fmt::format("the dim '{}'", dim.name),
                      kVjpArgument);
    diagnostics_
        .error(kVjpArgument, entry.span,
               fmt::format("'{}' has the dim '{}', and '{}' has no dim or const of that name", kernel.name, dim.name,
                           forward_.name))
        .note(dim.span, "it is declared here")
        .note(fmt::format("say what it is: {{kernel: {}, with: {{{}: …}}}}", kernel.name, dim.name));
    return nullptr;
  }

  void add_scalar(const GradientSpec& entry, const KernelScalar& scalar, GradientStep& step) {
    const std::string here = name_here(entry, scalar.name);
    const auto* with = find_with(entry, scalar.name);
    for (const KernelScalar& own : forward_.scalars) {
      if (own.name != here || own.shape) continue;
      if (own.dtype == scalar.dtype) {
        step.scalars[scalar.name] = own.name;
        return;
      }
      diagnostics_
          .error(kVjpArgument, place_of(entry, scalar.name),
                 fmt::format("the scalar '{}' of '{}' is {}, and '{}' is {}", scalar.name, step.kernel->name,
                             name_of(scalar.dtype), own.name, name_of(own.dtype)))
          .note(scalar.span, "it is declared here");
      return;
    }
    const Name* name = names_.find(here);
    if ((with && with->second) || (name && name->kind == NameKind::constant)) {
      TypingContext in{names_, kConstantPlace};
      in.diagnostics = &diagnostics_;
      const ExprPtr value = with && with->second ? with->second : make_expr(entry.span, NameExpr{here});
      const std::optional<Scalar> constant =
          constant_of(in, value, scalar.dtype, fmt::format("the scalar '{}'", scalar.name));
      if (constant) step.scalars[scalar.name] = *constant;
      return;
    }
    diagnostics_
        .error(kVjpArgument, entry.span,
               fmt::format("'{}' has the scalar '{}', and '{}' has no scalar or const of that name", step.kernel->name,
                           scalar.name, forward_.name))
        .note(scalar.span, "it is declared here");
  }

  // Extents of the kernel, expressed in the forward kernel's dims.
  static std::vector<TypedPtr> by_forward(const GradientStep& step, std::vector<TypedPtr> extents) {
    for (TypedPtr& extent : extents)
      extent = substitute(extent, [&](const Symbol& symbol) {
        return symbol.kind == SymbolKind::dim ? step.dims[static_cast<size_t>(symbol.id)] : nullptr;
      });
    return extents;
  }

  // The output whose cotangent is `name`: `dx` or `dx_` for a float output `x`.
  const Ref* cotangent_of(const std::string& name) const {
    for (const Ref& ref : forward_.refs)
      if (ref.role == RefRole::output && info(ref.dtype).is_float &&
          (name == "d" + ref.name || name == "d" + ref.name + "_"))
        return &ref;
    return nullptr;
  }

  // The array of that name, or else the cotangent; `name` becomes the name under which the cotangent is already known.
  Flow* find_flow(std::string& name) {
    const auto found = flows_.find(name);
    if (found != flows_.end()) return &found->second;
    const Ref* output = cotangent_of(name);
    if (!output) return nullptr;
    for (const auto& [of, known] : out_.cotangents) {
      if (of != output->name) continue;
      name = known;
      return &flows_.at(name);
    }
    out_.cotangents.emplace_back(output->name, name);
    return &(flows_[name] = {output->dtype, output->array_shape, output->strides, output->span, ""});
  }

  void take(const GradientSpec& entry, GradientStep& step, const Flow& wanted, const std::string& name) {
    const Span place = place_of(entry, name);
    std::string here = name_here(entry, name);
    const Flow* flow = find_flow(here);
    if (!flow) {
      std::vector<std::string> known;
      for (const auto& [other, value] : flows_) known.push_back(other);
      for (const Ref& ref : forward_.refs)
        if (ref.role == RefRole::output && info(ref.dtype).is_float) known.push_back("d" + ref.name);
      Diagnostic& out = diagnostics_.error(kVjpArgument, place,
                                           fmt::format("'{}' takes '{}', which neither '{}' nor a kernel before it has",
                                                       step.kernel->name, here, forward_.name));
      out.note(wanted.span, "it is declared here");
      const std::string near = nearest(here, known);
      out.note(near.empty() ? fmt::format("there are {}", fmt::join(known, ", "))
                            : fmt::format("did you mean '{}'?", near));
      return;
    }
    const std::vector<TypedPtr> shape = by_forward(step, wanted.shape), strides = by_forward(step, wanted.strides);
    const bool contiguous = strides.empty() && flow->strides.empty();
    if (flow->dtype != wanted.dtype ||
        !(contiguous ? same_elements(shape, flow->shape) : same_extents(shape, flow->shape))) {
      diagnostics_
          .error(kVjpArgument, place,
                 fmt::format("'{}' of '{}' is {}, and '{}' is {}", name, step.kernel->name,
                             type_text(wanted.dtype, shape), here, type_text(flow->dtype, flow->shape)))
          .note(wanted.span, fmt::format("'{}' is declared here", name))
          .note(flow->span, flow->maker.empty() && out_of_cotangent(here)
                                ? fmt::format("'{}' is the cotangent of this output", here)
                                : fmt::format("'{}' is declared here", here));
      return;
    }
    if (!same_extents(strides, flow->strides)) {
      diagnostics_
          .error(kVjpArgument, place,
                 fmt::format("the strides of '{}' of '{}' are not those of '{}'", name, step.kernel->name, here))
          .note(wanted.span, fmt::format("'{}' is declared here", name))
          .note(flow->span, fmt::format("'{}' is declared here", here));
      return;
    }
    if (!flow->overwritten_by.empty()) {
      diagnostics_
          .error(kVjpArgument, place,
                 fmt::format("'{}' takes '{}', whose memory '{}' has overwritten", step.kernel->name, here,
                             flow->overwritten_by))
          .note(flow->span, fmt::format("'{}' is declared here", here));
      return;
    }
    step.inputs.emplace_back(name, here);
  }

  bool out_of_cotangent(const std::string& name) const {
    return std::any_of(out_.cotangents.begin(), out_.cotangents.end(),
                       [&](const auto& row) { return row.second == name; });
  }

  void overwrite(const GradientStep& step, const std::string& input) {
    for (const auto& [name, here] : step.inputs)
      if (name == input) flows_.at(here).overwritten_by = step.kernel->name;
  }

  void make(const GradientSpec& entry, GradientStep& step, const Ref& ref) {
    const std::string here = name_here(entry, ref.name);
    const auto known = flows_.find(here);
    // A kernel may replace an array that it takes by its result, as a cast does.
    const bool takes =
        std::any_of(step.inputs.begin(), step.inputs.end(), [&](const auto& row) { return row.second == here; });
    if (known != flows_.end() && (known->second.maker.empty() || !takes)) {
      diagnostics_
          .error(kVjpGradient, place_of(entry, ref.name),
                 fmt::format("'{}' makes '{}', which {} has made already", step.kernel->name, here,
                             known->second.maker.empty() ? "the forward kernel" : "'" + known->second.maker + "'"))
          .note(known->second.span, "it is declared here")
          .note(fmt::format("give it another name: {{kernel: {}, with: {{{}: …}}}}", step.kernel->name, ref.name));
      return;
    }
    flows_[here] = {ref.dtype, by_forward(step, ref.array_shape), by_forward(step, ref.strides), ref.span,
                    step.kernel->name};
    step.outputs.emplace_back(ref.name, here);
  }

  // The name under which a kernel made the gradient of an input; empty if none did.
  std::string gradient_name(const std::string& input) const {
    for (const std::string& name : {"d" + input, "d" + input + "_"}) {
      const auto found = flows_.find(name);
      if (found != flows_.end() && !found->second.maker.empty()) return name;
    }
    return {};
  }

  void find_gradients() {
    const Span place = forward_.spec->vjp_span;
    for (const Ref& ref : forward_.refs) {
      if (ref.role != RefRole::input) continue;
      const std::string name = gradient_name(ref.name);
      const bool is_float = info(ref.dtype).is_float, wanted = is_float && has_gradient(ref.name);
      if (name.empty()) {
        if (wanted)
          diagnostics_
              .error(kVjpGradient, place,
                     fmt::format("no kernel of 'vjp' makes 'd{}', the gradient of '{}'", ref.name, ref.name))
              .note(ref.span, fmt::format("an input that has none says so: {}: {{…, gradient: none}}", ref.name));
        continue;
      }
      const Flow& flow = flows_.at(name);
      if (!wanted) {
        diagnostics_
            .error(kVjpGradient, place,
                   fmt::format("'{}' makes '{}', the gradient of '{}', which has none", flow.maker, name, ref.name))
            .note(ref.span, is_float ? "it says 'gradient: none'" : fmt::format("it is {}", name_of(ref.dtype)))
            .note(flow.span, fmt::format("'{}' is declared here", name));
      } else if (!info(flow.dtype).is_float || !(flow.strides.empty() ? same_elements(flow.shape, ref.array_shape)
                                                                      : same_extents(flow.shape, ref.array_shape))) {
        diagnostics_
            .error(kVjpGradient, place,
                   fmt::format("the gradient '{}' is {}, and '{}' is {}", name, type_text(flow.dtype, flow.shape),
                               ref.name, type_text(ref.dtype, ref.array_shape)))
            .note(flow.span, fmt::format("'{}' is declared here", name))
            .note(ref.span, fmt::format("'{}' is declared here", ref.name));
      } else {
        out_.gradients.emplace_back(ref.name, name);
      }
    }
    if (out_.cotangents.empty())
      diagnostics_.error(kVjpArgument, place, "no kernel of 'vjp' takes the cotangent of an output")
          .note(forward_.span,
                fmt::format("the cotangent of an output of '{}' is its name behind a 'd'", forward_.name));
  }

  bool has_gradient(const std::string& input) const {
    for (const RefSpec& ref : forward_.spec->refs)
      if (ref.name == input) return ref.has_gradient;
    return true;
  }
};

}  // namespace

bool link_gradients(Kernel& kernel, const FindSpec& find, Diagnostics& diagnostics, const OpenExtern& open_extern) {
  if (kernel.spec->vjp.empty()) return true;
  kernel.gradients = Linker(kernel, find, diagnostics, open_extern).link();
  return kernel.gradients != nullptr;
}

}  // namespace pallasgen
