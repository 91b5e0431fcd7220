#include "proofs/element_names.h"

#include <algorithm>

namespace pallasgen {

namespace {

void reserve_body(const Kernel& kernel, std::set<std::string>& names) {
  const Identifiers& identifiers = kernel.identifiers;
  for_each_statement(kernel.body, [&](const KernelStmt& statement) {
    if (const auto* bind = std::get_if<BindStmt>(&statement.node)) names.insert(identifiers.of(bind->name));
    if (const auto* atomic = std::get_if<AtomicStmt>(&statement.node)) names.insert(identifiers.of(atomic->old_name));
    if (const auto* loop = std::get_if<ForStmt>(&statement.node)) names.insert(identifiers.of(loop->name));
  });
}

}  // namespace

ElementNames::ElementNames(const Kernel& kernel) {
  const Identifiers& identifiers = kernel.identifiers;
  // Names that the templates and roles declare.
  reserved_ = {"thread", "smem", "tile", "wg", "row0", "leader", "first_lane", "lane", "s", "ring"};
  for (const Axis& axis : kernel.axes) {
    reserved_.insert({identifiers.of(axis.name), identifiers.derived("tiles_" + axis.name),
                      identifiers.derived("steps_" + axis.name)});
  }
  for (const Dim& dim : kernel.dims) reserved_.insert(identifiers.of(dim.name));
  for (const KernelConst& constant : kernel.consts) reserved_.insert(identifiers.of(constant.name));
  for (const KernelScalar& scalar : kernel.scalars) reserved_.insert(identifiers.of(scalar.name));
  for (const Ref& ref : kernel.refs) reserved_.insert(identifiers.of(ref.name));
  for (const Function& function : kernel.functions) reserved_.insert(identifiers.of(function.name));
  for (const Let& let : kernel.lets) reserved_.insert(identifiers.of(let.name));
  reserve_body(kernel, reserved_);
  scopes_.emplace_back();
}

bool ElementNames::taken(const std::string& name) const {
  return reserved_.count(name) > 0 || in_scope(name) || (others_ && others_(name));
}

bool ElementNames::in_scope(const std::string& name) const {
  const auto has = [&](const std::set<std::string>& scope) { return scope.count(name) > 0; };
  return std::any_of(scopes_.begin(), scopes_.end(), has);
}

std::string ElementNames::take(const std::vector<std::string>& wanted) {
  for (const std::string& name : wanted) {
    if (taken(name)) continue;
    scopes_.back().insert(name);
    return name;
  }
  const std::string stem = wanted.back().ends_with('_') ? wanted.back() : wanted.back() + "_";
  for (int number = 2;; ++number) {
    const std::string name = stem + std::to_string(number);
    if (taken(name)) continue;
    scopes_.back().insert(name);
    return name;
  }
}

std::vector<std::string> ElementNames::coordinates(size_t rank) {
  std::vector<std::string> names;
  for (size_t dim = 0; dim < rank; ++dim) names.push_back(rank == 1 ? take({"i", "e"}) : along(dim, rank));
  return names;
}

std::string ElementNames::along(size_t dim, size_t rank) {
  if (rank >= 1 && dim + 1 == rank) return rank == 1 ? take({"j", "n"}) : take({"c", "column"});
  if (dim + 2 == rank) return take({"r", "row"});
  return take({rank == 3 ? "b" : "b" + std::to_string(dim), "batch"});
}

std::string ElementNames::tile(const std::string& wanted) {
  std::string name = wanted;
  for (int number = 2; !tiles_.insert(name).second; ++number) name = wanted + "_" + std::to_string(number);
  return name;
}

}  // namespace pallasgen
