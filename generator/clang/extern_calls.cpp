#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <clang/Sema/Lookup.h>
#include <clang/Sema/Overload.h>
#include <clang/Sema/Sema.h>

#include "externs.h"

namespace pallasgen::externs {

using namespace clang;

namespace {

// The function from which the calls are resolved, so that they count as calls of device code.
constexpr const char* kCaller = "pallasgen_caller";

// True if passing the argument preserves its value in the language: C++'s identity, or another integer type with as
// many bits and the same sign.
bool is_exact(const ASTContext& context, const OverloadCandidate& candidate, ArrayRef<Expr*> args) {
  for (size_t i = 0; i < args.size(); ++i) {
    const ImplicitConversionSequence& conversion = candidate.Conversions[i];
    if (!conversion.isStandard()) return false;
    if (conversion.Standard.getRank() == ICR_Exact_Match) continue;
    const std::string from = dtype_of(context, args[i]->getType());
    const bool is_integer = args[i]->getType()->isIntegerType() && !args[i]->getType()->isBooleanType();
    if (!is_integer || i >= candidate.Function->getNumParams() ||
        dtype_of(context, candidate.Function->getParamDecl(static_cast<unsigned>(i))->getType()) != from)
      return false;
  }
  return true;
}

const FunctionDecl& declared(const NamedDecl& found) {
  const auto* pattern = dyn_cast<FunctionTemplateDecl>(&found);
  return pattern ? *pattern->getTemplatedDecl() : *cast<FunctionDecl>(&found);
}

}  // namespace

Json resolve(CompilerInstance& compiler, const std::string& name, const std::vector<std::string>& dtypes) {
  Sema& sema = compiler.getSema();
  ASTContext& context = compiler.getASTContext();
  TranslationUnitDecl* unit = context.getTranslationUnitDecl();
  const auto caller = unit->lookup(&context.Idents.get(kCaller));
  const SourceLocation at = caller.front()->getLocation();
  Sema::ContextRAII inside(sema, cast<FunctionDecl>(caller.front()));

  std::vector<Expr*> args;
  for (const std::string& dtype : dtypes) {
    const QualType type = type_of(context, dtype);
    if (type.isNull()) return {{"kind", "no type"}, {"type", dtype}};
    args.push_back(new (context) OpaqueValueExpr(at, type, VK_PRValue));
  }
  LookupResult found(sema, DeclarationName(&context.Idents.get(name)), at, Sema::LookupOrdinaryName);
  found.suppressDiagnostics();
  sema.LookupQualifiedName(found, unit);
  OverloadCandidateSet set(at, OverloadCandidateSet::CSK_Normal);
  std::vector<const NamedDecl*> all;
  for (NamedDecl* each : found) {
    NamedDecl* target = each->getUnderlyingDecl();
    const DeclAccessPair pair = DeclAccessPair::make(each, AS_none);
    if (auto* pattern = dyn_cast<FunctionTemplateDecl>(target))
      sema.AddTemplateOverloadCandidate(pattern, pair, nullptr, args, set, /*SuppressUserConversions=*/true);
    else if (auto* function = dyn_cast<FunctionDecl>(target))
      sema.AddOverloadCandidate(function, pair, args, set, /*SuppressUserConversions=*/true);
    else
      continue;
    all.push_back(target);
  }
  OverloadCandidateSet::iterator best;
  const OverloadingResult result = set.BestViableFunction(sema, at, best);
  Json candidates = Json::array();
  if (result != OR_Success || !is_exact(context, *best, args)) {
    for (const NamedDecl* each : all) {
      const bool is_viable = std::any_of(set.begin(), set.end(), [&](const OverloadCandidate& candidate) {
        return candidate.Viable && candidate.FoundDecl.getDecl()->getUnderlyingDecl() == each;
      });
      if (result != OR_Ambiguous || is_viable) candidates.push_back(function_json(context, declared(*each)));
    }
    return {{"kind", result == OR_Ambiguous ? "ambiguous" : "none"}, {"candidates", candidates}};
  }
  FunctionDecl* chosen = best->Function;
  const bool is_template = chosen->isTemplateInstantiation();
  const unsigned errors = compiler.getDiagnostics().getClient()->getNumErrors();
  if (is_template && !chosen->isDefined()) {
    sema.InstantiateFunctionDefinition(at, chosen, /*Recursive=*/true, /*DefinitionRequired=*/true, /*AtEndOfTU=*/true);
    sema.PerformPendingInstantiations();
  }
  if (chosen->getReturnType()->isUndeducedType()) sema.DeduceReturnType(chosen, at, /*Diagnose=*/true);
  Json function = function_json(context, *chosen);
  if (compiler.getDiagnostics().getClient()->getNumErrors() != errors) {
    candidates.push_back(function);
    return {{"kind", "body"}, {"candidates", candidates}};
  }
  function["defined"] = chosen->hasBody();
  function["effects"] = effects_of(context, *chosen, args.size());
  return {{"kind", "found"}, {"function", function}};
}

}  // namespace pallasgen::externs
