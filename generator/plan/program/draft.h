#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "plan/plan.h"
#include "plan/prepared.h"

namespace pallasgen {

// The plan under construction, with the prepared kernel that it is made of and the facts about its symbols.
struct Draft {
  std::shared_ptr<const Kernel> kernel;
  std::shared_ptr<const Kernel> source;  // the kernel as the spec says it, of which remedies try others
  const Target* target;
  Diagnostics& diagnostics;
  std::map<int, Bounds> loops;  // what is known of the variables of the spec's loops around the place under way
  SymbolFacts facts;            // of symbols, these among them
  std::map<Shape, std::vector<Number>> value_sizes;  // of what dots make and what is read, by name
  Plan plan;

  Draft(const PreparedKernel& prepared, Diagnostics& diagnostics);
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;

  // A constant that the plan makes; `line` groups declarations. Returns it by name.
  Number constant(std::string name, int64_t value, int line, std::string formula = {}, std::string comment = {});
  Diagnostic& refuse(const Rule& rule, Span span, std::string message);
  void decide(std::string subject, std::string choice, std::string reason);

  const Ref& ref(int index) const { return kernel->refs[index]; }
  // The C++ names of the file.
  const Identifiers& names() const { return kernel->identifiers; }
};

}  // namespace pallasgen
