#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "body/body.h"
#include "declarations/declarations.h"
#include "names/names.h"

namespace pallasgen {

namespace {

// Types the reference into `context.kernel`, whose functions become the reference's. Errors go to the context.
std::optional<ReferenceProgram> type_program(Context& context, const std::map<std::string, int64_t>& extents) {
  Kernel& kernel = context.kernel;
  context.extents = &extents;
  context.array_shapes.clear();
  const auto extent_of = [&](const Symbol& symbol) -> std::optional<int64_t> {
    const auto found = extents.find(symbol.name);
    return symbol.kind == SymbolKind::dim && found != extents.end() ? std::optional<int64_t>(found->second)
                                                                    : std::nullopt;
  };
  for (const Ref& ref : kernel.refs) {
    Shape shape;
    for (const TypedPtr& extent : ref.array_shape) shape.push_back(evaluate_index(extent, extent_of).value_or(-1));
    context.array_shapes.push_back(std::move(shape));
  }
  for (const Ref& ref : kernel.refs) {  // the reference sees only memory that exists before and after the launch
    if (ref.role == RefRole::scratch) context.names.erase(ref.name);
  }
  const int errors = context.diagnostics.errors();
  const Reference& reference = context.spec.reference;
  BodyTyper typer(context, kReferencePlace);
  ReferenceProgram out;
  out.statements = typer.statements(reference.statements);
  for (const auto& [output, value] : reference.outputs) {
    const Ref* ref = kernel.find_ref(output.name);
    const Name* entry = context.find(output.name);
    if (entry && entry->kind == NameKind::ref && entry->id < 0) continue;  // in error, or not present
    if (context.clashes(output.name)) continue;
    if (!ref || ref->role != RefRole::output) {
      Diagnostic& out_of = context.diagnostics.error(
          kReference, output.span, fmt::format("the reference gives '{}' a value, which is no output", output.name));
      std::vector<std::string> outputs;
      for (const Ref& other : kernel.refs) {
        if (other.role == RefRole::output) outputs.push_back(other.name);
      }
      const std::string near = nearest(output.name, outputs);
      if (!near.empty())
        out_of.note(fmt::format("did you mean '{}'?", near));
      else if (!outputs.empty())
        out_of.note(
            fmt::format("the {} {}", outputs.size() == 1 ? "output is" : "outputs are", fmt::join(outputs, ", ")));
      continue;
    }
    typer.bind_output(output, value, out.statements);
  }
  for (size_t i = 0; i < kernel.refs.size(); ++i) {
    const Ref& ref = kernel.refs[i];
    if (ref.role != RefRole::output || context.clashes(ref.name)) continue;
    const int local = typer.names().local_of(ref.name);
    if (local == -1 && context.diagnostics.errors() == errors) {
      context.diagnostics
          .error(kReference, reference.span, fmt::format("the reference gives the output '{}' no value", ref.name))
          .note(ref.span, "it is declared here");
    }
    if (local < 0) continue;
    out.outputs.emplace_back(ref.name, local);
    const TypedPtr* value = nullptr;
    for (const KernelStmt& stmt : out.statements) {
      const BindStmt* bind = std::get_if<BindStmt>(&stmt.node);
      if (bind && bind->local == local) value = &bind->value;
    }
    if (!value) continue;
    if ((*value)->dtype != ref.dtype) {
      context.diagnostics
          .error(kReference, (*value)->span,
                 fmt::format("the reference of '{}' is {}, but '{}' is {}", ref.name, describe(*value), ref.name,
                             name_of(ref.dtype)))
          .note(fmt::format("write {}", to_string(make_typed((*value)->span, ref.dtype, (*value)->shape,
                                                             Apply{Op::cast, {*value}, {}}))));
    } else if ((*value)->shape != context.array_shapes[i] && !(*value)->shape.empty()) {
      context.diagnostics.error(
          kReference, (*value)->span,
          fmt::format("the reference of '{}' has shape {}, but '{}' has {}", ref.name, shape_text((*value)->shape),
                      ref.name, shape_text(context.array_shapes[i])));
    }
  }
  context.extents = nullptr;
  if (context.diagnostics.errors() != errors) return std::nullopt;
  out.functions = kernel.functions;
  return out;
}

// Finds the names and consts of a checked kernel again from its spec.
void restore(Context& context) {
  check_names(context);
  context.kernel.consts.clear();
  check_consts(context);
  Diagnostics silent;
  for (auto& [name, entry] : context.names) {
    const auto find = [&, &key = name](const auto& list) {
      const auto found = std::find_if(list.begin(), list.end(), [&](const auto& row) { return row.name == key; });
      return found == list.end() ? -1 : static_cast<int>(found - list.begin());
    };
    if (entry.kind == NameKind::ref) entry.id = find(context.kernel.refs);
    if (entry.kind == NameKind::scalar) entry.id = find(context.kernel.scalars);
    if (entry.kind == NameKind::let) entry.id = find(context.kernel.lets);
  }
}

}  // namespace

std::optional<ReferenceProgram> type_reference(const Kernel& kernel, const std::map<std::string, int64_t>& dims,
                                               Diagnostics& diagnostics) {
  if (!kernel.spec->reference.present()) return std::nullopt;
  Kernel scratch = kernel;
  scratch.functions.clear();
  Diagnostics restored;
  Context names{*kernel.spec, scratch, restored, {}, {}, {}, {}, {}, {}, 0, 0, nullptr, {}};
  restore(names);
  Context context{*kernel.spec, scratch, diagnostics, names.names, names.consts, {}, {}, {}, {}, 0, 0, nullptr, {}};
  return type_program(context, dims);
}

// Types the reference for the largest test; if no test gives all dims, only if the kernel has none.
void check_reference(Context& context) {
  if (!context.spec.reference.present()) return;
  const KernelTest* largest = nullptr;
  int64_t most = -1;
  for (const KernelTest& test : context.kernel.tests) {
    int64_t least = INT64_MAX;
    for (const auto& [name, extent] : test.dims) least = std::min(least, extent);
    const bool complete = test.dims.size() == context.kernel.dims.size();
    if (complete && least > most) {
      most = least;
      largest = &test;
    }
  }
  std::map<std::string, int64_t> extents;
  if (largest) extents = largest->dims;
  if (!largest && !context.kernel.dims.empty()) return;
  Kernel scratch = context.kernel;
  scratch.functions.clear();
  Context own{context.spec, scratch, context.diagnostics, context.names, context.consts};
  own.recursive = context.recursive;
  own.clashing = context.clashing;
  own.wrong_externs = context.wrong_externs;
  type_program(own, extents);
  context.called.insert(own.called.begin(), own.called.end());
}

}  // namespace pallasgen
