#include <clang/AST/ExprConcepts.h>
#include <clang/AST/RecordLayout.h>

#include "interpreter.h"

// Evaluates expressions.
namespace pallasgen::vet {

using namespace clang;

Value Expressions::evaluate(const Expr* expression) {
  if (!expression || thread_.stopped) return unknown();
  const QualType type = expression->getType();
  if (const auto* inner = dyn_cast<ParenExpr>(expression)) return evaluate(inner->getSubExpr());
  if (const auto* inner = dyn_cast<FullExpr>(expression)) return evaluate(inner->getSubExpr());
  if (const auto* inner = dyn_cast<SubstNonTypeTemplateParmExpr>(expression)) return evaluate(inner->getReplacement());
  if (const auto* inner = dyn_cast<CXXDefaultArgExpr>(expression)) return evaluate(inner->getExpr());
  if (const auto* inner = dyn_cast<CXXDefaultInitExpr>(expression)) return evaluate(inner->getExpr());
  if (const auto* inner = dyn_cast<OpaqueValueExpr>(expression)) {
    if (isa_and_nonnull<ArrayInitLoopExpr>(inner->getSourceExpr())) return unknown();
    return inner->isGLValue() ? thread_.load(all_.place_of(inner), type) : evaluate(inner->getSourceExpr());
  }
  if (const auto* inner = dyn_cast<PseudoObjectExpr>(expression)) return evaluate(inner->getResultExpr());
  if (const auto* inner = dyn_cast<MaterializeTemporaryExpr>(expression)) return evaluate(inner->getSubExpr());
  if (const auto* literal = dyn_cast<IntegerLiteral>(expression))
    return thread_.fit(static_cast<int64_t>(literal->getValue().getLimitedValue()), type);
  if (const auto* literal = dyn_cast<CXXBoolLiteralExpr>(expression)) return integer(literal->getValue());
  if (const auto* literal = dyn_cast<CharacterLiteral>(expression)) return integer(literal->getValue());
  if (isa<CXXNullPtrLiteralExpr>(expression) || isa<GNUNullExpr>(expression)) return integer(0);
  if (isa<ImplicitValueInitExpr>(expression) || isa<CXXScalarValueInitExpr>(expression))
    return type->isIntegralOrEnumerationType() || type->isAnyPointerType() ? integer(0) : unknown();
  if (isa<CXXThisExpr>(expression)) return address(thread_.frame->self);
  if (isa<UnaryExprOrTypeTraitExpr>(expression) || isa<SizeOfPackExpr>(expression) || isa<TypeTraitExpr>(expression) ||
      isa<ConceptSpecializationExpr>(expression) || isa<CXXNoexceptExpr>(expression)) {
    Expr::EvalResult result;
    if (!expression->isValueDependent() && expression->EvaluateAsInt(result, thread_.context))
      return thread_.fit(result.Val.getInt().getExtValue(), type);
    return unknown();
  }
  if (const auto* cast = dyn_cast<CastExpr>(expression)) return evaluate_cast(cast);
  if (const auto* unary = dyn_cast<UnaryOperator>(expression)) return evaluate_unary(unary);
  if (const auto* binary = dyn_cast<BinaryOperator>(expression)) return evaluate_binary(binary);
  if (const auto* choice = dyn_cast<ConditionalOperator>(expression)) {
    const Value condition = evaluate(choice->getCond());
    if (condition.is_integer()) return evaluate(condition.integer ? choice->getTrueExpr() : choice->getFalseExpr());
    const Value holds = evaluate(choice->getTrueExpr()), fails = evaluate(choice->getFalseExpr());
    if (condition.is_known()) return holds;
    if (holds.is_integer() && fails.is_integer() && holds.integer == fails.integer) return holds;
    return holds.is_pointer() ? holds : unknown();
  }
  if (const auto* called = dyn_cast<CallExpr>(expression)) return all_.evaluate_call(called, Pointer());
  if (const auto* list = dyn_cast<InitListExpr>(expression))
    return list->getNumInits() == 1 ? evaluate(list->getInit(0)) : integer(0);
  if (const auto* name = dyn_cast<DeclRefExpr>(expression)) {
    if (const auto* constant = dyn_cast<EnumConstantDecl>(name->getDecl()))
      return integer(constant->getInitVal().getExtValue());
    if (const auto* function = dyn_cast<FunctionDecl>(name->getDecl()))
      return {Value::Kind::function, 0, {}, nullptr, function};
  }
  if (const auto* index = dyn_cast<ArrayInitIndexExpr>(expression); index && !thread_.array_index.empty())
    return integer(thread_.array_index.back());
  if (expression->isGLValue()) return thread_.load(all_.place_of(expression), type);
  if (type->isRecordType()) {
    const Pointer place = thread_.temporary(type);
    all_.initialise(place, type, expression);
    return address(place);
  }
  return unknown();
}

Value Expressions::evaluate_cast(const CastExpr* cast) {
  const Expr* from = cast->getSubExpr();
  switch (cast->getCastKind()) {
    case CK_LValueToRValue: {
      if (const auto* name = dyn_cast<DeclRefExpr>(from->IgnoreParens()))
        if (const auto* variable = dyn_cast<VarDecl>(name->getDecl());
            variable && !variable->isLocalVarDeclOrParm() && variable->getType()->isIntegralOrEnumerationType())
          if (const APValue* value = variable->getInit() ? variable->evaluateValue() : nullptr; value && value->isInt())
            return thread_.fit(value->getInt().getExtValue(), cast->getType());
      return thread_.load(all_.place_of(from), cast->getType());
    }
    case CK_IntegralCast:
    case CK_IntegralToBoolean:
    case CK_BooleanToSignedIntegral: {
      const Value value = evaluate(from);
      if (value.is_pointer()) return cast->getCastKind() == CK_IntegralToBoolean ? integer(1) : value;
      return value.is_integer() ? thread_.fit(value.integer, cast->getType()) : unknown();
    }
    case CK_PointerToBoolean: {
      const Value value = evaluate(from);
      return value.is_integer() ? integer(value.integer != 0) : value.is_known() ? integer(1) : unknown();
    }
    case CK_NullToPointer:
      return integer(0);
    case CK_ArrayToPointerDecay: {
      Pointer place = all_.place_of(from);
      if (!place.object) return unknown();
      if (place.is_exact) {
        place.low = place.offset;
        place.high = place.offset + thread_.size_of(from->getType());
      }
      return address(place);
    }
    case CK_FunctionToPointerDecay:
      return evaluate(from);
    case CK_DerivedToBase:
    case CK_UncheckedDerivedToBase:
    case CK_BaseToDerived: {
      Value value = evaluate(from);
      if (value.is_pointer()) value.pointer.offset += base_offset(cast);
      return value;
    }
    case CK_FloatingCast:
    case CK_FloatingToIntegral:
    case CK_IntegralToFloating:
    case CK_FloatingToBoolean:
      evaluate(from);
      return unknown();
    case CK_ToVoid:
      if (from->isGLValue())
        all_.place_of(from);
      else
        evaluate(from);
      return unknown();
    case CK_ConstructorConversion:
    case CK_UserDefinedConversion:
      return evaluate(from);
    case CK_BitCast: {
      // The dynamic shared memory has the struct type to which the kernel casts it.
      const Value value = evaluate(from);
      const QualType target = cast->getType()->isPointerType() ? cast->getType()->getPointeeType() : cast->getType();
      if (value.is_pointer() && value.pointer.object && value.pointer.object == thread_.shared &&
          value.pointer.offset == 0 && target->isRecordType())
        thread_.shared->type = target;
      return value;
    }
    default:
      return from->isGLValue() && cast->isPRValue() ? thread_.load(all_.place_of(from), cast->getType())
                                                    : evaluate(from);
  }
}

int64_t Expressions::base_offset(const CastExpr* cast) const {
  QualType from = cast->getCastKind() == CK_BaseToDerived ? cast->getType() : cast->getSubExpr()->getType();
  if (from->isPointerType()) from = from->getPointeeType();
  const auto* record = from->getAsCXXRecordDecl();
  int64_t offset = 0;
  for (const CXXBaseSpecifier* base : cast->path()) {
    const auto* next = base->getType()->getAsCXXRecordDecl();
    if (!record || !next || !record->isCompleteDefinition()) return offset;
    offset += thread_.context.getASTRecordLayout(record).getBaseClassOffset(next).getQuantity();
    record = next;
  }
  return cast->getCastKind() == CK_BaseToDerived ? -offset : offset;
}

Value Expressions::evaluate_unary(const UnaryOperator* unary) {
  const QualType type = unary->getType();
  switch (unary->getOpcode()) {
    case UO_AddrOf:
      if (const auto* name = dyn_cast<DeclRefExpr>(unary->getSubExpr()->IgnoreParens()))
        if (const auto* function = dyn_cast<FunctionDecl>(name->getDecl()))
          return {Value::Kind::function, 0, {}, nullptr, function};
      return address(all_.place_of(unary->getSubExpr()));
    case UO_PreInc:
    case UO_PreDec:
    case UO_PostInc:
    case UO_PostDec: {
      const Pointer place = all_.place_of(unary->getSubExpr());
      const Value old = thread_.load(place, unary->getSubExpr()->getType());
      const Value next = arithmetic(thread_, unary->isIncrementOp() ? BO_Add : BO_Sub, old, integer(1), type, type);
      thread_.store(place, unary->getSubExpr()->getType(), next);
      return unary->isPrefix() ? next : old;
    }
    default:
      break;
  }
  const Value value = evaluate(unary->getSubExpr());
  if (unary->getOpcode() == UO_LNot) {
    if (value.is_pointer() || value.kind == Value::Kind::map) return integer(0);
    return value.is_integer() ? integer(!value.integer) : unknown();
  }
  if (unary->getOpcode() == UO_Extension || unary->getOpcode() == UO_Plus) return value;
  if (unary->getOpcode() == UO_Deref) return value.is_pointer() ? thread_.load(value.pointer, type) : unknown();
  if (!value.is_integer()) return unknown();
  if (unary->getOpcode() == UO_Minus)
    return thread_.fit(static_cast<int64_t>(-static_cast<uint64_t>(value.integer)), type);
  if (unary->getOpcode() == UO_Not) return thread_.fit(~value.integer, type);
  return unknown();
}

Value Expressions::evaluate_binary(const BinaryOperator* binary) {
  const BinaryOperatorKind code = binary->getOpcode();
  if (code == BO_LAnd || code == BO_LOr) {
    const Value left = evaluate(binary->getLHS());
    const bool decides = code == BO_LOr;
    const auto is_true = [](const Value& value) { return value.is_integer() ? value.integer != 0 : true; };
    if (left.is_known() && is_true(left) == decides) return integer(decides);
    const Value right = evaluate(binary->getRHS());
    if (right.is_known() && is_true(right) == decides) return integer(decides);
    return left.is_known() && right.is_known() ? integer(!decides) : unknown();
  }
  if (code == BO_Comma) {
    if (binary->getLHS()->isGLValue())
      all_.place_of(binary->getLHS());
    else
      evaluate(binary->getLHS());
    return evaluate(binary->getRHS());
  }
  if (binary->isAssignmentOp()) {
    all_.place_of(binary);
    return unknown();
  }
  const Value left = evaluate(binary->getLHS()), right = evaluate(binary->getRHS());
  return arithmetic(thread_, code, left, right, binary->getLHS()->getType(), binary->getType());
}

}  // namespace pallasgen::vet
