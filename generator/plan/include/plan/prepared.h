#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "check/kernel.h"
#include "plan/targets.h"
#include "tile/program.h"

namespace pallasgen {

// The target of that name; null with a refusal where there is none.
const Target* target_named(const Kernel& kernel, const std::string& name, Diagnostics& diagnostics);

// A kernel as all passes and plans take it, for one target: loops over slices as axes, updated slices as accumulators,
// stages of operands chosen, lets written out in places and sizes, constants by their names in the file, reads of
// arrays of scalars guarded where checks ask for it. Nothing else lowers a kernel, so that what is printed and checked
// is what is planned.
class PreparedKernel {
 public:
  PreparedKernel(std::shared_ptr<const Kernel> source, const Target& target);

  const std::shared_ptr<const Kernel>& kernel() const { return kernel_; }
  const std::shared_ptr<const Kernel>& source() const { return source_; }  // as the spec says it
  const Target& target() const { return *target_; }
  // What run-time checks may say of arrays of scalars: "oob: an index of 'table' is outside".
  const std::vector<std::string>& faults() const { return faults_; }

 private:
  std::shared_ptr<const Kernel> source_, kernel_;
  const Target* target_;
  std::vector<std::string> faults_;
};

// What a plan was made of: its tile program is what the passes give of the kernel with these choices from the start.
struct Lowered {
  PreparedKernel kernel;
  tile::Choices choices;
  tile::Program program;
};

}  // namespace pallasgen
