#include <clang/AST/DeclTemplate.h>
#include <clang/AST/RecordLayout.h>
#include <clang/Basic/SourceManager.h>
#include <llvm/ADT/StringMap.h>

#include "interpreter.h"

// Calls: those whose meaning the runtime says become events, others are followed.
namespace pallasgen::vet {

using namespace clang;

namespace {

constexpr int kDeepest = 60;

const llvm::StringMap<Verb>& verbs() {
  static const llvm::StringMap<Verb> table = {
      {"barrier_init", Verb::barrier_init},
      {"barrier_init_fence", Verb::barrier_init_fence},
      {"barrier_wait", Verb::barrier_wait},
      {"barrier_arrive", Verb::barrier_arrive},
      {"barrier_expect", Verb::barrier_expect},
      {"barrier_arrive_expect", Verb::barrier_arrive_expect},
      {"copies_arrive", Verb::copies_arrive},
      {"named_sync", Verb::named_sync},
      {"named_arrive", Verb::named_arrive},
      {"warp_sync", Verb::warp_sync},
      {"proxy_fence", Verb::proxy_fence},
      {"tensor_load", Verb::tensor_load},
      {"tensor_store", Verb::tensor_store},
      {"bulk_load", Verb::bulk_load},
      {"bulk_copy", Verb::bulk_copy},
      {"bulk_commit", Verb::bulk_commit},
      {"bulk_wait", Verb::bulk_wait},
      {"bulk_wait_read", Verb::bulk_wait_read},
      {"async_copy", Verb::async_copy},
      {"async_commit", Verb::async_commit},
      {"async_wait", Verb::async_wait},
      {"shared_read", Verb::shared_read},
      {"shared_write", Verb::shared_write},
      {"wgmma_fence", Verb::wgmma_fence},
      {"wgmma", Verb::wgmma},
      {"wgmma_commit", Verb::wgmma_commit},
      {"wgmma_wait", Verb::wgmma_wait},
      {"registers_up", Verb::registers_up},
      {"registers_down", Verb::registers_down},
  };
  return table;
}

// Whether values of the type are registers of a thread: records of nothing but arrays.
bool is_fragment(QualType type) {
  const auto* record = type->getAsCXXRecordDecl();
  if (!record || !record->isCompleteDefinition() || record->field_empty()) return false;
  for (const FieldDecl* field : record->fields())
    if (!field->getType()->isArrayType()) return false;
  return record->getNumBases() == 0;
}

}  // namespace

SourceLocation Interpreter::main_place(const Stmt* at) {
  if (!frame_ || !is_of_file(frame_->function)) return at_;
  const SourceManager& sources = context_.getSourceManager();
  const SourceLocation place = sources.getExpansionLoc(at->getBeginLoc());
  return sources.isInMainFile(place) ? place : at_;
}

bool Interpreter::is_of_file(const FunctionDecl* function) {
  const auto [known, added] = of_file_.try_emplace(function, false);
  if (added) {
    const SourceManager& sources = context_.getSourceManager();
    known->second = sources.isInMainFile(sources.getExpansionLoc(function->getLocation()));
  }
  return known->second;
}

void Interpreter::note(Verb verb, const Pointer& place, int64_t number, int64_t threads) {
  if (!events.empty()) {
    const Event& last = events.back();
    const bool is_access = verb == Verb::shared_read || verb == Verb::shared_write || verb == Verb::wgmma;
    if (is_access && last.verb == verb && last.at == at_ && last.place.object == place.object &&
        last.place.low == place.low && last.place.high == place.high)
      return;
  }
  Event event;
  event.verb = verb;
  event.at = at_;
  event.place = place;
  event.number = number;
  event.threads = threads;
  events.push_back(event);
}

// What the language itself offers to a kernel's threads. True if the function is one of these.
bool Interpreter::builtin(const FunctionDecl* function, const std::vector<const Expr*>&, Value& value) {
  if (!function->getDeclName().isIdentifier()) return false;
  const StringRef name = function->getName();
  if (name == "__syncthreads") {
    note(Verb::cta_sync, Pointer());
    return true;
  }
  if (name == "__syncwarp") {
    note(Verb::warp_sync, Pointer());
    return true;
  }
  if (!name.starts_with("__fetch_builtin_")) return false;
  const auto* method = dyn_cast<CXXMethodDecl>(function);
  const StringRef of = method ? method->getParent()->getName() : "";
  const bool is_x = name.ends_with("_x");
  if (of.contains("threadIdx"))
    value = integer(is_x ? thread : 0);
  else if (of.contains("blockIdx"))
    value = integer(0);
  else if (of.contains("blockDim"))
    value = integer(is_x ? threads : 1);
  else
    value = integer(1);
  return true;
}

Value Interpreter::evaluate_call(const CallExpr* called, const Pointer& result) {
  const FunctionDecl* function = called->getDirectCallee();
  std::vector<const Expr*> arguments;
  for (const Expr* each : called->arguments()) arguments.push_back(each);
  Pointer self;
  if (const auto* member = dyn_cast<CXXMemberCallExpr>(called)) {
    const Expr* object = member->getImplicitObjectArgument();
    if (object && object->getType()->isPointerType()) {
      const Value base = evaluate(object);
      if (base.is_pointer()) self = base.pointer;
    } else if (object) {
      self = place_of(object);
    }
  } else if (isa<CXXOperatorCallExpr>(called)) {
    if (const auto* method = dyn_cast_or_null<CXXMethodDecl>(function); method && !method->isStatic()) {
      self = place_of(arguments[0]);
      arguments.erase(arguments.begin());
      if ((method->isCopyAssignmentOperator() || method->isMoveAssignmentOperator()) && method->isDefaulted()) {
        copy(place_of(arguments[0]), self, size_of(arguments[0]->getType()));
        return address(self);
      }
    }
  }
  if (!function) {
    for (const Expr* each : arguments) evaluate(each);
    return unknown();
  }
  return call(function, self, arguments, called, result);
}

Value Interpreter::call(const FunctionDecl* function, const Pointer& self, const std::vector<const Expr*>& arguments,
                        const Expr* at, const Pointer& result) {
  if (stopped_) return unknown();
  const SourceLocation outer = at_;
  at_ = main_place(at);
  Value value;
  if (builtin(function, arguments, value)) {
    at_ = outer;
    return value;
  }
  const Meaning meaning = effects_.of(*function);
  const FunctionDecl* definition = nullptr;
  function->hasBody(definition);
  const QualType returned = function->getReturnType();
  const bool is_ours = definition && is_of_file(definition);
  // What computes in registers alone, and whose result nobody follows.
  const bool is_skipped =
      meaning.verb.empty() && (!definition || (!is_ours && !effects_.any(definition) &&
                                               (returned->isFloatingType() || is_fragment(returned) ||
                                                (returned->isVoidType() && !isa<CXXMethodDecl>(function)))));
  Frame frame;
  frame.function = definition ? definition : function;
  frame.self = self;
  frame.result_place = result;
  if (!result.object && returned->isRecordType()) frame.result_place = temporary(returned);
  std::vector<Value> values;
  for (unsigned i = 0; i < function->getNumParams() && i < arguments.size(); ++i) {
    const ParmVarDecl* parameter = frame.function->getParamDecl(i);
    const QualType type = parameter->getType();
    if (type->isReferenceType()) {
      const Pointer place = place_of(arguments[i]);
      frame.variables[parameter] = place;
      values.push_back(place.object ? address(place) : unknown());
      if (is_skipped) use(place);
      if (is_skipped && place.object && place.object->kind == Object::Kind::local &&
          !type->getPointeeType().isConstQualified())
        place.object->cells.erase(place.offset, place.offset + size_of(type->getPointeeType()));
      continue;
    }
    Object* object = make_object(Object::Kind::local, type);
    const Pointer place = whole(object);
    frame.variables[parameter] = place;
    if (type->isRecordType()) {
      initialise(place, type, arguments[i]);
      values.push_back(address(place));
    } else {
      const Value given = evaluate(arguments[i]);
      if (given.is_known()) object->cells.set(0, given);
      values.push_back(given);
    }
  }
  for (size_t i = function->getNumParams(); i < arguments.size(); ++i) evaluate(arguments[i]);
  if (!meaning.verb.empty()) {
    value = perform(frame.function, meaning, frame, values, frame.result_place);
  } else if (is_skipped) {
    use(self);
    // A function that nobody knows the body of may read what it is given.
    if (!definition)
      for (const Value& each : values)
        if (each.is_pointer() && each.pointer.object && each.pointer.object->kind == Object::Kind::shared)
          note(Verb::shared_read, each.pointer);
  } else if (++depth_ > kDeepest) {
    not_followed = "its functions call each other too deeply";
    stopped_ = true;
  } else {
    Frame* const caller = frame_;
    if (is_ours && depth_ == 1 && role.empty() && effects_.any(definition)) role = function->getNameAsString();
    frame_ = &frame;
    if (const auto* constructor = dyn_cast<CXXConstructorDecl>(definition)) {
      for (const CXXCtorInitializer* each : constructor->inits()) {
        Pointer part = self;
        QualType type;
        if (each->isAnyMemberInitializer()) {
          part.offset += offset_of(each->getAnyMember());
          type = each->getAnyMember()->getType();
        } else if (each->isBaseInitializer()) {
          type = QualType(each->getBaseClass(), 0);
          part.offset += context_.getASTRecordLayout(constructor->getParent())
                             .getBaseClassOffset(type->getAsCXXRecordDecl())
                             .getQuantity();
        } else {
          type = context_.getRecordType(constructor->getParent());
        }
        initialise(part, type, each->getInit());
      }
    }
    execute(definition->getBody());
    frame_ = caller;
    --depth_;
    value = frame.result;
    if (returned->isRecordType()) value = address(frame.result_place);
  }
  at_ = outer;
  return value;
}

Value Interpreter::perform(const FunctionDecl* function, const Meaning& meaning, const Frame&,
                           const std::vector<Value>& values, const Pointer& result) {
  // The value of an operand, by the name of its parameter or template parameter.
  const auto operand = [&](size_t which) -> Value {
    if (which >= meaning.operands.size()) return unknown();
    const std::string& name = meaning.operands[which];
    for (unsigned i = 0; i < function->getNumParams() && i < values.size(); ++i)
      if (function->getParamDecl(i)->getName() == name) return values[i];
    if (const FunctionTemplateDecl* made_from = function->getPrimaryTemplate()) {
      const TemplateParameterList* parameters = made_from->getTemplateParameters();
      const TemplateArgumentList* given = function->getTemplateSpecializationArgs();
      for (unsigned i = 0; given && i < parameters->size() && i < given->size(); ++i)
        if (parameters->getParam(i)->getName() == name && given->get(i).getKind() == TemplateArgument::Integral)
          return integer(given->get(i).getAsIntegral().getExtValue());
    }
    return unknown();
  };
  const auto place = [&](size_t which) { return operand(which).is_pointer() ? operand(which).pointer : Pointer(); };
  const auto field = [&](const Pointer& record, const char* name) -> Value {
    const auto* type = record.object ? record.object->type.getNonReferenceType()->getAsCXXRecordDecl() : nullptr;
    if (!type) return unknown();
    for (const FieldDecl* each : type->fields()) {
      if (each->getName() != name) continue;
      const Value* found = record.object->cells.find(record.offset + offset_of(each));
      return found ? *found : unknown();
    }
    return unknown();
  };
  const std::string& verb = meaning.verb;
  if (verb == "value") return operand(0);
  if (verb == "one") return integer(1);
  if (verb == "elect") return integer(thread % 32 == 0);
  if (verb == "descriptor") {
    if (result.object) result.object->cells.set(result.offset, operand(0));
    return address(result);
  }
  if (verb == "tensor_map") {
    const Pointer request = place(0);
    MapInfo map;
    const Value rank = field(request, "rank"), box = field(request, "box"), bytes = field(request, "element_bytes");
    map.at = at_;
    map.elements_of_byte = std::max<int64_t>(1, operand(1).integer);
    map.element_bytes = bytes.integer;
    map.swizzle = field(request, "swizzle").integer;
    if (box.is_pointer() && box.pointer.object)
      for (int64_t i = 0; i < rank.integer; ++i) {
        const Value* found = box.pointer.object->cells.find(box.pointer.offset + 4 * i);
        map.box.push_back(found ? found->integer : 0);
      }
    maps.push_back(map);
    if (result.object) result.object->cells.set(result.offset, map_value(&maps.back()));
    return address(result);
  }
  if (verb == "launch") {
    Launch launch;
    launch.kernel = operand(0).function;
    launch.threads = operand(1).integer;
    launch.shared_bytes = operand(2).integer;
    launch.at = at_;
    std::vector<Value> arguments;
    for (unsigned i = 0; i < function->getNumParams() && i < values.size(); ++i)
      if (meaning.operands.size() > 3 && function->getParamDecl(i)->getName() == meaning.operands[3]) {
        Value given = values[i];
        const QualType type = function->getParamDecl(i)->getType().getNonReferenceType();
        if (given.is_pointer() && given.pointer.object && function->getParamDecl(i)->getType()->isReferenceType()) {
          const Value inside = load(given.pointer, type);
          if (inside.is_pointer() && type->isRecordType()) {
            const Value* found = inside.pointer.object->cells.find(inside.pointer.offset);
            if (found && found->kind == Value::Kind::map) given = *found;
          } else {
            given = inside;
          }
        }
        arguments.push_back(given);
      }
    if (on_launch && launch.kernel) on_launch(std::move(launch), std::move(arguments));
    return integer(0);
  }
  const auto found = verbs().find(verb);
  if (found == verbs().end()) {
    not_followed =
        "the runtime says '" + verb + "' of " + function->getNameAsString() + ", which this version does not know";
    stopped_ = true;
    return unknown();
  }
  const auto mark_busy = [&](const Pointer& registers, bool is_written) {
    if (!registers.object || registers.object->kind != Object::Kind::local) return;
    registers.object->busy_until = commits_ + 1;
    registers.object->is_written = is_written;
    registers.object->busy_since = at_;
  };
  switch (found->second) {
    case Verb::named_sync:
    case Verb::named_arrive:
      note(found->second, Pointer(), operand(0).integer, operand(1).integer);
      break;
    case Verb::tensor_load:
    case Verb::tensor_store: {
      const Value given = operand(1);
      note(found->second, place(0));
      events.back().other = place(2);
      if (given.is_pointer() && given.pointer.object) {
        const Value* cell = given.pointer.object->cells.find(given.pointer.offset);
        if (cell) events.back().map = cell->map;
      }
      break;
    }
    case Verb::bulk_load:
      note(found->second, place(0), operand(1).integer);
      events.back().other = place(2);
      break;
    case Verb::bulk_copy:
      note(found->second, place(0));
      events.back().other = place(1);
      note(Verb::warp_sync, Pointer());
      break;
    case Verb::wgmma: {
      mark_busy(place(0), true);
      for (const size_t which : {size_t(1), size_t(2)}) {
        Pointer read = place(which);
        if (!read.object) continue;
        const Value* cell = read.object->cells.find(read.offset);
        if (read.object->kind == Object::Kind::local && cell && cell->is_pointer())
          note(Verb::wgmma, cell->pointer);
        else
          mark_busy(read, false);
      }
      note(Verb::wgmma, Pointer());
      break;
    }
    case Verb::wgmma_commit:
      ++commits_;
      note(found->second, Pointer());
      break;
    case Verb::wgmma_wait:
      finished_ = std::max(finished_, commits_ - operand(0).integer);
      note(found->second, Pointer(), operand(0).integer);
      break;
    case Verb::barrier_init_fence:
    case Verb::wgmma_fence:
    case Verb::warp_sync:
    case Verb::proxy_fence:
    case Verb::bulk_commit:
    case Verb::async_commit:
      note(found->second, Pointer());
      break;
    case Verb::bulk_wait:
    case Verb::bulk_wait_read:
    case Verb::async_wait:
    case Verb::registers_up:
    case Verb::registers_down:
      note(found->second, Pointer(), operand(0).integer);
      break;
    default: {
      // A record that stands for a tile holds the tile's address first.
      const auto tile = [&](size_t which) {
        const Pointer given = place(which);
        if (!given.object || given.object->kind != Object::Kind::local) return given;
        const Value* cell = given.object->cells.find(given.offset);
        return cell && cell->is_pointer() ? cell->pointer : Pointer();
      };
      const Pointer where = tile(0);
      if (found->second == Verb::shared_read)
        for (size_t which = 1; which < meaning.operands.size(); ++which)
          if (tile(which).object) note(found->second, tile(which));
      const Value number = operand(1);
      note(found->second, where, number.is_integer() ? number.integer : -1);
      if (found->second == Verb::barrier_wait) return integer(1);
    }
  }
  return unknown();
}

}  // namespace pallasgen::vet
