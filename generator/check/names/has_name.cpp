#include "check/has_name.h"

#include <algorithm>

namespace pallasgen {

bool has_name(const Kernel& kernel, const std::string& name) {
  const auto among = [&](const auto& list) {
    return std::any_of(list.begin(), list.end(), [&](const auto& entry) { return entry.name == name; });
  };
  const Spec& spec = *kernel.spec;
  bool found = among(spec.dims) || among(spec.consts) || among(spec.functions) || among(spec.grid) ||
               among(spec.lets) || among(spec.refs) || among(spec.scalars);
  for_each_statement(kernel.body, [&](const KernelStmt& statement) {
    const auto* bind = std::get_if<BindStmt>(&statement.node);
    const auto* atomic = std::get_if<AtomicStmt>(&statement.node);
    const auto* loop = std::get_if<ForStmt>(&statement.node);
    found =
        found || (bind && bind->name == name) || (atomic && atomic->old_name == name) || (loop && loop->name == name);
  });
  return found;
}

}  // namespace pallasgen
