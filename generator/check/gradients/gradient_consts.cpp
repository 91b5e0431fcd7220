#include "gradients/gradient_consts.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "check/rules.h"
#include "names/names_of.h"

namespace pallasgen {

namespace {

using VisitExpr = std::function<void(const ExprPtr&)>;

std::string value_text(const std::variant<Scalar, DType, std::string>& value) {
  if (const DType* dtype = std::get_if<DType>(&value)) return std::string(name_of(*dtype));
  if (const std::string* text = std::get_if<std::string>(&value)) return *text;
  const Scalar& scalar = std::get<Scalar>(value);
  if (const bool* flag = std::get_if<bool>(&scalar)) return *flag ? "true" : "false";
  if (const double* number = std::get_if<double>(&scalar)) return fmt::format("{}", *number);
  return fmt::format("{}", std::get<int64_t>(scalar));
}

const KernelConst* find_const(const Kernel& kernel, const std::string& name) {
  for (const KernelConst& constant : kernel.consts)
    if (constant.name == name) return &constant;
  return nullptr;
}

Span place_of_const(const Kernel& kernel, const std::string& name) {
  for (const ConstSpec& constant : kernel.spec->consts)
    if (constant.name == name) return constant.value ? join(constant.span, constant.value->span) : constant.span;
  return kernel.span;
}

}  // namespace

std::vector<std::string> consts_of_meaning(const Kernel& kernel) {
  const Spec& spec = *kernel.spec;
  std::set<std::string> mentioned;
  VisitExpr visit = [&](const ExprPtr& expr) {
    if (!expr) return;
    visit_names(expr, [&](const std::string& name, Span) {
      if (!mentioned.insert(name).second) return;
      for (const FunctionSpec& function : spec.functions)
        if (function.name == name) visit(function.body);
    });
  };
  const auto visit_type = [&](const TypeSpec& type) {
    visit(type.dtype);
    for (const ExprPtr& dim : type.dims) visit(dim);
  };
  for (const RefSpec& ref : spec.refs)
    if (ref.role == RefRole::input || ref.role == RefRole::output) visit_type(ref.type);
  for (const ScalarSpec& scalar : spec.scalars) visit_type(scalar.type);
  for (const auto& [output, value] : spec.reference.outputs) visit(value);
  visit_expressions(spec.reference.statements, visit);
  std::vector<std::string> names;
  for (const ConstSpec& constant : spec.consts)
    if (mentioned.count(constant.name)) names.push_back(constant.name);
  return names;
}

bool check_shared_consts(const Kernel& forward, const Kernel& linked, const std::vector<std::string>& names, Span place,
                         Diagnostics& diagnostics) {
  bool same = true;
  for (const std::string& name : names) {
    const KernelConst *here = find_const(forward, name), *there = find_const(linked, name);
    if (!here || !there) continue;
    const std::string ours = value_text(here->value), theirs = value_text(there->value);
    if (ours == theirs) continue;
    same = false;
    diagnostics
        .error(kVjpConst, place,
               fmt::format("the const '{}' is {} in '{}' and {} in its gradient kernel '{}'", name, ours, forward.name,
                           theirs, linked.name))
        .note(place_of_const(forward, name),
              "the types or the reference mention it, so that it says what is computed and must be the same")
        .note(place_of_const(linked, name), fmt::format("it is {} here", theirs));
  }
  return same;
}

}  // namespace pallasgen
