#include "program/draft.h"

#include <utility>

namespace pallasgen {

Draft::Draft(const PreparedKernel& prepared, Diagnostics& diagnostics_in)
    : kernel(prepared.kernel()),
      source(prepared.source()),
      target(&prepared.target()),
      diagnostics(diagnostics_in),
      facts(kernel->facts()) {
  plan.kernel = kernel;
  plan.faults = prepared.faults();  // set before the roles are planned, whose loops depend on it
  plan.target = target;
  plan.shared.limit = target->shared_limit;
  const auto with_loops = [this](auto known, std::optional<int64_t> Bounds::* bound) {
    return [this, known, bound](const Symbol& symbol) -> std::optional<int64_t> {
      const auto loop = symbol.kind == SymbolKind::loop ? loops.find(symbol.id) : loops.end();
      return loop == loops.end() ? known(symbol) : loop->second.*bound;
    };
  };
  facts.minimum = with_loops(facts.minimum, &Bounds::minimum);
  facts.maximum = with_loops(facts.maximum, &Bounds::maximum);
}

Number Draft::constant(std::string name, int64_t value, int line, std::string formula, std::string comment) {
  PlanConstant constant;
  constant.name = name;
  constant.value = value;
  constant.formula = std::move(formula);
  constant.comment = std::move(comment);
  constant.line = line;
  plan.constants.push_back(std::move(constant));
  return {value, std::move(name)};
}

Diagnostic& Draft::refuse(const Rule& rule, Span span, std::string message) {
  return diagnostics.error(rule, span, std::move(message));
}

void Draft::decide(std::string subject, std::string choice, std::string reason) {
  plan.decisions.push_back({std::move(subject), std::move(choice), std::move(reason)});
}

}  // namespace pallasgen
