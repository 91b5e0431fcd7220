#include <clang/AST/RecordLayout.h>

#include "interpreter.h"

// Evaluates expressions to places in memory.
namespace pallasgen::vet {

using namespace clang;

Pointer Places::place_of(const Expr* expression) {
  if (!expression || thread_.stopped) return {};
  const QualType type = expression->getType();
  if (const auto* inner = dyn_cast<ParenExpr>(expression)) return place_of(inner->getSubExpr());
  if (const auto* inner = dyn_cast<FullExpr>(expression)) return place_of(inner->getSubExpr());
  if (const auto* inner = dyn_cast<SubstNonTypeTemplateParmExpr>(expression)) return place_of(inner->getReplacement());
  if (const auto* inner = dyn_cast<CXXDefaultArgExpr>(expression)) return place_of(inner->getExpr());
  if (const auto* inner = dyn_cast<CXXDefaultInitExpr>(expression)) return place_of(inner->getExpr());
  if (const auto* inner = dyn_cast<OpaqueValueExpr>(expression)) return place_of(inner->getSourceExpr());
  if (const auto* inner = dyn_cast<PseudoObjectExpr>(expression)) return place_of(inner->getResultExpr());
  if (expression->isPRValue() || isa<MaterializeTemporaryExpr>(expression)) {
    if (const auto* made = dyn_cast<MaterializeTemporaryExpr>(expression)) expression = made->getSubExpr();
    const Pointer place = thread_.temporary(expression->getType());
    all_.initialise(place, expression->getType(), expression);
    return place;
  }
  if (const auto* name = dyn_cast<DeclRefExpr>(expression)) {
    const auto* variable = dyn_cast<VarDecl>(name->getDecl());
    if (!variable) return {};
    if (const auto found = thread_.frame->variables.find(variable); found != thread_.frame->variables.end())
      return found->second;
    if (variable->hasAttr<CUDASharedAttr>()) {
      if (variable->hasExternalStorage()) return thread_.shared ? thread_.whole(thread_.shared) : Pointer();
      auto& place = thread_.globals[variable];
      if (!place.object)
        place = thread_.whole(thread_.make_object(Object::Kind::shared, variable->getType(), variable->getName()));
      return place;
    }
    if (const auto* method = dyn_cast_or_null<CXXMethodDecl>(thread_.frame->function);
        method && method->getParent()->isLambda()) {
      llvm::DenseMap<const ValueDecl*, FieldDecl*> captures;
      FieldDecl* this_capture = nullptr;
      method->getParent()->getCaptureFields(captures, this_capture);
      if (const auto found = captures.find(variable); found != captures.end() && thread_.frame->self.object) {
        Pointer place = thread_.frame->self;
        place.offset += thread_.offset_of(found->second);
        if (!found->second->getType()->isReferenceType()) return place;
        const Value target = thread_.load(place, thread_.context.VoidPtrTy);
        return target.is_pointer() ? target.pointer : Pointer();
      }
    }
    auto& place = thread_.globals[variable];
    if (!place.object && variable->getInit() && (variable->isConstexpr() || variable->getType().isConstQualified())) {
      Object* object = thread_.make_object(Object::Kind::local, variable->getType());
      thread_.kept.push_back(*object);
      place = thread_.whole(&thread_.kept.back());
      const Pointer target = place;
      all_.initialise(target, variable->getType(), variable->getInit());
      return target;
    }
    return place;
  }
  if (const auto* member = dyn_cast<MemberExpr>(expression)) {
    if (const auto* variable = dyn_cast<VarDecl>(member->getMemberDecl())) {
      Object* object = thread_.make_object(Object::Kind::local, type);
      if (const APValue* value = variable->getInit() ? variable->evaluateValue() : nullptr; value && value->isInt())
        object->cells.set(0, integer(value->getInt().getExtValue()));
      return thread_.whole(object);
    }
    const auto* field = dyn_cast<FieldDecl>(member->getMemberDecl());
    Pointer place;
    if (member->isArrow()) {
      const Value base = all_.evaluate(member->getBase());
      if (base.is_pointer()) place = base.pointer;
    } else {
      place = place_of(member->getBase());
    }
    if (!field || !place.object) return {};
    if (place.is_exact) place.offset += thread_.offset_of(field);
    if (field->getType()->isReferenceType()) {
      const Value target = thread_.load(place, thread_.context.VoidPtrTy);
      return target.is_pointer() ? target.pointer : Pointer();
    }
    if (place.is_exact) {
      place.low = place.offset;
      place.high = place.offset + thread_.size_of(type);
    }
    return place;
  }
  if (const auto* subscript = dyn_cast<ArraySubscriptExpr>(expression)) {
    const Value base = all_.evaluate(subscript->getBase()), index = all_.evaluate(subscript->getIdx());
    return base.is_pointer() ? thread_.element(base.pointer, index, type) : Pointer();
  }
  if (const auto* unary = dyn_cast<UnaryOperator>(expression)) {
    if (unary->getOpcode() == UO_Deref) {
      const Value base = all_.evaluate(unary->getSubExpr());
      return base.is_pointer() ? base.pointer : Pointer();
    }
    if (unary->isIncrementDecrementOp()) {
      const Pointer place = place_of(unary->getSubExpr());
      all_.evaluate_unary(unary);
      return place;
    }
    return place_of(unary->getSubExpr());
  }
  if (const auto* binary = dyn_cast<BinaryOperator>(expression)) {
    if (binary->getOpcode() == BO_Comma) {
      all_.evaluate(binary->getLHS());
      return place_of(binary->getRHS());
    }
    if (!binary->isAssignmentOp()) return {};
    const QualType left = binary->getLHS()->getType();
    Value value = all_.evaluate(binary->getRHS());
    const Pointer place = place_of(binary->getLHS());
    if (const auto* compound = dyn_cast<CompoundAssignOperator>(binary)) {
      const QualType computed = compound->getComputationLHSType();
      value = arithmetic(thread_, BinaryOperator::getOpForCompoundAssignment(binary->getOpcode()),
                         thread_.load(place, left), value, computed, compound->getComputationResultType());
      if (value.is_integer()) value = thread_.fit(value.integer, left);
    }
    thread_.store(place, left, value);
    return place;
  }
  if (const auto* cast = dyn_cast<CastExpr>(expression)) {
    Pointer place = place_of(cast->getSubExpr());
    if (cast->getCastKind() == CK_DerivedToBase || cast->getCastKind() == CK_UncheckedDerivedToBase ||
        cast->getCastKind() == CK_BaseToDerived)
      place.offset += all_.base_offset(cast);
    return place;
  }
  if (const auto* choice = dyn_cast<ConditionalOperator>(expression)) {
    const Value condition = all_.evaluate(choice->getCond());
    const bool holds = !condition.is_integer() || condition.integer != 0;
    return place_of(holds ? choice->getTrueExpr() : choice->getFalseExpr());
  }
  if (const auto* called = dyn_cast<CallExpr>(expression)) {
    const Value result = all_.evaluate_call(called, Pointer());
    return result.is_pointer() ? result.pointer : Pointer();
  }
  return {};
}

}  // namespace pallasgen::vet
