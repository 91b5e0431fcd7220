#include "program/spec_names.h"

#include "expression/constant_text.h"

namespace pallasgen {

std::string identifiers_in(const Identifiers& identifiers, const std::string& text) {
  return with_names(text, [&](const std::string& name) { return identifiers.of(name); });
}

std::string name_in_spec(const Kernel& kernel, const std::string& identifier) {
  std::string found;
  const auto ask = [&](const std::string& name) {
    if (name != identifier && kernel.identifiers.of(name) == identifier) found = name;
  };
  for (const KernelConst& constant : kernel.consts) ask(constant.name);
  for (const Ref& ref : kernel.refs) ask(ref.name);
  for_each_statement(kernel.body, [&](const KernelStmt& statement) {
    if (const auto* bind = std::get_if<BindStmt>(&statement.node)) ask(bind->name);
  });
  return found.empty() ? identifier : found;
}

std::string name_apart(const std::string& name, const std::function<bool(const std::string&)>& is_taken) {
  if (!is_taken(name)) return name;
  std::string apart = name + "_";
  for (int number = 2; is_taken(apart); ++number) apart = name + "_" + std::to_string(number);
  return apart;
}

}  // namespace pallasgen
