#include <clang/AST/RecursiveASTVisitor.h>

#include <set>

#include "externs.h"

namespace pallasgen::externs {

using namespace clang;

namespace {

// Prefixes of toolkit functions that have an effect, or a result that depends on more than their arguments. Other
// toolkit functions count as pure: a caller without pointers and outside variables gives them nothing to write to.
constexpr const char* kImpure[] = {"__active", "__all",          "__any",       "__assert",  "__ballot", "__barrier",
                                   "__brkpt",  "__builtin_trap", "__clock",     "__cluster", "__fns",    "__isGlobal",
                                   "__match",  "__nanosleep",    "__nvvm_",     "__pm",      "__prof_",  "__reduce",
                                   "__shfl",   "__sync",         "__thread",    "__trap",    "abort",    "atomic",
                                   "clock",    "cuda",           "curand_init", "exit",      "free",     "globaltimer",
                                   "malloc",   "printf",         "surf",        "tex",       "vprintf"};

// Namespaces of toolkit functions that involve several threads.
constexpr const char* kImpureScopes[] = {"cooperative_groups::", "cuda::ptx::", "nvcuda::"};

// Walks a function and everything that it calls. A function that takes values alone and names no outside variable can
// write only to its own objects, so the walk looks for other ways to reach memory.
class Effects : public RecursiveASTVisitor<Effects> {
 public:
  explicit Effects(const ASTContext& context) : context_(context), sources_(context.getSourceManager()) {}

  Json found = Json::array();

  bool add(SourceLocation at, const std::string& text) {
    Json place = place_of(sources_, context_.getLangOpts(), at);
    if (place.is_null()) return true;
    place["text"] = text;
    if (std::find(found.begin(), found.end(), place) == found.end()) found.push_back(std::move(place));
    return true;
  }

  void follow(const FunctionDecl& function) {
    const FunctionDecl* definition = nullptr;
    if (!function.hasBody(definition) || !seen_.insert(definition->getCanonicalDecl()).second) return;
    if (const auto* constructor = dyn_cast<CXXConstructorDecl>(definition))
      for (const CXXCtorInitializer* each : constructor->inits()) TraverseStmt(each->getInit());
    for (const ParmVarDecl* parameter : definition->parameters())
      destroyed(parameter->getType(), function.getLocation());
    TraverseStmt(definition->getBody());
  }

  // Visits default arguments and member initialisers, whose text is elsewhere.
  bool shouldVisitImplicitCode() const { return true; }
  // Skips operands that are never evaluated.
  bool TraverseDecltypeTypeLoc(DecltypeTypeLoc) { return true; }
  bool TraverseUnaryExprOrTypeTraitExpr(UnaryExprOrTypeTraitExpr*) { return true; }
  bool TraverseCXXNoexceptExpr(CXXNoexceptExpr*) { return true; }

