#include <clang/AST/DeclTemplate.h>

#include "interpreter.h"

// Executes statements. A loop without effects ends after a few iterations; variables that it assigns become unknown.
namespace pallasgen::vet {

using namespace clang;

namespace {

constexpr int kTurnsOfUnknown = 2;   // most iterations of a loop whose end is unknown
constexpr int kTurnsOfPure = 2;      // most iterations of a kernel's loop without effects
constexpr int kTurnsOfRuntime = 12;  // most iterations of a runtime's loop without effects, which may count

bool contains_return(const Stmt* statement) {
  if (!statement) return false;
  if (isa<ReturnStmt>(statement) || isa<BreakStmt>(statement)) return true;
  if (isa<LambdaExpr>(statement)) return false;
  for (const Stmt* child : statement->children())
    if (contains_return(child)) return true;
  return false;
}

}  // namespace

void Statements::declare(const VarDecl& variable) {
  const QualType type = variable.getType();
  if (variable.isStaticLocal() || variable.hasExternalStorage()) return;
  if (type->isReferenceType()) {
    thread_.frame->variables[&variable] = variable.getInit() ? all_.place_of(variable.getInit()) : Pointer();
    return;
  }
  Object* object = thread_.make_object(Object::Kind::local, type);
  thread_.frame->variables[&variable] = thread_.whole(object);
  if (variable.getInit()) all_.initialise(thread_.whole(object), type, variable.getInit());
}

// True if the condition holds; an unknown condition holds for the first iterations, in all threads alike.
bool Statements::decide(const Expr* condition, int turn) {
  const Value value = all_.evaluate(condition);
  if (value.is_integer()) return value.integer != 0;
  if (value.is_pointer() || value.kind == Value::Kind::map) return true;
  return turn < kTurnsOfUnknown;
}

void Statements::forget_assigned(const Stmt* body) {
  if (!body) return;
  const Expr* assigned = nullptr;
  if (const auto* binary = dyn_cast<BinaryOperator>(body); binary && binary->isAssignmentOp())
    assigned = binary->getLHS();
  if (const auto* unary = dyn_cast<UnaryOperator>(body); unary && unary->isIncrementDecrementOp())
    assigned = unary->getSubExpr();
  if (assigned)
    if (const auto* name = dyn_cast<DeclRefExpr>(assigned->IgnoreParenImpCasts()))
      if (const auto* variable = dyn_cast<VarDecl>(name->getDecl()))
        if (const auto found = thread_.frame->variables.find(variable);
            found != thread_.frame->variables.end() && found->second.object)
          found->second.object->cells.erase(found->second.offset, found->second.offset + 1);
  for (const Stmt* child : body->children()) forget_assigned(child);
}

Flow Statements::execute_loop(const Stmt* whole, const Stmt* condition_variable, const Expr* condition,
                              const Expr* step, const Stmt* body, bool body_first, const Stmt* element) {
  const bool is_pure = !thread_.effects.any(whole);
  const int most = thread_.is_of_file(thread_.frame->function) ? kTurnsOfPure : kTurnsOfRuntime;
  for (int turn = 0; !thread_.stopped; ++turn) {
    if (condition_variable) execute(condition_variable);
    if (condition && !(body_first && turn == 0) && !decide(condition, turn)) break;
    if (!is_pure) thread_.turns[whole] = std::max(thread_.turns[whole], turn + 1);
    if (is_pure && turn == most) {
      forget_assigned(whole);
      break;
    }
    if (element) execute(element);
    const Flow flow = execute(body);
    if (flow == Flow::leave) return flow;
    if (flow == Flow::leave_loop) break;
    if (step) all_.evaluate(step);
    if (!condition && turn > 100000) break;
  }
  return thread_.stopped ? Flow::leave : Flow::next;
}

Flow Statements::execute(const Stmt* statement) {
  if (!statement) return Flow::next;
  if (thread_.stopped || --thread_.budget < 0) {
    if (!thread_.stopped) thread_.not_followed = "its loops take too many steps";
    thread_.stopped = true;
    return Flow::leave;
  }
  if (isa<Expr>(statement) || isa<DeclStmt>(statement) || isa<ReturnStmt>(statement))
    thread_.at = thread_.main_place(statement);
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
    const Value value = all_.evaluate(branch->getCond());
    bool holds = value.is_integer() ? value.integer != 0 : value.is_known();
    if (!value.is_known()) holds = thread_.unknown_choice != 0 && !contains_return(branch->getThen());
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
      const QualType type = thread_.frame->function->getReturnType();
      if (type->isReferenceType())
        thread_.frame->result = address(all_.place_of(value));
      else if (type->isRecordType())
        all_.initialise(thread_.frame->result_place, type, value);
      else
        thread_.frame->result = all_.evaluate(value);
    }
    return Flow::leave;
  }
  if (isa<BreakStmt>(statement)) return Flow::leave_loop;
  if (isa<ContinueStmt>(statement)) return Flow::next_turn;
  if (const auto* expression = dyn_cast<Expr>(statement)) {
    if (expression->getType()->isRecordType() && expression->isPRValue())
      all_.initialise(thread_.temporary(expression->getType()), expression->getType(), expression);
    else if (expression->isGLValue())
      all_.place_of(expression);
    else
      all_.evaluate(expression);
    return thread_.stopped ? Flow::leave : Flow::next;
  }
  if (isa<SwitchStmt>(statement) || isa<GotoStmt>(statement) || isa<LabelStmt>(statement)) {
    if (thread_.effects.any(statement)) {
      thread_.not_followed = "it has a switch or a goto around effects that other threads see";
      thread_.stopped = true;
    }
  }
  return thread_.stopped ? Flow::leave : Flow::next;
}

}  // namespace pallasgen::vet
