#include "check/identifiers.h"

#include "check/kernel.h"

namespace pallasgen {

namespace {

void add(std::map<std::string, NamePlace>& names, const std::string& name, NamePlace place) {
  if (name.empty()) return;
  const auto [entry, added] = names.emplace(name, place);
  if (!added && place == NamePlace::file) entry->second = place;
}

void add_body(const KernelStmts& body, std::map<std::string, NamePlace>& names) {
  for_each_statement(body, [&](const KernelStmt& statement) {
    if (const auto* bind = std::get_if<BindStmt>(&statement.node)) add(names, bind->name, NamePlace::function);
    if (const auto* atomic = std::get_if<AtomicStmt>(&statement.node))
      add(names, atomic->old_name, NamePlace::function);
    if (const auto* loop = std::get_if<ForStmt>(&statement.node)) add(names, loop->name, NamePlace::function);
  });
}

}  // namespace

void Identifiers::take_all(const Kernel& kernel, std::map<std::string, NamePlace>& names) const {
  for (const KernelConst& constant : kernel.consts) add(names, constant.name, NamePlace::file);
  for (const Function& function : kernel.functions) {
    if (function.external) continue;
    add(names, function.name, NamePlace::function);  // overloads names of the toolkit, which the launcher does not call
    for (const auto& [parameter, dtype] : function.parameters) add(names, parameter, NamePlace::function);
  }
  const auto add_all = [&](const auto& list) {
    for (const auto& entry : list) add(names, entry.name, NamePlace::function);
  };
  add_all(kernel.dims);
  add_all(kernel.axes);
  add_all(kernel.lets);
  add_all(kernel.refs);
  add_all(kernel.scalars);
  add_body(kernel.body, names);
}

Identifiers::Identifiers(const Kernel& kernel) {
  std::map<std::string, NamePlace> names;
  take_all(kernel, names);
  const std::set<std::string> functions = {kernel.name + "_kernel", kernel.name + "_workspace_bytes",
                                           kernel.name + "_status"};
  // The names of the user's header may be macros.
  const std::set<std::string> outside = kernel.externs ? kernel.externs->names : std::set<std::string>();
  const auto free = [&](const std::string& name, NamePlace place) {
    return !is_reserved_word(name, place) && functions.count(name) == 0 && outside.count(name) == 0 &&
           (place == NamePlace::function || name != kernel.name);
  };
  for (const auto& [name, place] : names) {
    if (free(name, place) && !is_reserved(name, place)) taken_.insert(name);
  }
  for (const auto& [name, place] : names) {
    if (taken_.count(name) > 0) continue;
    std::string other = name + "_";
    for (int number = 2; !free(other, place) || taken_.count(other) > 0; ++number)
      other = name + "_" + std::to_string(number);
    taken_.insert(other);
    others_[name] = std::move(other);
  }
  taken_.insert(functions.begin(), functions.end());
  taken_.insert(outside.begin(), outside.end());
}

std::string Identifiers::of(const std::string& name) const {
  const auto found = others_.find(name);
  if (found != others_.end()) return found->second;
  return taken_.count(name) > 0 || !is_reserved_word(name, NamePlace::function) ? name : derived(name);
}

std::string Identifiers::derived(const std::string& given) const {
  std::string wanted = given;
  for (size_t at = 0; (at = wanted.find("__")) != std::string::npos;)
    wanted.erase(at, 1);  // C++ reserves names with two underscores
  const auto free = [&](const std::string& name) {
    return !is_reserved_word(name, NamePlace::function) && taken_.count(name) == 0;
  };
  if (free(wanted) && !is_reserved(wanted, NamePlace::function)) return wanted;
  std::string name = wanted + "_";
  for (int number = 2; !free(name); ++number) name = wanted + "_" + std::to_string(number);
  return name;
}

}  // namespace pallasgen
