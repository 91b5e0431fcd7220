#include <clang/AST/ExprConcepts.h>
#include <clang/AST/RecordLayout.h>

#include "interpreter.h"

// What expressions come to.
namespace pallasgen::vet {

using namespace clang;

int64_t Interpreter::size_of(QualType type) const {
  type = type.getNonReferenceType();
  const auto known = sizes_.find(type.getTypePtr());
  if (known != sizes_.end()) return known->second;
  if (type->isIncompleteType() || type->isFunctionType() || type->isVoidType()) return 0;
  return sizes_[type.getTypePtr()] = context_.getTypeSizeInChars(type).getQuantity();
}

Value Interpreter::fit(int64_t value, QualType type) const {
  if (type->isBooleanType()) return integer(value != 0);
  if (!type->isIntegralOrEnumerationType()) return type->isAnyPointerType() ? integer(value) : unknown();
  const int bits = static_cast<int>(context_.getIntWidth(type));
  if (bits >= 64) return integer(value);
  const uint64_t low = static_cast<uint64_t>(value) << (64 - bits);
  if (type->isUnsignedIntegerOrEnumerationType()) return integer(static_cast<int64_t>(low >> (64 - bits)));
  return integer(static_cast<int64_t>(low) >> (64 - bits));
}

Value Interpreter::evaluate(const Expr* expression) {
  if (!expression || stopped_) return unknown();
  const QualType type = expression->getType();
  if (const auto* inner = dyn_cast<ParenExpr>(expression)) return evaluate(inner->getSubExpr());
  if (const auto* inner = dyn_cast<FullExpr>(expression)) return evaluate(inner->getSubExpr());
  if (const auto* inner = dyn_cast<SubstNonTypeTemplateParmExpr>(expression)) return evaluate(inner->getReplacement());
  if (const auto* inner = dyn_cast<CXXDefaultArgExpr>(expression)) return evaluate(inner->getExpr());
  if (const auto* inner = dyn_cast<CXXDefaultInitExpr>(expression)) return evaluate(inner->getExpr());
  if (const auto* inner = dyn_cast<OpaqueValueExpr>(expression)) {
    if (isa_and_nonnull<ArrayInitLoopExpr>(inner->getSourceExpr())) return unknown();
    return inner->isGLValue() ? load(place_of(inner), type) : evaluate(inner->getSourceExpr());
  }
  if (const auto* inner = dyn_cast<PseudoObjectExpr>(expression)) return evaluate(inner->getResultExpr());
  if (const auto* inner = dyn_cast<MaterializeTemporaryExpr>(expression)) return evaluate(inner->getSubExpr());
  if (const auto* literal = dyn_cast<IntegerLiteral>(expression))
    return fit(static_cast<int64_t>(literal->getValue().getLimitedValue()), type);
  if (const auto* literal = dyn_cast<CXXBoolLiteralExpr>(expression)) return integer(literal->getValue());
  if (const auto* literal = dyn_cast<CharacterLiteral>(expression)) return integer(literal->getValue());
  if (isa<CXXNullPtrLiteralExpr>(expression) || isa<GNUNullExpr>(expression)) return integer(0);
  if (isa<ImplicitValueInitExpr>(expression) || isa<CXXScalarValueInitExpr>(expression))
    return type->isIntegralOrEnumerationType() || type->isAnyPointerType() ? integer(0) : unknown();
  if (isa<CXXThisExpr>(expression)) return address(frame_->self);
  if (isa<UnaryExprOrTypeTraitExpr>(expression) || isa<SizeOfPackExpr>(expression) || isa<TypeTraitExpr>(expression) ||
      isa<ConceptSpecializationExpr>(expression) || isa<CXXNoexceptExpr>(expression)) {
    Expr::EvalResult result;
    if (!expression->isValueDependent() && expression->EvaluateAsInt(result, context_))
      return fit(result.Val.getInt().getExtValue(), type);
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
  if (const auto* called = dyn_cast<CallExpr>(expression)) return evaluate_call(called, Pointer());
  if (const auto* list = dyn_cast<InitListExpr>(expression))
    return list->getNumInits() == 1 ? evaluate(list->getInit(0)) : integer(0);
  if (const auto* name = dyn_cast<DeclRefExpr>(expression)) {
    if (const auto* constant = dyn_cast<EnumConstantDecl>(name->getDecl()))
      return integer(constant->getInitVal().getExtValue());
    if (const auto* function = dyn_cast<FunctionDecl>(name->getDecl()))
      return {Value::Kind::function, 0, {}, nullptr, function};
  }
  if (const auto* index = dyn_cast<ArrayInitIndexExpr>(expression); index && !array_index_.empty())
    return integer(array_index_.back());
  if (expression->isGLValue()) return load(place_of(expression), type);
  if (type->isRecordType()) {
    const Pointer place = temporary(type);
    initialise(place, type, expression);
    return address(place);
  }
  return unknown();
}

Value Interpreter::evaluate_cast(const CastExpr* cast) {
  const Expr* from = cast->getSubExpr();
  switch (cast->getCastKind()) {
    case CK_LValueToRValue: {
      if (const auto* name = dyn_cast<DeclRefExpr>(from->IgnoreParens()))
        if (const auto* variable = dyn_cast<VarDecl>(name->getDecl());
            variable && !variable->isLocalVarDeclOrParm() && variable->getType()->isIntegralOrEnumerationType())
          if (const APValue* value = variable->getInit() ? variable->evaluateValue() : nullptr; value && value->isInt())
            return fit(value->getInt().getExtValue(), cast->getType());
      return load(place_of(from), cast->getType());
    }
    case CK_IntegralCast:
    case CK_IntegralToBoolean:
    case CK_BooleanToSignedIntegral: {
      const Value value = evaluate(from);
      if (value.is_pointer()) return cast->getCastKind() == CK_IntegralToBoolean ? integer(1) : value;
      return value.is_integer() ? fit(value.integer, cast->getType()) : unknown();
    }
    case CK_PointerToBoolean: {
      const Value value = evaluate(from);
      return value.is_integer() ? integer(value.integer != 0) : value.is_known() ? integer(1) : unknown();
    }
    case CK_NullToPointer:
      return integer(0);
    case CK_ArrayToPointerDecay: {
      Pointer place = place_of(from);
      if (!place.object) return unknown();
      if (place.is_exact) {
        place.low = place.offset;
        place.high = place.offset + size_of(from->getType());
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
        place_of(from);
      else
        evaluate(from);
      return unknown();
    case CK_ConstructorConversion:
    case CK_UserDefinedConversion:
      return evaluate(from);
    case CK_BitCast: {
      // The dynamic shared memory is seen as the struct that it is cast to.
      const Value value = evaluate(from);
      const QualType target = cast->getType()->isPointerType() ? cast->getType()->getPointeeType() : cast->getType();
      if (value.is_pointer() && value.pointer.object && value.pointer.object == shared && value.pointer.offset == 0 &&
          target->isRecordType())
        shared->type = target;
      return value;
    }
    default:
      return from->isGLValue() && cast->isPRValue() ? load(place_of(from), cast->getType()) : evaluate(from);
  }
}

int64_t Interpreter::base_offset(const CastExpr* cast) const {
  QualType from = cast->getCastKind() == CK_BaseToDerived ? cast->getType() : cast->getSubExpr()->getType();
  if (from->isPointerType()) from = from->getPointeeType();
  const auto* record = from->getAsCXXRecordDecl();
  int64_t offset = 0;
  for (const CXXBaseSpecifier* base : cast->path()) {
    const auto* next = base->getType()->getAsCXXRecordDecl();
    if (!record || !next || !record->isCompleteDefinition()) return offset;
    offset += context_.getASTRecordLayout(record).getBaseClassOffset(next).getQuantity();
    record = next;
  }
  return cast->getCastKind() == CK_BaseToDerived ? -offset : offset;
}

Value Interpreter::evaluate_unary(const UnaryOperator* unary) {
  const QualType type = unary->getType();
  switch (unary->getOpcode()) {
    case UO_AddrOf:
      if (const auto* name = dyn_cast<DeclRefExpr>(unary->getSubExpr()->IgnoreParens()))
        if (const auto* function = dyn_cast<FunctionDecl>(name->getDecl()))
          return {Value::Kind::function, 0, {}, nullptr, function};
      return address(place_of(unary->getSubExpr()));
    case UO_PreInc:
    case UO_PreDec:
    case UO_PostInc:
    case UO_PostDec: {
      const Pointer place = place_of(unary->getSubExpr());
      const Value old = load(place, unary->getSubExpr()->getType());
      const Value next = arithmetic(unary->isIncrementOp() ? BO_Add : BO_Sub, old, integer(1), type, type);
      store(place, unary->getSubExpr()->getType(), next);
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
  if (unary->getOpcode() == UO_Deref) return value.is_pointer() ? load(value.pointer, type) : unknown();
  if (!value.is_integer()) return unknown();
  if (unary->getOpcode() == UO_Minus) return fit(static_cast<int64_t>(-static_cast<uint64_t>(value.integer)), type);
  if (unary->getOpcode() == UO_Not) return fit(~value.integer, type);
  return unknown();
}

Value Interpreter::evaluate_binary(const BinaryOperator* binary) {
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
      place_of(binary->getLHS());
    else
      evaluate(binary->getLHS());
    return evaluate(binary->getRHS());
  }
  if (binary->isAssignmentOp()) {
    place_of(binary);
    return unknown();
  }
  const Value left = evaluate(binary->getLHS()), right = evaluate(binary->getRHS());
  return arithmetic(code, left, right, binary->getLHS()->getType(), binary->getType());
}

Value Interpreter::arithmetic(BinaryOperatorKind code, const Value& left, const Value& right, QualType operands,
                              QualType result) {
  if (operands->isAnyPointerType() || result->isAnyPointerType() || left.is_pointer() || right.is_pointer()) {
    const Value& base = left.is_pointer() ? left : right;
    const Value& other = left.is_pointer() ? right : left;
    if (!base.is_pointer()) return unknown();
    if (BinaryOperator::isComparisonOp(code)) {
      if (other.is_pointer() && other.pointer.object == base.pointer.object && other.pointer.is_exact &&
          base.pointer.is_exact)
        return arithmetic(code, integer(left.pointer.offset), integer(right.pointer.offset), context_.LongTy, result);
      if (code == BO_EQ || code == BO_NE) return integer(code == BO_NE);
      return unknown();
    }
    if (other.is_pointer()) return unknown();
    if (code == BO_Rem) return integer(0);  // arrays of the caller are aligned, and tiles
    if (code != BO_Add && code != BO_Sub) return base.pointer.object ? base : unknown();
    const QualType type = result->isAnyPointerType() ? result->getPointeeType() : context_.CharTy;
    Value by = other;
    if (by.is_integer() && code == BO_Sub) by.integer = -by.integer;
    Pointer moved = element(base.pointer, by, type);
    moved.low = base.pointer.low;
    moved.high = base.pointer.high;
    return address(moved);
  }
  if (!left.is_integer() || !right.is_integer() || !operands->isIntegralOrEnumerationType()) return unknown();
  const int64_t a = left.integer, b = right.integer;
  const uint64_t ua = static_cast<uint64_t>(a), ub = static_cast<uint64_t>(b);
  const bool is_unsigned = operands->isUnsignedIntegerOrEnumerationType();
  switch (code) {
    case BO_Add:
      return fit(static_cast<int64_t>(ua + ub), result);
    case BO_Sub:
      return fit(static_cast<int64_t>(ua - ub), result);
    case BO_Mul:
      return fit(static_cast<int64_t>(ua * ub), result);
    case BO_Div:
      if (b == 0 || (a == INT64_MIN && b == -1)) return unknown();
      return fit(is_unsigned ? static_cast<int64_t>(ua / ub) : a / b, result);
    case BO_Rem:
      if (b == 0 || (a == INT64_MIN && b == -1)) return unknown();
      return fit(is_unsigned ? static_cast<int64_t>(ua % ub) : a % b, result);
    case BO_Shl:
      return b < 0 || b > 63 ? unknown() : fit(static_cast<int64_t>(ua << b), result);
    case BO_Shr:
      return b < 0 || b > 63 ? unknown() : fit(is_unsigned ? static_cast<int64_t>(ua >> b) : a >> b, result);
    case BO_And:
      return fit(a & b, result);
    case BO_Or:
      return fit(a | b, result);
    case BO_Xor:
      return fit(a ^ b, result);
    case BO_EQ:
      return integer(a == b);
    case BO_NE:
      return integer(a != b);
    case BO_LT:
      return integer(is_unsigned ? ua < ub : a < b);
    case BO_LE:
      return integer(is_unsigned ? ua <= ub : a <= b);
    case BO_GT:
      return integer(is_unsigned ? ua > ub : a > b);
    case BO_GE:
      return integer(is_unsigned ? ua >= ub : a >= b);
    default:
      return unknown();
  }
}

}  // namespace pallasgen::vet
