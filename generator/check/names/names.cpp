#include "names/names.h"

#include <fmt/format.h>

#include "names/language.h"

namespace pallasgen {

namespace {

std::string_view role_text(RefRole role) {
  switch (role) {
    case RefRole::input:
      return "an input";
    case RefRole::output:
      return "an output";
    case RefRole::scratch:
      return "a scratch ref";
    case RefRole::workspace:
      return "a workspace ref";
  }
  return "a ref";
}

const RefSpec* ref_spec(const Context& context, const std::string& name) {
  for (const RefSpec& ref : context.spec.refs) {
    if (ref.name == name) return &ref;
  }
  return nullptr;
}

bool later_in_file(Span a, Span b) { return a.source != b.source || a.begin > b.begin; }

class NameSpace {
 public:
  explicit NameSpace(Context& context) : context_(context) {}

  void add(NameKind kind, int id, const Named& named) {
    const Name entry{kind, id, named.span};
    // A function may replace one of the library.
    const bool replaces = kind == NameKind::function && library_function(named.name);
    if (is_language_name(named.name) && !replaces) {
      context_.diagnostics
          .error(kNameClash, named.span,
                 fmt::format("'{}' is {} of the language, and cannot name {} too", named.name,
                             language_kind(named.name), text(kind, named.name)))
          .note(fmt::format("call it '{}_' or anything else", named.name));
      context_.clashing.insert(named.name);
      return;
    }
    const auto [found, added] = context_.names.emplace(named.name, entry);
    if (added) return;
    context_.clashing.insert(named.name);
    const Name& other = found->second;
    const std::string first = kind_text(context_, named.name);
    const bool after = later_in_file(named.span, other.span);
    context_.diagnostics
        .error(kNameClash, after ? named.span : other.span,
               fmt::format("'{}' is the name of {} and of {}", named.name, first, text(kind, named.name)))
        .note(after ? other.span : named.span,
              "the other one is here; refs, dims, consts, scalars, axes, lets and functions share one name space");
  }

 private:
  Context& context_;

  std::string text(NameKind kind, const std::string& name) {
    if (kind != NameKind::ref) return std::string(kind_name(kind));
    // The later of two refs with one name.
    const RefSpec* last = nullptr;
    for (const RefSpec& ref : context_.spec.refs) {
      if (ref.name == name) last = &ref;
    }
    return std::string(last ? role_text(last->role) : "a ref");
  }

 public:
  static std::string_view kind_name(NameKind kind) {
    switch (kind) {
      case NameKind::dim:
        return "a dim";
      case NameKind::constant:
        return "a const";
      case NameKind::scalar:
        return "a scalar";
      case NameKind::axis:
        return "an axis";
      case NameKind::let:
        return "a let";
      case NameKind::ref:
        return "a ref";
      case NameKind::function:
        return "a function";
      case NameKind::external:
        return "a function of a C++ header";
    }
    return "a name";
  }
};

}  // namespace

std::string kind_text(const Context& context, const std::string& name) {
  const auto found = context.names.find(name);
  if (found == context.names.end()) return "no name of the spec";
  if (found->second.kind == NameKind::ref) {
    const RefSpec* ref = ref_spec(context, name);
    if (ref) return std::string(role_text(ref->role));
  }
  return std::string(NameSpace::kind_name(found->second.kind));
}

void check_names(Context& context) {
  const Spec& spec = context.spec;
  NameSpace names(context);
  const auto add_all = [&](NameKind kind, const auto& list) {
    for (size_t i = 0; i < list.size(); ++i) names.add(kind, static_cast<int>(i), list[i]);
  };
  add_all(NameKind::dim, spec.dims);
  add_all(NameKind::constant, spec.consts);
  add_all(NameKind::function, spec.functions);
  add_all(NameKind::external, spec.extern_functions);
  add_all(NameKind::axis, spec.grid);
  for (const LetSpec& let : spec.lets) names.add(NameKind::let, -1, let);
  for (const RefSpec& ref : spec.refs) names.add(NameKind::ref, -2, ref);
  for (const ScalarSpec& scalar : spec.scalars) names.add(NameKind::scalar, -1, scalar);
  if (is_reserved(spec.kernel.name, NamePlace::program)) {
    context.diagnostics
        .error(kReservedKernelName, spec.kernel.span,
               fmt::format("the kernel cannot be called '{}': C, C++, CUDA or the runtime reserve that name",
                           spec.kernel.name))
        .note(fmt::format("'{}_kernel' is free; other names of the spec get a trailing '_' in the output",
                          spec.kernel.name));
  }
}

}  // namespace pallasgen