  bool VisitDeclRefExpr(DeclRefExpr* use) {
    if (use->getType().isVolatileQualified()) add(use->getLocation(), "reads or writes a volatile variable");
    const auto* variable = dyn_cast<VarDecl>(use->getDecl());
    if (variable == nullptr || variable->hasLocalStorage()) return true;
    const bool is_fixed =
        variable->getType().isConstQualified() && variable->hasInit() && !is_said<CUDAConstantAttr>(*variable);
    if (!is_fixed && !variable->isConstexpr())
      add(use->getLocation(),
          "uses the variable '" + variable->getNameAsString() + "', which is no constant of its own");
    else if (!is_in_device_memory(*variable) && !is_number(*use))
      add(use->getLocation(), "uses more than the value of '" + variable->getNameAsString() +
                                  "', which is no __device__ variable and has no memory there");
    return true;
  }
  bool VisitMemberExpr(MemberExpr* use) {
    if (use->getType().isVolatileQualified()) add(use->getMemberLoc(), "reads or writes a volatile member");
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator* use) {
    if (use->getOpcode() == UO_Deref && use->getType().isVolatileQualified())
      add(use->getExprLoc(), "reads or writes volatile memory");
    return true;
  }
  bool VisitGCCAsmStmt(GCCAsmStmt* assembly) {
    bool writes_memory = false;
    for (unsigned i = 0; i < assembly->getNumClobbers(); ++i)
      writes_memory = writes_memory || assembly->getClobber(i) == "memory";
    if (assembly->isVolatile() || writes_memory)
      add(assembly->getAsmLoc(), "holds assembly that is volatile or changes memory");
    return true;
  }
  bool VisitCallExpr(CallExpr* call) {
    const FunctionDecl* callee = call->getDirectCallee();
    if (const auto* member = dyn_cast<CXXMemberCallExpr>(call); member && callee) {
      CXXMethodDecl* method = member->getMethodDecl();
      const auto* named = dyn_cast<MemberExpr>(member->getCallee()->IgnoreParens());
      if (method && method->isVirtual() && !(named && named->hasQualifier()))
        callee = method->getDevirtualizedMethod(member->getImplicitObjectArgument(), /*IsAppleKext=*/false);
    }
    if (callee == nullptr)
      add(call->getExprLoc(), "calls a function that is known only when it runs");
    else
      called(*callee, call->getExprLoc());
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr* made) {
    const CXXConstructorDecl& constructor = *made->getConstructor();
    if (constructor.isCopyConstructor() && constructor.isTrivial())
      copied_.insert(made->getArg(0)->IgnoreParenImpCasts());
    if (!constructor.isTrivial()) called(constructor, made->getLocation());
    return true;
  }
  bool VisitCXXBindTemporaryExpr(CXXBindTemporaryExpr* made) {
    destroyed(made->getType(), made->getExprLoc());
    return true;
  }
  bool VisitVarDecl(VarDecl* variable) {
    destroyed(variable->getType(), variable->getLocation());
    return true;
  }
  bool VisitCXXNewExpr(CXXNewExpr* made) { return add(made->getExprLoc(), "allocates memory"); }
  bool VisitCXXDeleteExpr(CXXDeleteExpr* freed) { return add(freed->getExprLoc(), "frees memory"); }
  bool VisitCXXThrowExpr(CXXThrowExpr* thrown) { return add(thrown->getExprLoc(), "throws an exception"); }
  bool VisitExplicitCastExpr(ExplicitCastExpr* cast) {
    const QualType to = cast->getTypeAsWritten();
    const QualType from =
        to->isReferenceType() ? cast->getSubExpr()->getType() : cast->getSubExpr()->getType()->getPointeeType();
    const bool is_view = to->isReferenceType() || to->isPointerType();
    if (is_view && !from.isNull() && from.isConstQualified() && !to->getPointeeType().isConstQualified())
      add(cast->getExprLoc(), "casts const away");
    return true;
  }
  bool VisitCastExpr(CastExpr* cast) {
    if (cast->getCastKind() == CK_LValueToRValue) copied_.insert(cast->getSubExpr()->IgnoreParens());
    if (cast->getCastKind() == CK_IntegralToPointer) add(cast->getExprLoc(), "makes a pointer of a number");
    return true;
  }

 private:
  template <class Attribute>
  static bool is_said(const Decl& decl) {
    const auto* attribute = decl.getAttr<Attribute>();
    return attribute != nullptr && !attribute->isImplicit();
  }

  // nvcc allocates device memory for variables with these attributes and for static variables of device functions.
  static bool is_in_device_memory(const VarDecl& variable) {
    return is_said<CUDADeviceAttr>(variable) || is_said<CUDAConstantAttr>(variable) || variable.isStaticLocal();
  }
  // True if the use takes a number known at compile time, or copies a struct of such numbers: device code can do
  // nothing else with a constant of the host.
  bool is_number(const DeclRefExpr& use) const {
    if (use.getType()->isArrayType()) return false;
    return use.isNonOdrUse() != NOUR_None || copied_.count(&use) > 0;
  }

