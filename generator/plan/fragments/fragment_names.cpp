#include "fragments/fragment_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace pallasgen {

bool FragmentNames::has_number(const std::string& name) const {
  const std::vector<ScalarValue>& numbers = draft_.plan.scalars;
  return std::any_of(numbers.begin() + static_cast<std::ptrdiff_t>(first_scalar_), numbers.end(),
                     [&](const ScalarValue& number) { return number.name == name; });
}

std::string FragmentNames::take(const std::string& wanted) {
  std::string name;
  do {
    const int number = ++names_[wanted];
    const char* between = wanted.ends_with('_') ? "" : "_";  // C++ reserves names with two
    name = number == 1 ? wanted : draft_.names().derived(fmt::format("{}{}{}", wanted, between, number));
  } while (has_number(name));
  return name;
}

std::string FragmentNames::of_reduction(const Apply& reduction, const std::string& operation,
                                        const std::string& target) const {
  std::vector<std::string> wanted = {operation};
  const auto* use = reduction.args[0]->as<LocalUse>();
  for (const std::string& stem : {use ? use->name : "", target}) {
    if (!stem.empty() && stem != operation) wanted.push_back(stem + (stem.ends_with('_') ? "" : "_") + operation);
  }
  for (std::string& name : wanted) {
    name = draft_.names().derived(name);
    if (names_.count(name) == 0 && !has_number(name)) return name;
  }
  return wanted.back();
}

}  // namespace pallasgen
