#include "effects.h"

#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>

namespace pallasgen::vet {

using namespace clang;

const Meaning& Effects::of(const FunctionDecl& function) {
  const auto [found, added] = meanings_.try_emplace(&function);
  if (added) {
    Meaning meaning = meaning_of(function);
    found->second = std::move(meaning);
  }
  return found->second;
}

bool Effects::any(const FunctionDecl* function) {
  if (!function) return false;
  const auto [found, added] = functions_.try_emplace(function, false);  // false during the visit of its own body
  if (!added) return found->second;
  const std::string verb = of(*function).verb;
  bool result = !verb.empty() && verb != "value" && verb != "descriptor" && verb != "elect" && verb != "one";
  if (function->getDeclName().isIdentifier() &&
      (function->getName() == "__syncthreads" || function->getName() == "__syncwarp"))
    result = true;
  if (verb.empty() && !result)
    if (const Stmt* body = function->getBody()) result = any(body);
  if (const auto* constructor = dyn_cast<CXXConstructorDecl>(function); constructor && !result)
    for (const CXXCtorInitializer* each : constructor->inits())
      if (each->getInit()) result = result || any(each->getInit());
  functions_[function] = result;
  return result;
}

bool Effects::any(const Stmt* statement) {
  if (!statement) return false;
  if (const auto found = statements_.find(statement); found != statements_.end()) return found->second;
  bool result = false;
  if (const auto* call = dyn_cast<CallExpr>(statement)) result = any(call->getDirectCallee());
  if (const auto* made = dyn_cast<CXXConstructExpr>(statement)) result = any(made->getConstructor());
  for (const Stmt* child : statement->children()) result = result || any(child);
  statements_[statement] = result;
  return result;
}

}  // namespace pallasgen::vet
