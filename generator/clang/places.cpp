#include <clang/AST/RecordLayout.h>

#include "interpreter.h"

// Where things are, and what is read and written there.
namespace pallasgen::vet {

using namespace clang;

namespace {

constexpr int64_t kGlobalStep = 96;  // entry i of an array of integers of the caller is taken to be i times this

}  // namespace

Object* Interpreter::make_object(Object::Kind kind, QualType type, StringRef name) {
  std::deque<Object>& where = kind == Object::Kind::local && frame_ ? objects_ : kept_;
  where.push_back({});
  Object& object = where.back();
  object.kind = kind;
  object.type = type;
  object.name = name.str();
  object.size = type.isNull() ? 0 : size_of(type);
  return &object;
}

void Interpreter::forget_objects() { objects_.clear(); }

Pointer Interpreter::temporary(QualType type) { return whole(make_object(Object::Kind::local, type)); }

int64_t Interpreter::offset_of(const FieldDecl* field) const {
  return context_.toCharUnitsFromBits(static_cast<int64_t>(context_.getFieldOffset(field))).getQuantity();
}

void Interpreter::use(const Pointer& place) {
  const Object* object = place.object;
  if (!object || object->kind != Object::Kind::local || object->busy_until <= finished_) return;
  busy_uses.push_back({at_, object->busy_since, object->is_written});
}

Value Interpreter::load(const Pointer& place, QualType type) {
  if (!place.object) return unknown();
  use(place);
  if (type->isRecordType() || type->isArrayType()) return address(place);
  Object& object = *place.object;
  if (object.kind == Object::Kind::shared) {
    Pointer read = place;
    if (place.is_exact) {
      read.low = place.offset;
      read.high = place.offset + size_of(type);
    }
    note(Verb::shared_read, read);
    return unknown();
  }
  if (!place.is_exact) return unknown();
  if (object.kind == Object::Kind::global) {
    const int64_t size = size_of(type);
    if (!type->isIntegralOrEnumerationType() || size < 4) return unknown();
    return integer(place.offset / size * kGlobalStep);
  }
  const Value* found = object.cells.find(place.offset);
  return found ? *found : unknown();
}

void Interpreter::store(const Pointer& place, QualType type, const Value& value) {
  if (!place.object) return;
  use(place);
  Object& object = *place.object;
  if (object.kind == Object::Kind::shared) {
    Pointer written = place;
    if (place.is_exact) {
      written.low = place.offset;
      written.high = place.offset + size_of(type);
    }
    note(Verb::shared_write, written);
  }
  if (object.kind != Object::Kind::local) return;
  if (!place.is_exact)
    object.cells.erase(place.low, place.high);
  else if (value.is_known())
    object.cells.set(place.offset, value);
  else
    object.cells.erase(place.offset, place.offset + 1);
}

void Interpreter::copy(const Pointer& from, const Pointer& to, int64_t size) {
  if (!to.object) return;
  for (const auto& [place, verb] : {std::pair(from, Verb::shared_read), std::pair(to, Verb::shared_write)}) {
    use(place);
    if (!place.object || place.object->kind != Object::Kind::shared) continue;
    Pointer touched = place;
    if (place.is_exact) {
      touched.low = place.offset;
      touched.high = place.offset + size;
    }
    note(verb, touched);
  }
  if (to.object->kind != Object::Kind::local) return;
  if (from.object && from.is_exact)
    to.object->cells.take(from.object->cells, from.offset, to.offset, size);
  else
    to.object->cells.erase(to.offset, to.offset + size);
}

// Element `index` of what `base` points to.
Pointer Interpreter::element(const Pointer& base, const Value& index, QualType type) {
  Pointer place = base;
  const int64_t size = size_of(type);
  if (!index.is_integer()) {
    place.is_exact = false;
  } else if (place.is_exact) {
    place.offset += index.integer * size;
    if (type->isArrayType()) {
      place.low = place.offset;
      place.high = place.offset + size;
    }
  }
  return place;
}

Pointer Interpreter::place_of(const Expr* expression) {
  if (!expression || stopped_) return {};
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
    const Pointer place = temporary(expression->getType());
    initialise(place, expression->getType(), expression);
    return place;
  }
  if (const auto* name = dyn_cast<DeclRefExpr>(expression)) {
    const auto* variable = dyn_cast<VarDecl>(name->getDecl());
    if (!variable) return {};
    if (const auto found = frame_->variables.find(variable); found != frame_->variables.end()) return found->second;
    if (variable->hasAttr<CUDASharedAttr>()) {
      if (variable->hasExternalStorage()) return shared ? whole(shared) : Pointer();
      auto& place = globals_[variable];
      if (!place.object) place = whole(make_object(Object::Kind::shared, variable->getType(), variable->getName()));
      return place;
    }
    if (const auto* method = dyn_cast_or_null<CXXMethodDecl>(frame_->function);
        method && method->getParent()->isLambda()) {
      llvm::DenseMap<const ValueDecl*, FieldDecl*> captures;
      FieldDecl* this_capture = nullptr;
      method->getParent()->getCaptureFields(captures, this_capture);
      if (const auto found = captures.find(variable); found != captures.end() && frame_->self.object) {
        Pointer place = frame_->self;
        place.offset += offset_of(found->second);
        if (!found->second->getType()->isReferenceType()) return place;
        const Value target = load(place, context_.VoidPtrTy);
        return target.is_pointer() ? target.pointer : Pointer();
      }
    }
    auto& place = globals_[variable];
    if (!place.object && variable->getInit() && (variable->isConstexpr() || variable->getType().isConstQualified())) {
      Object* object = make_object(Object::Kind::local, variable->getType());
      kept_.push_back(*object);
      place = whole(&kept_.back());
      const Pointer target = place;
      initialise(target, variable->getType(), variable->getInit());
      return target;
    }
    return place;
  }
  if (const auto* member = dyn_cast<MemberExpr>(expression)) {
    if (const auto* variable = dyn_cast<VarDecl>(member->getMemberDecl())) {
      Object* object = make_object(Object::Kind::local, type);
      if (const APValue* value = variable->getInit() ? variable->evaluateValue() : nullptr; value && value->isInt())
        object->cells.set(0, integer(value->getInt().getExtValue()));
      return whole(object);
    }
    const auto* field = dyn_cast<FieldDecl>(member->getMemberDecl());
    Pointer place;
    if (member->isArrow()) {
      const Value base = evaluate(member->getBase());
      if (base.is_pointer()) place = base.pointer;
    } else {
      place = place_of(member->getBase());
    }
    if (!field || !place.object) return {};
    if (place.is_exact) place.offset += offset_of(field);
    if (field->getType()->isReferenceType()) {
      const Value target = load(place, context_.VoidPtrTy);
      return target.is_pointer() ? target.pointer : Pointer();
    }
    if (place.is_exact) {
      place.low = place.offset;
      place.high = place.offset + size_of(type);
    }
    return place;
  }
  if (const auto* subscript = dyn_cast<ArraySubscriptExpr>(expression)) {
    const Value base = evaluate(subscript->getBase()), index = evaluate(subscript->getIdx());
    return base.is_pointer() ? element(base.pointer, index, type) : Pointer();
  }
  if (const auto* unary = dyn_cast<UnaryOperator>(expression)) {
    if (unary->getOpcode() == UO_Deref) {
      const Value base = evaluate(unary->getSubExpr());
      return base.is_pointer() ? base.pointer : Pointer();
    }
    if (unary->isIncrementDecrementOp()) {
      const Pointer place = place_of(unary->getSubExpr());
      evaluate_unary(unary);
      return place;
    }
    return place_of(unary->getSubExpr());
  }
  if (const auto* binary = dyn_cast<BinaryOperator>(expression)) {
    if (binary->getOpcode() == BO_Comma) {
      evaluate(binary->getLHS());
      return place_of(binary->getRHS());
    }
    if (!binary->isAssignmentOp()) return {};
    const QualType left = binary->getLHS()->getType();
    Value value = evaluate(binary->getRHS());
    const Pointer place = place_of(binary->getLHS());
    if (const auto* compound = dyn_cast<CompoundAssignOperator>(binary)) {
      const QualType computed = compound->getComputationLHSType();
      value = arithmetic(BinaryOperator::getOpForCompoundAssignment(binary->getOpcode()), load(place, left), value,
                         computed, compound->getComputationResultType());
      if (value.is_integer()) value = fit(value.integer, left);
    }
    store(place, left, value);
    return place;
  }
  if (const auto* cast = dyn_cast<CastExpr>(expression)) {
    Pointer place = place_of(cast->getSubExpr());
    if (cast->getCastKind() == CK_DerivedToBase || cast->getCastKind() == CK_UncheckedDerivedToBase ||
        cast->getCastKind() == CK_BaseToDerived)
      place.offset += base_offset(cast);
    return place;
  }
  if (const auto* choice = dyn_cast<ConditionalOperator>(expression)) {
    const Value condition = evaluate(choice->getCond());
    const bool holds = !condition.is_integer() || condition.integer != 0;
    return place_of(holds ? choice->getTrueExpr() : choice->getFalseExpr());
  }
  if (const auto* called = dyn_cast<CallExpr>(expression)) {
    const Value result = evaluate_call(called, Pointer());
    return result.is_pointer() ? result.pointer : Pointer();
  }
  return {};
}

}  // namespace pallasgen::vet
