#include <clang/AST/DeclTemplate.h>
#include <clang/AST/PrettyPrinter.h>
#include <clang/Lex/Lexer.h>
#include <llvm/Support/raw_ostream.h>

#include "externs.h"

namespace pallasgen::externs {

using namespace clang;

namespace {

// Classes of the toolkit's headers for dtypes of the language.
constexpr std::pair<const char*, const char*> kClasses[] = {{"__half", "f16"},
                                                            {"__nv_bfloat16", "bf16"},
                                                            {"__nv_fp8_e4m3", "f8e4m3"},
                                                            {"__nv_fp8_e5m2", "f8e5m2"},
                                                            {"__nv_fp8_e8m0", "f8e8m0"}};

PrintingPolicy policy_of(const ASTContext& context) {
  PrintingPolicy policy(context.getPrintingPolicy());
  policy.SuppressTagKeyword = true;
  policy.TerseOutput = true;
  return policy;
}

// How the parameter is passed: "value" and "const reference" do not let a function write to its argument.
std::string_view passing_of(QualType type) {
  if (type->isPointerType()) return "pointer";
  if (type->isRValueReferenceType()) return "rvalue reference";
  if (!type->isReferenceType()) return "value";
  const QualType to = type->getPointeeType();
  return to.isConstQualified() && !to.isVolatileQualified() ? "const reference" : "reference";
}

Json dtype_json(const ASTContext& context, QualType type) {
  const std::string dtype = dtype_of(context, type);
  return dtype.empty() ? Json() : Json(dtype);
}

template <class Attribute>
bool is_declared(const FunctionDecl& function) {
  const auto* attribute = function.getAttr<Attribute>();
  return attribute != nullptr && !attribute->isImplicit();
}

}  // namespace

std::string dtype_of(const ASTContext& context, QualType type) {
  if (type->isDependentType()) return "";
  const QualType plain = type.getNonReferenceType().getCanonicalType().getUnqualifiedType();
  if (const auto* record = plain->getAsCXXRecordDecl()) {
    if (!record->getDeclContext()->getRedeclContext()->isTranslationUnit()) return "";
    for (const auto& [name, dtype] : kClasses)
      if (record->getName() == name) return dtype;
    return "";
  }
  const auto* builtin = plain->getAs<BuiltinType>();
  if (builtin == nullptr) return "";
  switch (builtin->getKind()) {
    case BuiltinType::Bool:
      return "bool";
    case BuiltinType::Float:
      return "f32";
    case BuiltinType::Double:
      return "f64";
    case BuiltinType::Char_S:
    case BuiltinType::Char_U:
    case BuiltinType::SChar:
    case BuiltinType::UChar:
    case BuiltinType::Short:
    case BuiltinType::UShort:
    case BuiltinType::Int:
    case BuiltinType::UInt:
    case BuiltinType::Long:
    case BuiltinType::ULong:
    case BuiltinType::LongLong:
    case BuiltinType::ULongLong:
      return (plain->isSignedIntegerType() ? "i" : "u") + std::to_string(context.getTypeSize(plain));
    default:
      return "";
  }
}

QualType type_of(const ASTContext& context, const std::string& dtype) {
  for (const auto& [name, known] : kClasses) {
    if (dtype != known) continue;
    for (const NamedDecl* found : context.getTranslationUnitDecl()->lookup(&context.Idents.get(name)))
      if (const auto* type = dyn_cast<TypeDecl>(found)) return context.getTypeDeclType(type).getCanonicalType();
    return {};
  }
  if (dtype == "bool") return context.BoolTy;
  if (dtype == "f32") return context.FloatTy;
  if (dtype == "f64") return context.DoubleTy;
  for (const unsigned width : {8u, 16u, 32u, 64u})
    for (const bool is_signed : {true, false})
      if (dtype == (is_signed ? "i" : "u") + std::to_string(width))
        return context.getIntTypeForBitwidth(width, is_signed);
  return {};
}

Json place_of(const SourceManager& sources, const LangOptions& language, SourceLocation at) {
  const PresumedLoc place = sources.getPresumedLoc(sources.getExpansionLoc(at), /*UseLineDirectives=*/false);
  if (place.isInvalid()) return nullptr;
  return {{"file", place.getFilename()},
          {"line", place.getLine()},
          {"column", place.getColumn()},
          {"length", Lexer::MeasureTokenLength(sources.getExpansionLoc(at), sources, language)}};
}

Json function_json(const ASTContext& context, const FunctionDecl& function) {
  const PrintingPolicy policy = policy_of(context);
  Json out = place_of(context.getSourceManager(), context.getLangOpts(), function.getLocation());
  std::string text;
  llvm::raw_string_ostream stream(text);
  const FunctionTemplateDecl* pattern = function.getDescribedFunctionTemplate();
  if (pattern != nullptr) pattern->getTemplateParameters()->print(stream, context, policy);
  function.getReturnType().print(stream, policy);
  stream << " " << function.getName() << "(";
  Json parameters = Json::array();
  for (const ParmVarDecl* parameter : function.parameters()) {
    if (!parameters.empty()) stream << ", ";
    parameter->getType().print(stream, policy);
    parameters.push_back({{"dtype", dtype_json(context, parameter->getType())},
                          {"type", parameter->getType().getAsString(policy)},
                          {"passing", passing_of(parameter->getType())}});
  }
  stream << (function.isVariadic() ? ", ...)" : ")");
  out["text"] = stream.str();
  out["parameters"] = parameters;
  out["required"] = function.getMinRequiredArguments();
  out["result"] = {
      {"dtype", function.getReturnType()->isReferenceType() ? Json() : dtype_json(context, function.getReturnType())},
      {"type", function.getReturnType().getAsString(policy)}};
  out["template"] = pattern != nullptr || function.isTemplateInstantiation();
  out["device"] = is_declared<CUDADeviceAttr>(function);
  out["host"] = is_declared<CUDAHostAttr>(function) || !is_declared<CUDADeviceAttr>(function);
  out["kernel"] = function.hasAttr<CUDAGlobalAttr>();
  return out;
}

}  // namespace pallasgen::externs
