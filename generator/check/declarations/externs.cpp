// Functions of `extern`: what the header declares under their names, and where they may be called.
#include "expressions/externs.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "check/identifiers.h"
#include "declarations/declarations.h"

namespace pallasgen {

namespace {

// True if the device can call what a name of `extern` means in the header; otherwise reports why not.
bool is_callable(Context& context, const Named& name, const ExternHeader& header) {
  const ExternDeclared declared = header.declared(name.name);
  const auto refuse = [&](std::string message) -> Diagnostic& {
    return context.diagnostics.error(kExternFunction, name.span, std::move(message));
  };
  if (!declared.is_known) {
    refuse(fmt::format("what reads \"{}\" has ended before it said what '{}' is", header.include, name.name))
        .note("`pallasgen-clang` has stopped; please report the header");
    return false;
  }
  if (declared.macro) {
    refuse(fmt::format("'{}' is a macro of \"{}\", and no function", name.name, header.include))
        .note(*declared.macro, "it is defined here; a __device__ function that uses it can be called");
    return false;
  }
  if (declared.candidates.empty()) {
    Diagnostic& out = refuse(fmt::format("\"{}\" declares no function '{}'", header.include, name.name));
    if (declared.other) out.note(*declared.other, "what has this name is declared here");
    const std::string near = nearest(name.name, std::vector<std::string>(header.names.begin(), header.names.end()));
    if (!near.empty() && !declared.other) out.note(fmt::format("did you mean '{}'?", near));
    if (near.empty() && !declared.other) out.note("functions of namespaces need a using declaration in the header");
    return false;
  }
  const auto is_usable = [](const ExternCandidate& each) { return each.is_device && !each.is_kernel; };
  if (std::none_of(declared.candidates.begin(), declared.candidates.end(), is_usable)) {
    const ExternCandidate& first = declared.candidates.front();
    refuse(fmt::format("'{}' is {}, which a kernel cannot call as a function", name.name,
                       first.is_kernel ? "a __global__ function" : "a function of the host alone"))
        .note(first.place,
              fmt::format("'{}' is declared here; declare it __device__, or __host__ __device__", first.text));
    return false;
  }
  const auto writes = [&](const ExternCandidate& each) { return is_usable(each) && !leaves_arguments(each); };
  if (static_cast<size_t>(std::count_if(declared.candidates.begin(), declared.candidates.end(), writes)) ==
      declared.candidates.size()) {
    const ExternCandidate& first = declared.candidates.front();
    context.diagnostics
        .error(kExternEffect, name.span,
               fmt::format("'{}' may write through its parameters: {}", name.name, written_parameter(first)))
        .note(first.place,
              fmt::format("'{}' is declared here; functions take values, or references to const", first.text));
    return false;
  }
  return true;
}

}  // namespace

void check_externs(Context& context) {
  const Spec& spec = context.spec;
  std::vector<const Named*> names;  // names that a call could mean
  for (const Named& name : spec.extern_functions) {
    const Name* known = context.find(name.name);
    context.wrong_externs.insert(name.name);
    if (!known || known->kind != NameKind::external || context.clashes(name.name)) continue;  // already reported
    if (!is_reserved(name.name, NamePlace::file)) {
      names.push_back(&name);
      continue;
    }
    context.diagnostics
        .error(kExternName, name.span,
               fmt::format("'{}' cannot be called from generated code: C++, CUDA or the runtime have that name too",
                           name.name))
        .note(fmt::format("give the function another name in the header, such as 'my_{}'", name.name));
  }
  std::shared_ptr<const ExternHeader>& header = context.kernel.externs;
  if (names.empty()) return;
  if (!header && context.open_extern) header = (*context.open_extern)(spec, context.diagnostics);
  if (!header && !context.open_extern)
    context.diagnostics.error(kExternFunction, spec.extern_span, "nothing reads C++ headers here");
  if (!header) return;
  if (header->names.count(spec.kernel.name) > 0) {
    context.diagnostics
        .error(kReservedKernelName, spec.kernel.span,
               fmt::format("the kernel cannot be called '{}': \"{}\" declares that name", spec.kernel.name,
                           header->include))
        .note(fmt::format("'{}_kernel' is free", spec.kernel.name));
  }
  for (const Named* name : names)
    if (is_callable(context, *name, *header)) context.wrong_externs.erase(name->name);
}

void check_extern_places(Context& context) {
  const Kernel& kernel = context.kernel;
  if (!kernel.externs) return;
  std::function<const ExternFunction*(const TypedPtr&)> external_in = [&](const TypedPtr& expr) {
    const ExternFunction* found = nullptr;
    walk(expr, [&](const Typed& node) {
      const auto* call = node.as<CallFunction>();
      if (!call || found) return;
      const Function& function = kernel.functions[static_cast<size_t>(call->function)];
      found = function.external ? function.external.get() : external_in(function.body);
    });
    return found;
  };
  const auto refuse = [&](const TypedPtr& expr, const std::string& where) {
    const ExternFunction* found = external_in(expr);
    if (!found) return;
    context.diagnostics
        .error(kNameKind, expr->span,
               fmt::format("'{}' is a function of a C++ header, which {} cannot use", found->name, where))
        .note(found->place, "the body, functions, sizes of sequential axes and the reference may call it");
  };
  for (const Axis& axis : kernel.axes)
    if (!axis.sequential) refuse(axis.size, fmt::format("the size of the parallel axis '{}'", axis.name));
  for (const Let& let : kernel.lets) refuse(let.value, fmt::format("the let '{}'", let.name));
  refuse(kernel.skip, "'skip'");
  for (const Ref& ref : kernel.refs) {
    for (const TypedPtr& extent : ref.array_shape) refuse(extent, fmt::format("the shape of '{}'", ref.name));
    for (const TypedPtr& stride : ref.strides) refuse(stride, fmt::format("'strides' of '{}'", ref.name));
    for (const BlockDim& dim : ref.block) {
      refuse(dim.index, fmt::format("the index map of '{}'", ref.name));
      refuse(dim.slice_size, fmt::format("the index map of '{}'", ref.name));
    }
  }
}

}  // namespace pallasgen
