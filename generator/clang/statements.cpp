#include <clang/AST/DeclTemplate.h>

#include "interpreter.h"

// What statements do. Loops without effects are left after a few turns, with what they assign unknown.
namespace pallasgen::vet {

using namespace clang;

namespace {

constexpr int kTurnsOfUnknown = 2;   // of a loop whose end is not known
constexpr int kTurnsOfPure = 2;      // of a loop of the kernel that others do not notice
constexpr int kTurnsOfRuntime = 12;  // and of one of the runtime, which may count

bool contains_return(const Stmt* statement) {
  if (!statement) return false;
  if (isa<ReturnStmt>(statement) || isa<BreakStmt>(statement)) return true;
  if (isa<LambdaExpr>(statement)) return false;
  for (const Stmt* child : statement->children())
    if (contains_return(child)) return true;
  return false;
}

}  // namespace

void Interpreter::run(const FunctionDecl& function, const std::vector<Value>& arguments) {
  const FunctionDecl* definition = nullptr;
  if (!function.hasBody(definition)) return;
  stopped_ = false;
  depth_ = 0;
  commits_ = 0;
  finished_ = 0;
  not_followed.clear();
  role.clear();
  Frame frame;
  frame.function = definition;
  for (unsigned i = 0; i < definition->getNumParams() && i < arguments.size(); ++i) {
    const ParmVarDecl* parameter = definition->getParamDecl(i);
    const QualType type = parameter->getType();
    const Value& value = arguments[i];
    if (type->isReferenceType() && value.is_pointer()) {
      frame.variables[parameter] = value.pointer;
      continue;
    }
    const QualType plain = type.getNonReferenceType();
    Object* object = make_object(Object::Kind::local, plain);
    if (plain->isRecordType() && value.is_pointer())
      copy(value.pointer, whole(object), object->size);
    else if (value.is_known())
      object->cells.set(0, value);
    frame.variables[parameter] = whole(object);
  }
  frame_ = &frame;
  execute(definition->getBody());
  frame_ = nullptr;
}

void Interpreter::declare(const VarDecl& variable) {
  const QualType type = variable.getType();
  if (variable.isStaticLocal() || variable.hasExternalStorage()) return;
  if (type->isReferenceType()) {
    frame_->variables[&variable] = variable.getInit() ? place_of(variable.getInit()) : Pointer();
    return;
  }
  Object* object = make_object(Object::Kind::local, type);
  frame_->variables[&variable] = whole(object);
  if (variable.getInit()) initialise(whole(object), type, variable.getInit());
}

// Whether the condition holds; where that is not known, by the choice that is made for all threads alike.
bool Interpreter::decide(const Expr* condition, int turn) {
  const Value value = evaluate(condition);
  if (value.is_integer()) return value.integer != 0;
  if (value.is_pointer() || value.kind == Value::Kind::map) return true;
  return turn < kTurnsOfUnknown;
}

void Interpreter::forget_assigned(const Stmt* body) {
  if (!body) return;
  const Expr* assigned = nullptr;
  if (const auto* binary = dyn_cast<BinaryOperator>(body); binary && binary->isAssignmentOp())
    assigned = binary->getLHS();
  if (const auto* unary = dyn_cast<UnaryOperator>(body); unary && unary->isIncrementDecrementOp())
    assigned = unary->getSubExpr();
  if (assigned)
    if (const auto* name = dyn_cast<DeclRefExpr>(assigned->IgnoreParenImpCasts()))
      if (const auto* variable = dyn_cast<VarDecl>(name->getDecl()))
        if (const auto found = frame_->variables.find(variable);
            found != frame_->variables.end() && found->second.object)
          found->second.object->cells.erase(found->second.offset, found->second.offset + 1);
  for (const Stmt* child : body->children()) forget_assigned(child);
}

Interpreter::Flow Interpreter::execute_loop(const Stmt* whole, const Stmt* condition_variable, const Expr* condition,
                                            const Expr* step, const Stmt* body, bool body_first, const Stmt* element) {
  const bool is_pure = !effects_.any(whole);
  const int most = is_of_file(frame_->function) ? kTurnsOfPure : kTurnsOfRuntime;
  for (int turn = 0; !stopped_; ++turn) {
    if (condition_variable) execute(condition_variable);
    if (condition && !(body_first && turn == 0) && !decide(condition, turn)) break;
    if (!is_pure) turns[whole] = std::max(turns[whole], turn + 1);
    if (is_pure && turn == most) {
      forget_assigned(whole);
      break;
    }
    if (element) execute(element);
    const Flow flow = execute(body);
    if (flow == Flow::leave) return flow;
    if (flow == Flow::leave_loop) break;
    if (step) evaluate(step);
    if (!condition && turn > 100000) break;
  }
  return stopped_ ? Flow::leave : Flow::next;
}

Interpreter::Flow Interpreter::execute(const Stmt* statement) {
  if (!statement) return Flow::next;
  if (stopped_ || --budget < 0) {
    if (!stopped_) not_followed = "its loops take too many steps";
    stopped_ = true;
    return Flow::leave;
  }
  if (isa<Expr>(statement) || isa<DeclStmt>(statement) || isa<ReturnStmt>(statement)) at_ = main_place(statement);
  if (const auto* compound = dyn_cast<CompoundStmt>(statement)) {
    for (const Stmt* each : compound->body())
      if (const Flow flow = execute(each); flow != Flow::next) return flow;
    return Flow::next;
  }
  if (const auto* attributed = dyn_cast<AttributedStmt>(statement)) return execute(attributed->getSubStmt());
  if (const auto* declarations = dyn_cast<DeclStmt>(statement)) {
    for (const Decl* each : declarations->decls())
      if (const auto* variable = dyn_cast<VarDecl>(each)) declare(*variable);
    return Flow::next;
  }
  if (const auto* branch = dyn_cast<IfStmt>(statement)) {
    if (branch->getInit()) execute(branch->getInit());
    if (branch->getConditionVariableDeclStmt()) execute(branch->getConditionVariableDeclStmt());
    const Value value = evaluate(branch->getCond());
    bool holds = value.is_integer() ? value.integer != 0 : value.is_known();
    if (!value.is_known()) holds = unknown_choice != 0 && !contains_return(branch->getThen());
    return execute(holds ? branch->getThen() : branch->getElse());
  }
  if (const auto* loop = dyn_cast<ForStmt>(statement)) {
    execute(loop->getInit());
    return execute_loop(loop, loop->getConditionVariableDeclStmt(), loop->getCond(), loop->getInc(), loop->getBody(),
                        false);
  }
  if (const auto* loop = dyn_cast<CXXForRangeStmt>(statement)) {
    execute(loop->getInit());
    execute(loop->getRangeStmt());
    execute(loop->getBeginStmt());
    execute(loop->getEndStmt());
    return execute_loop(loop, nullptr, loop->getCond(), loop->getInc(), loop->getBody(), false, loop->getLoopVarStmt());
  }
  if (const auto* loop = dyn_cast<WhileStmt>(statement))
    return execute_loop(loop, loop->getConditionVariableDeclStmt(), loop->getCond(), nullptr, loop->getBody(), false);
  if (const auto* loop = dyn_cast<DoStmt>(statement))
    return execute_loop(loop, nullptr, loop->getCond(), nullptr, loop->getBody(), true);
  if (const auto* leaving = dyn_cast<ReturnStmt>(statement)) {
    if (const Expr* value = leaving->getRetValue()) {
      const QualType type = frame_->function->getReturnType();
      if (type->isReferenceType())
        frame_->result = address(place_of(value));
      else if (type->isRecordType())
        initialise(frame_->result_place, type, value);
      else
        frame_->result = evaluate(value);
    }
    return Flow::leave;
  }
  if (isa<BreakStmt>(statement)) return Flow::leave_loop;
  if (isa<ContinueStmt>(statement)) return Flow::next_turn;
  if (const auto* expression = dyn_cast<Expr>(statement)) {
    if (expression->getType()->isRecordType() && expression->isPRValue())
      initialise(temporary(expression->getType()), expression->getType(), expression);
    else if (expression->isGLValue())
      place_of(expression);
    else
      evaluate(expression);
    return stopped_ ? Flow::leave : Flow::next;
  }
  if (isa<SwitchStmt>(statement) || isa<GotoStmt>(statement) || isa<LabelStmt>(statement)) {
    if (effects_.any(statement)) {
      not_followed = "it has a switch or a goto around what other threads notice";
      stopped_ = true;
    }
  }
  return stopped_ ? Flow::leave : Flow::next;
}

}  // namespace pallasgen::vet
