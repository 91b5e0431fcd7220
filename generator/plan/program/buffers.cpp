#include "plan/plan.h"

namespace pallasgen {

int buffer_of(const Kernel& kernel, int ref) { return kernel.refs[ref].alias_of.value_or(ref); }

bool is_written(const Kernel& kernel, int ref) {
  if (kernel.refs[ref].role != RefRole::input) return true;
  for (const Ref& other : kernel.refs) {
    if (other.alias_of == ref) return true;
  }
  return false;
}

}  // namespace pallasgen
