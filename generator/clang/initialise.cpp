#include <clang/AST/RecordLayout.h>

#include "interpreter.h"

// Initialises records and arrays.
namespace pallasgen::vet {

using namespace clang;

void Initialiser::initialise_list(const Pointer& place, QualType type, const InitListExpr* list) {
  if (list->isSemanticForm() == false && list->getSemanticForm()) list = list->getSemanticForm();
  if (const auto* array = thread_.context.getAsConstantArrayType(type)) {
    const QualType each = array->getElementType();
    const int64_t count = std::min<int64_t>(array->getSize().getLimitedValue(), 4096);
    for (int64_t i = 0; i < count; ++i) {
      const Expr* value = i < list->getNumInits() ? list->getInit(static_cast<unsigned>(i)) : list->getArrayFiller();
      if (value) initialise(thread_.element(place, integer(i), each), each, value);
    }
    return;
  }
  const auto* record = type->getAsCXXRecordDecl();
  if (!record) {
    if (list->getNumInits() == 1) initialise(place, type, list->getInit(0));
    return;
  }
  if (list->isTransparent() && list->getNumInits() == 1) return initialise(place, type, list->getInit(0));
  const Pointer self = thread_.frame->self;
  unsigned next = 0;
  for (const CXXBaseSpecifier& base : record->bases()) {
    if (next >= list->getNumInits()) return;
    Pointer part = place;
    part.offset += thread_.context.getASTRecordLayout(record)
                       .getBaseClassOffset(base.getType()->getAsCXXRecordDecl())
                       .getQuantity();
    initialise(part, base.getType(), list->getInit(next++));
  }
  for (const FieldDecl* field : record->fields()) {
    if (field->isUnnamedBitField()) continue;
    if (record->isUnion() && list->getInitializedFieldInUnion() != field) continue;
    if (next >= list->getNumInits()) break;
    Pointer part = place;
    part.offset += thread_.offset_of(field);
    const Expr* value = list->getInit(next++);
    if (isa<CXXDefaultInitExpr>(value)) thread_.frame->self = place;
    initialise(part, field->getType(), value);
    thread_.frame->self = self;
  }
}

void Initialiser::initialise(const Pointer& place, QualType type, const Expr* expression) {
  if (!expression || thread_.stopped) return;
  if (type->isReferenceType()) {
    thread_.store(place, thread_.context.VoidPtrTy, address(all_.place_of(expression)));
    return;
  }
  if (!type->isRecordType() && !type->isArrayType()) {
    thread_.store(place, type, all_.evaluate(expression));
    return;
  }
  if (const auto* inner = dyn_cast<ParenExpr>(expression)) return initialise(place, type, inner->getSubExpr());
  if (const auto* inner = dyn_cast<FullExpr>(expression)) return initialise(place, type, inner->getSubExpr());
  if (const auto* inner = dyn_cast<CXXBindTemporaryExpr>(expression))
    return initialise(place, type, inner->getSubExpr());
  if (const auto* inner = dyn_cast<MaterializeTemporaryExpr>(expression))
    return initialise(place, type, inner->getSubExpr());
  if (const auto* inner = dyn_cast<CXXDefaultInitExpr>(expression)) return initialise(place, type, inner->getExpr());
  if (const auto* inner = dyn_cast<CXXDefaultArgExpr>(expression)) return initialise(place, type, inner->getExpr());
  if (const auto* inner = dyn_cast<PseudoObjectExpr>(expression))
    return initialise(place, type, inner->getResultExpr());
  if (const auto* inner = dyn_cast<ExprWithCleanups>(expression)) return initialise(place, type, inner->getSubExpr());
  if (const auto* list = dyn_cast<InitListExpr>(expression)) return initialise_list(place, type, list);
  if (const auto* made = dyn_cast<CXXConstructExpr>(expression)) return construct(place, made);
  if (isa<ImplicitValueInitExpr>(expression) || isa<CXXScalarValueInitExpr>(expression))
    return thread_.zero(place, type);
  if (const auto* called = dyn_cast<CallExpr>(expression); called && expression->isPRValue()) {
    all_.evaluate_call(called, place);
    return;
  }
  if (const auto* choice = dyn_cast<ConditionalOperator>(expression)) {
    const Value condition = all_.evaluate(choice->getCond());
    const bool holds = !condition.is_integer() || condition.integer != 0;
    return initialise(place, type, holds ? choice->getTrueExpr() : choice->getFalseExpr());
  }
  if (const auto* loop = dyn_cast<ArrayInitLoopExpr>(expression))
    return thread_.copy(all_.place_of(loop->getCommonExpr()->getSourceExpr()), place, thread_.size_of(type));
  if (const auto* lambda = dyn_cast<LambdaExpr>(expression)) {
    auto capture = lambda->capture_init_begin();
    for (const FieldDecl* field : lambda->getLambdaClass()->fields()) {
      Pointer part = place;
      part.offset += thread_.offset_of(field);
      if (capture != lambda->capture_init_end()) initialise(part, field->getType(), *capture++);
    }
    return;
  }
  if (const auto* cast = dyn_cast<CastExpr>(expression)) {
    if (cast->getSubExpr()->isPRValue() && cast->getSubExpr()->getType()->isRecordType())
      return initialise(place, cast->getSubExpr()->getType(), cast->getSubExpr());
    if (cast->getSubExpr()->isPRValue()) return;  // a converted scalar, whose value is not tracked
    return thread_.copy(all_.place_of(cast), place, thread_.size_of(type));
  }
  if (expression->isGLValue()) thread_.copy(all_.place_of(expression), place, thread_.size_of(type));
}

void Initialiser::construct(const Pointer& place, const CXXConstructExpr* expression) {
  const CXXConstructorDecl* constructor = expression->getConstructor();
  if (const auto* array = thread_.context.getAsConstantArrayType(expression->getType())) {
    const int64_t count = std::min<int64_t>(array->getSize().getLimitedValue(), 16);
    if (constructor->isTrivial()) return;
    for (int64_t i = 0; i < count; ++i)
      all_.call(constructor, thread_.element(place, integer(i), array->getElementType()), {}, expression, Pointer());
    return;
  }
  if (constructor->isCopyOrMoveConstructor() && expression->getNumArgs() >= 1) {
    const Expr* from = expression->getArg(0);
    if (from->isPRValue()) return initialise(place, expression->getType(), from);
    if (const auto* made = dyn_cast<MaterializeTemporaryExpr>(from->IgnoreParens()))
      return initialise(place, expression->getType(), made->getSubExpr());
    return thread_.copy(all_.place_of(from), place, thread_.size_of(expression->getType()));
  }
  if (expression->requiresZeroInitialization()) thread_.zero(place, expression->getType());
  if (constructor->isTrivial()) return;
  Arguments arguments;
  for (const Expr* each : expression->arguments()) arguments.push_back(each);
  all_.call(constructor, place, arguments, expression, Pointer());
}

}  // namespace pallasgen::vet
