#pragma once

#include <set>

#include "check/kernel.h"

namespace pallasgen {

// Which values of a body hold what memory held, rather than what the grid point alone decides: those that read a ref,
// or a name of the body that does, or one that is bound where data decide whether it is.
class FromData {
 public:
  explicit FromData(const KernelStmts& body);

  bool decide(const TypedPtr& value) const;

 private:
  std::set<int> locals_, loops_;

  // Adds what `statements` bind; `around` says that data decide whether they run.
  void collect(const KernelStmts& statements, bool around);
  void bind(int local, bool data) {
    if (data) locals_.insert(local);
  }
};

}  // namespace pallasgen
