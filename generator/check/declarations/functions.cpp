// Checks the functions of the spec before any call of them is typed.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>

#include "declarations/declarations.h"
#include "names/names_of.h"

namespace pallasgen {

void check_functions(Context& context) {
  const std::vector<FunctionSpec>& functions = context.spec.functions;
  const auto calls_of = [&](int id) {
    std::set<int> out;
    visit_names(functions[id].body, [&](const std::string& name, Span) {
      for (const Named& parameter : functions[id].parameters) {
        if (parameter.name == name) return;
      }
      const Name* entry = context.find(name);
      if (entry && entry->kind == NameKind::function) out.insert(entry->id);
    });
    return out;
  };
  for (size_t start = 0; start < functions.size(); ++start) {
    for (size_t i = 0; i < functions[start].parameters.size(); ++i) {
      for (size_t j = 0; j < i; ++j) {
        if (functions[start].parameters[i].name != functions[start].parameters[j].name) continue;
        context.diagnostics.error(kNameClash, functions[start].parameters[i].span,
                                  fmt::format("two parameters of '{}' are called '{}'", functions[start].name,
                                              functions[start].parameters[i].name));
      }
    }
    std::vector<int> path{static_cast<int>(start)};
    std::set<int> seen;
    const std::function<bool(int)> reaches_start = [&](int id) {
      for (int callee : calls_of(id)) {
        if (callee == static_cast<int>(start)) return true;
        if (!seen.insert(callee).second) continue;
        path.push_back(callee);
        if (reaches_start(callee)) return true;
        path.pop_back();
      }
      return false;
    };
    if (!reaches_start(static_cast<int>(start))) continue;
    context.recursive.push_back(&functions[start]);
    if (static_cast<int>(start) != *std::min_element(path.begin(), path.end())) continue;  // one error per cycle
    std::string way;
    for (int id : path) way += functions[id].name + " -> ";
    context.diagnostics
        .error(kFunctionRecursion, functions[start].span,
               fmt::format("'{}' reaches itself: {}{}", functions[start].name, way, functions[start].name))
        .note(
            "functions are written into their callers, so none may call itself; a `for` or `while` of the body "
            "repeats");
  }
}

}  // namespace pallasgen
