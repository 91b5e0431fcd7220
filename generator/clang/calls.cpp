#include <clang/AST/DeclTemplate.h>
#include <clang/AST/RecordLayout.h>
#include <clang/Basic/SourceManager.h>

#include "interpreter.h"

// Executes calls: those with a declared meaning become events, the bodies of others are executed.
namespace pallasgen::vet {

using namespace clang;

namespace {

constexpr int kDeepest = 60;

// True if values of the type are registers of a thread: the record contains nothing but arrays.
bool is_fragment(QualType type) {
  const auto* record = type->getAsCXXRecordDecl();
  if (!record || !record->isCompleteDefinition() || record->field_empty()) return false;
  for (const FieldDecl* field : record->fields())
    if (!field->getType()->isArrayType()) return false;
  return record->getNumBases() == 0;
}

}  // namespace

// Evaluates the language's own functions for threads of a kernel. True if the function is one of these.
bool Calls::builtin(const FunctionDecl* function, Value& value) {
  if (!function->getDeclName().isIdentifier()) return false;
  const StringRef name = function->getName();
  if (name == "__syncthreads") {
    thread_.note(Verb::cta_sync, Pointer());
    return true;
  }
  if (name == "__syncwarp") {
    thread_.note(Verb::warp_sync, Pointer());
    return true;
  }
  if (!name.starts_with("__fetch_builtin_")) return false;
  const auto* method = dyn_cast<CXXMethodDecl>(function);
  const StringRef of = method ? method->getParent()->getName() : "";
  const bool is_x = name.ends_with("_x"), is_y = name.ends_with("_y");
  const int64_t of_row = std::max<int64_t>(1, thread_.threads / thread_.programs);
  if (of.contains("threadIdx"))
    value = integer(is_x ? thread_.index % of_row : is_y ? thread_.index / of_row : 0);
  else if (of.contains("blockIdx"))
    value = integer(0);
  else if (of.contains("blockDim"))
    value = integer(is_x ? of_row : is_y ? thread_.programs : 1);
  else
    value = integer(1);
  return true;
}

Value Calls::evaluate_call(const CallExpr* called, const Pointer& result) {
  const FunctionDecl* function = called->getDirectCallee();
  Arguments arguments;
  for (const Expr* each : called->arguments()) arguments.push_back(each);
  Pointer self;
  if (const auto* member = dyn_cast<CXXMemberCallExpr>(called)) {
    const Expr* object = member->getImplicitObjectArgument();
    if (object && object->getType()->isPointerType()) {
      const Value base = all_.evaluate(object);
      if (base.is_pointer()) self = base.pointer;
    } else if (object) {
      self = all_.place_of(object);
    }
  } else if (isa<CXXOperatorCallExpr>(called)) {
    if (const auto* method = dyn_cast_or_null<CXXMethodDecl>(function); method && !method->isStatic()) {
      self = all_.place_of(arguments[0]);
      arguments.erase(arguments.begin());
      if ((method->isCopyAssignmentOperator() || method->isMoveAssignmentOperator()) && method->isDefaulted()) {
        thread_.copy(all_.place_of(arguments[0]), self, thread_.size_of(arguments[0]->getType()));
        return address(self);
      }
    }
  }
  if (!function) {
    for (const Expr* each : arguments) all_.evaluate(each);
    return unknown();
  }
  return call(function, self, arguments, called, result);
}

Value Calls::call(const FunctionDecl* function, const Pointer& self, const Arguments& arguments, const Expr* at,
                  const Pointer& result) {
  if (thread_.stopped) return unknown();
  const SourceLocation outer = thread_.at;
  thread_.at = thread_.main_place(at);
  Value value;
  if (builtin(function, value)) {
    thread_.at = outer;
    return value;
  }
  const Meaning meaning = thread_.effects.of(*function);
  const FunctionDecl* definition = nullptr;
  function->hasBody(definition);
  const QualType returned = function->getReturnType();
  const bool is_ours = definition && thread_.is_of_file(definition);
  // A function that only computes in registers, with a result whose value is not tracked.
  const bool is_skipped =
      meaning.verb.empty() && (!definition || (!is_ours && !thread_.effects.any(definition) &&
                                               (returned->isFloatingType() || is_fragment(returned) ||
                                                (returned->isVoidType() && !isa<CXXMethodDecl>(function)))));
  Frame frame;
  frame.function = definition ? definition : function;
  frame.self = self;
  frame.result_place = result;
  if (!result.object && returned->isRecordType()) frame.result_place = thread_.temporary(returned);
  std::vector<Value> values;
  for (unsigned i = 0; i < function->getNumParams() && i < arguments.size(); ++i) {
    const ParmVarDecl* parameter = frame.function->getParamDecl(i);
    const QualType type = parameter->getType();
    if (type->isReferenceType()) {
      const Pointer place = all_.place_of(arguments[i]);
      frame.variables[parameter] = place;
      values.push_back(place.object ? address(place) : unknown());
      if (is_skipped) thread_.use(place);
      if (is_skipped && place.object && place.object->kind == Object::Kind::local &&
          !type->getPointeeType().isConstQualified())
        place.object->cells.erase(place.offset, place.offset + thread_.size_of(type->getPointeeType()));
      continue;
    }
    Object* object = thread_.make_object(Object::Kind::local, type);
    const Pointer place = thread_.whole(object);
    frame.variables[parameter] = place;
    if (type->isRecordType()) {
      all_.initialise(place, type, arguments[i]);
      values.push_back(address(place));
    } else {
      const Value given = all_.evaluate(arguments[i]);
      if (given.is_known()) object->cells.set(0, given);
      values.push_back(given);
    }
  }
  for (size_t i = function->getNumParams(); i < arguments.size(); ++i) all_.evaluate(arguments[i]);
  if (!meaning.verb.empty()) {
    value = all_.perform(frame.function, meaning, values, frame.result_place);
  } else if (is_skipped) {
    thread_.use(self);
    // A function without a known body may read the memory of its arguments.
    if (!definition)
      for (const Value& each : values)
        if (each.is_pointer() && each.pointer.object && each.pointer.object->kind == Object::Kind::shared)
          thread_.note(Verb::shared_read, each.pointer);
  } else if (++thread_.depth > kDeepest) {
    thread_.not_followed = "its functions call each other too deeply";
    thread_.stopped = true;
  } else {
    Frame* const caller = thread_.frame;
    if (is_ours && thread_.depth == 1 && thread_.role.empty() && thread_.effects.any(definition))
      thread_.role = function->getNameAsString();
    thread_.frame = &frame;
    if (const auto* constructor = dyn_cast<CXXConstructorDecl>(definition)) {
      for (const CXXCtorInitializer* each : constructor->inits()) {
        Pointer part = self;
        QualType type;
        if (each->isAnyMemberInitializer()) {
          part.offset += thread_.offset_of(each->getAnyMember());
          type = each->getAnyMember()->getType();
        } else if (each->isBaseInitializer()) {
          type = QualType(each->getBaseClass(), 0);
          part.offset += thread_.context.getASTRecordLayout(constructor->getParent())
                             .getBaseClassOffset(type->getAsCXXRecordDecl())
                             .getQuantity();
        } else {
          type = thread_.context.getRecordType(constructor->getParent());
        }
        all_.initialise(part, type, each->getInit());
      }
    }
    all_.execute(definition->getBody());
    thread_.frame = caller;
    --thread_.depth;
    value = frame.result;
    if (returned->isRecordType()) value = address(frame.result_place);
  }
  thread_.at = outer;
  return value;
}

}  // namespace pallasgen::vet
