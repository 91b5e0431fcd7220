#pragma once

#include <set>

#include "check/kernel.h"

namespace pallasgen {

// The values of a body that depend on the contents of memory and not on the grid point alone: they read a ref or a name
// of the body that does, or a name whose binding depends on data.
class FromData {
 public:
  explicit FromData(const KernelStmts& body);

  bool decide(const TypedPtr& value) const;

 private:
  std::set<int> locals_, loops_;

  // Adds the names that `statements` bind; `around`: data decide whether they run.
  void collect(const KernelStmts& statements, bool around);
  void bind(int local, bool data) {
    if (data) locals_.insert(local);
  }
};

}  // namespace pallasgen
