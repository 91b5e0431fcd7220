#include "checked_places.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "program_walk.h"

namespace pallasgen {

namespace {

using namespace program;

class CheckedPlaces {
 public:
  explicit CheckedPlaces(const Draft& draft) : draft_(draft) {}

  void visit(Statements& statements) {
    const size_t outside = known_.size();
    for (Statement& statement : statements) {
      if (const auto* set = std::get_if<SetScalar>(&statement.node)) note(*set);
      std::visit(
          [&](auto& node) {
            if constexpr (requires { node.access.dims; }) use(node.access);
          },
          statement.node);
      for (Statements* inner : bodies_of(statement)) visit(*inner);
    }
    known_.resize(outside);
  }

 private:
  // A variable that keeps what it is declared with, an element of an array that the kernel does not change.
  struct Variable {
    std::string name;
    TypedPtr value;
  };

  void note(const SetScalar& set) {
    const std::string& name = draft_.plan.scalars[static_cast<size_t>(set.scalar)].name;
    std::erase_if(known_, [&](const Variable& other) { return other.name == name; });
    if (!set.declares || !set.constant || !set.bindings.empty() || !reads_elements(set.value)) return;
    known_.push_back({name, comparable(set.value, false)});
    known_.push_back({name, comparable(set.value, true)});
  }

  // Whether the expression is made of elements of arrays of scalars, and of no variable that statements set.
  bool reads_elements(const TypedPtr& expr) const {
    bool elements = false, variables = false;
    walk(expr, [&](const Typed& node) {
      elements = elements || node.applies(Op::element);
      const Symbol* symbol = node.as<Symbol>();
      const bool named = symbol && symbol->kind == SymbolKind::loop && symbol->id < 0;
      const auto is_it = [&](const ScalarValue& scalar) { return scalar.name == symbol->name; };
      variables = variables || node.as<LocalUse>() ||
                  (named && std::any_of(draft_.plan.scalars.begin(), draft_.plan.scalars.end(), is_it));
    });
    return elements && !variables;
  }

  // The variables of loops by the names that the file has for them; `own`: of loops that the spec does not have.
  TypedPtr comparable(const TypedPtr& expr, bool own) const {
    return rewrite(expr, [&](const TypedPtr& node) -> TypedPtr {
      const Symbol* symbol = node->as<Symbol>();
      if (!symbol || symbol->kind != SymbolKind::loop || symbol->id < 0) return nullptr;
      return variable(own ? symbol->name : draft_.names().of(symbol->name));
    });
  }

  void use(Access& access) const {
    for (AccessDim& dim : access.dims) {
      for (TypedPtr* expr : {&dim.offset, &dim.size})
        if (*expr) *expr = with_variables(*expr);
    }
  }

  TypedPtr with_variables(const TypedPtr& expr) const {
    return rewrite(expr, [&](const TypedPtr& node) -> TypedPtr {
      const TypedPtr value = comparable(node, false);
      const auto found = std::find_if(known_.begin(), known_.end(),
                                      [&](const Variable& variable) { return equal(variable.value, value); });
      return found == known_.end() ? nullptr : variable(found->name);
    });
  }

  const Draft& draft_;
  std::vector<Variable> known_;  // where the walk stands
};

}  // namespace

void use_checked_places(const Draft& draft, Statements& statements) {
  if (draft.kernel->checks_for("oob")) CheckedPlaces(draft).visit(statements);
}

}  // namespace pallasgen