  bool is_of_system(const FunctionDecl& function) const {
    return function.getBuiltinID() != 0 ||
           sources_.isInSystemHeader(sources_.getExpansionLoc(function.getLocation())) ||
           sources_.getFilename(sources_.getExpansionLoc(function.getLocation())).empty();
  }

  // True if nvcc accepts the call in device code. Clang accepts any constexpr function, and has its own headers with
  // device versions of some functions of the C++ library.
  bool is_of_device(const FunctionDecl& function) const {
    if (function.getBuiltinID() != 0 || function.isDefaulted() || function.isImplicit()) return true;
    if (sources_.getFilename(sources_.getExpansionLoc(function.getLocation())).contains("/cuda_wrappers/"))
      return false;
    const auto* method = dyn_cast<CXXMethodDecl>(&function);
    const bool is_lambda = method && method->getParent()->isLambda();
    if (is_lambda) return method->getParent()->getDeclContext()->isFunctionOrMethod();
    const FunctionDecl* pattern = function.getTemplateInstantiationPattern();
    const bool is_list = method && method->getParent()->isInStdNamespace() && method->getParent()->getIdentifier() &&
                         method->getParent()->getName() == "initializer_list";
    return is_list || is_said<CUDADeviceAttr>(function) || (pattern && is_said<CUDADeviceAttr>(*pattern));
  }

  // Follows the destructor of an object that ends.
  void destroyed(QualType type, SourceLocation at) {
    const CXXRecordDecl* record = type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
    if (!record || !record->hasDefinition() || record->hasTrivialDestructor()) return;
    const CXXDestructorDecl* destructor = record->getDestructor();
    if (destructor == nullptr) return;
    called(*destructor, at);
    if (is_of_system(*destructor) || !seen_records_.insert(record).second) return;
    for (const CXXBaseSpecifier& base : record->bases()) destroyed(base.getType(), at);
    for (const FieldDecl* field : record->fields()) destroyed(field->getType(), at);
  }

  void called(const FunctionDecl& callee, SourceLocation at) {
    const std::string name = callee.getNameAsString();
    if (is_of_system(callee)) {
      const std::string scope = callee.getQualifiedNameAsString();
      const auto begins = [](const std::string& text) {
        return [&](const char* begin) { return text.rfind(begin, 0) == 0; };
      };
      if (std::any_of(std::begin(kImpureScopes), std::end(kImpureScopes), begins(scope)) ||
          std::any_of(std::begin(kImpure), std::end(kImpure), begins(name)))
        add(at, "calls '" + name + "'");
      else if (!is_of_device(callee))
        add(at, "calls '" + scope + "', which is no __device__ function");
      return;
    }
    if (!is_of_device(callee)) {
      add(at, "calls '" + name + "', which is no __device__ function");
    } else if (!callee.hasBody() && !callee.isDefaulted() && !callee.isImplicit()) {
      add(at, "calls '" + name + "', whose body the header does not have");
    } else {
      follow(callee);
    }
  }

  const ASTContext& context_;
  const SourceManager& sources_;
  std::set<const FunctionDecl*> seen_;
  std::set<const CXXRecordDecl*> seen_records_;  // records whose destructors were followed
  std::set<const Expr*> copied_;                 // operands of reads and of trivial copies
};

}  // namespace

Json effects_of(const ASTContext& context, const FunctionDecl& function, size_t given) {
  Effects effects(context);
  for (unsigned i = static_cast<unsigned>(given); i < function.getNumParams(); ++i)
    if (const ParmVarDecl* parameter = function.getParamDecl(i); parameter->hasInit())
      effects.TraverseStmt(const_cast<Expr*>(parameter->getInit()));
  if (function.isConsteval())
    effects.add(function.getLocation(), "is consteval, and wants arguments that are known where it is compiled");
  effects.follow(function);
  return effects.found;
}

}  // namespace pallasgen::externs
