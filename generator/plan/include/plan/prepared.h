#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "check/kernel.h"
#include "plan/targets.h"
#include "tile/program.h"

namespace pallasgen {

// Returns the target with that name; null with a diagnostic if there is none.
const Target* target_named(const Kernel& kernel, const std::string& name, Diagnostics& diagnostics);

// A kernel in the form that all passes and plans take, for one target: loops over slices are axes, updated slices are
// accumulators, stages of operands are chosen, lets are written out in places and sizes, constants have their names in
// the file, and reads of arrays of scalars are guarded where checks ask for it. Nothing else lowers a kernel, so that
// the kernel that is printed and checked is the one that is planned.
class PreparedKernel {
 public:
  PreparedKernel(std::shared_ptr<const Kernel> source, const Target& target);

  const std::shared_ptr<const Kernel>& kernel() const { return kernel_; }
  const std::shared_ptr<const Kernel>& source() const { return source_; }  // as the spec has it
  const Target& target() const { return *target_; }
  // Messages of run-time checks on arrays of scalars: "oob: an index of 'table' is outside".
  const std::vector<std::string>& faults() const { return faults_; }

 private:
  std::shared_ptr<const Kernel> source_, kernel_;
  const Target* target_;
  std::vector<std::string> faults_;
};

// The origin of a plan: the passes turn the kernel, with these choices from the start, into the tile program.
struct Lowered {
  PreparedKernel kernel;
  tile::Choices choices;
  tile::Program program;
};

}  // namespace pallasgen
