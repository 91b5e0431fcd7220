#include <clang/AST/RecursiveASTVisitor.h>

#include <set>

#include "externs.h"

namespace pallasgen::externs {

using namespace clang;

namespace {

// Functions of the toolkit whose call is an effect, or whose result is not decided by their arguments, by the beginning
// of their names. Others of the toolkit's headers are taken as pure: what they could write to, a function that takes no
// pointers and names no variable outside it does not have.
constexpr const char* kImpure[] = {
    "__active",      "__all",        "__any",       "__assert", "__ballot",    "__brkpt",     "__builtin_trap",
    "__clock",       "__cluster",    "__isGlobal",  "__match",  "__nanosleep", "__nvvm_atom", "__nvvm_bar",
    "__nvvm_membar", "__nvvm_read_", "__pm",        "__prof_",  "__reduce",    "__shfl",      "__sync",
    "__thread",      "__trap",       "abort",       "atomic",   "clock",       "cuda",        "curand_init",
    "exit",          "free",         "globaltimer", "malloc",   "printf",      "vprintf"};

// Walks a function and everything that it calls. A function that takes values alone and names no variable outside it
// can write nowhere but to what it has made itself: what remains to be looked for is how it could name something else.
class Effects : public RecursiveASTVisitor<Effects> {
 public:
  explicit Effects(const ASTContext& context) : context_(context), sources_(context.getSourceManager()) {}

  Json found = Json::array();

  void follow(const FunctionDecl& function) {
    const FunctionDecl* definition = nullptr;
    if (!function.hasBody(definition) || !seen_.insert(definition->getCanonicalDecl()).second) return;
    if (const auto* constructor = dyn_cast<CXXConstructorDecl>(definition))
      for (const CXXCtorInitializer* each : constructor->inits()) TraverseStmt(each->getInit());
    TraverseStmt(definition->getBody());
  }

  bool VisitDeclRefExpr(DeclRefExpr* use) {
    if (use->getType().isVolatileQualified()) add(use->getLocation(), "reads or writes a volatile variable");
    const auto* variable = dyn_cast<VarDecl>(use->getDecl());
    if (variable == nullptr || variable->hasLocalStorage()) return true;
    const bool is_fixed =
        variable->getType().isConstQualified() && variable->hasInit() && !variable->hasAttr<CUDAConstantAttr>();
    if (!is_fixed && !variable->isConstexpr())
      add(use->getLocation(),
          "uses the variable '" + variable->getNameAsString() + "', which is no constant of its own");
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
    if (callee == nullptr)
      add(call->getExprLoc(), "calls a function that is known only when it runs");
    else
      called(*callee, call->getExprLoc());
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr* made) {
    if (!is_of_system(*made->getConstructor())) follow(*made->getConstructor());
    return true;
  }
  bool VisitVarDecl(VarDecl* variable) {
    const CXXRecordDecl* record = variable->getType()->getAsCXXRecordDecl();
    const CXXDestructorDecl* destructor = record && record->hasDefinition() ? record->getDestructor() : nullptr;
    if (destructor != nullptr && !is_of_system(*destructor)) follow(*destructor);
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
    if (cast->getCastKind() == CK_IntegralToPointer) add(cast->getExprLoc(), "makes a pointer of a number");
    return true;
  }

 private:
  bool add(SourceLocation at, const std::string& text) {
    Json place = place_of(sources_, context_.getLangOpts(), at);
    if (place.is_null()) return true;
    place["text"] = text;
    if (std::find(found.begin(), found.end(), place) == found.end()) found.push_back(std::move(place));
    return true;
  }

  bool is_of_system(const FunctionDecl& function) const {
    return function.getBuiltinID() != 0 || function.isImplicit() ||
           sources_.isInSystemHeader(sources_.getExpansionLoc(function.getLocation())) ||
           sources_.getFilename(sources_.getExpansionLoc(function.getLocation())).empty();
  }

  void called(const FunctionDecl& callee, SourceLocation at) {
    const std::string name = callee.getNameAsString();
    if (is_of_system(callee)) {
      const std::string scope = callee.getQualifiedNameAsString();
      const bool is_impure = scope.rfind("cooperative_groups::", 0) == 0 ||
                             std::any_of(std::begin(kImpure), std::end(kImpure),
                                         [&](const char* begin) { return name.rfind(begin, 0) == 0; });
      if (is_impure) add(at, "calls '" + name + "'");
      return;
    }
    if (!callee.hasAttr<CUDADeviceAttr>()) {
      add(at, "calls '" + name + "', which is no __device__ function");
    } else if (!callee.hasBody()) {
      add(at, "calls '" + name + "', whose body the header does not have");
    } else {
      follow(callee);
    }
  }

  const ASTContext& context_;
  const SourceManager& sources_;
  std::set<const FunctionDecl*> seen_;
};

}  // namespace

Json effects_of(const ASTContext& context, const FunctionDecl& function) {
  Effects effects(context);
  effects.follow(function);
  return effects.found;
}

}  // namespace pallasgen::externs
