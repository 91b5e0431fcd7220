#include "report/overwritten.h"

#include <algorithm>
#include <map>
#include <set>

#include "layout/warps.h"
#include "model/instruction_slots.h"
#include "program/program_walk.h"

namespace pallasgen {

using program::Elementwise;
using program::ElementwiseStatement;
using program::ForSteps;
using program::Statement;

namespace {

// The fragments that statements read, and those that loops over elements set.
struct Uses {
  std::set<int> read, declared;
  std::map<int, double> set;  // by fragment: instructions per element
};

// `always`: the statements are under no condition.
void add_uses(const program::Statements& body, const Kernel& kernel, bool always, Uses& uses) {
  for (const Statement& statement : body) {
    if (const auto* branch = std::get_if<program::If>(&statement.node)) {
      add_uses(branch->then, kernel, false, uses);
      add_uses(branch->otherwise, kernel, false, uses);
    }
    std::visit(
        [&](const auto& node) {
          if constexpr (requires { node.body; }) add_uses(node.body, kernel, always, uses);
        },
        statement.node);
    if (const auto* declared = std::get_if<program::DeclareFragment>(&statement.node)) {
      uses.declared.insert(declared->fragment);
    } else if (const auto* loop = std::get_if<Elementwise>(&statement.node)) {
      for (const ElementwiseStatement& part : loop->statements) {
        if (always) uses.set[part.target] += slots_of(part.value, kernel);
        for (const program::Binding& binding : part.bindings) {
          if (binding.fragment >= 0) uses.read.insert(binding.fragment);
        }
      }
    } else {
      for_each_fragment(statement, [&](int fragment) { uses.read.insert(fragment); });
    }
  }
}

}  // namespace

std::vector<Overwritten> overwritten_in_steps(const Plan& plan) {
  std::vector<Overwritten> found;
  for (const RolePlan& role : plan.roles) {
    for_each_statement(role.program, [&](const Statement& statement) {
      const auto* steps = std::get_if<ForSteps>(&statement.node);
      if (!steps) return;
      Uses uses;
      add_uses(steps->body, *plan.kernel, true, uses);
      for (const auto& [fragment, slots] : uses.set) {
        const auto is = [id = fragment](const Overwritten& other) { return other.fragment == id; };
        const bool known = std::any_of(found.begin(), found.end(), is);  // by an enclosing loop
        if (known || uses.read.count(fragment) > 0 || uses.declared.count(fragment) > 0) continue;
        const ValueLayout& layout = plan.fragments[static_cast<size_t>(fragment)].layout;
        const auto elements = static_cast<double>(registers_per_thread(layout) * role.warps * kWarp);
        found.push_back({fragment, slots * elements});
      }
    });
  }
  return found;
}

}  // namespace pallasgen
