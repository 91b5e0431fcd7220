#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "plan/plan.h"
#include "plan/prepared.h"

namespace pallasgen {

// The plan under construction, with its prepared kernel and the facts about its symbols.
struct Draft {
  std::shared_ptr<const Kernel> kernel;
  std::shared_ptr<const Kernel> source;  // the kernel as the spec has it, of which remedies try variants
  const Target* target;
  Diagnostics& diagnostics;
  std::map<int, Bounds> loops;  // bounds of the variables of the spec's loops around the current place
  SymbolFacts facts;            // facts about all symbols, these variables included
  std::map<Shape, std::vector<Number>> value_sizes;  // named sizes of results of dots and of values read
  Plan plan;

  Draft(const PreparedKernel& prepared, Diagnostics& diagnostics);
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;

  // Adds a constant to the plan; `line` groups declarations. Returns it by name.
  Number constant(std::string name, int64_t value, int line, std::string formula = {}, std::string comment = {});
  Diagnostic& refuse(const Rule& rule, Span span, std::string message);
  void decide(std::string subject, std::string choice, std::string reason);

  const Ref& ref(int index) const { return kernel->refs[index]; }
  // The C++ names of the file.
  const Identifiers& names() const { return kernel->identifiers; }
};

}  // namespace pallasgen
