#pragma once

#include "job.h"
#include "sensitivity.h"
#include "verify/chain.h"

namespace pallasgen {

using Arrays = std::map<std::string, Array>;

// One test with one seed: its inputs, and the results of the reference and the interpreter.
struct Case {
  std::string name;  // name in the job
  std::string text;
  KernelTest test;
  Arguments arguments;
  std::optional<Arrays> reference;
  Arrays interpreted;
  std::vector<std::string> printed;  // lines that the interpreter printed
  // Faults that ended programs of the interpreter; the kernel's own run-time checks must find one of them.
  std::vector<FoundFault> faults;
  bool special = false;                                                     // its inputs hold special values
  mutable std::optional<std::map<std::string, Sensitivity>> sensitivities;  // computed on first use
  bool refused = false;  // the sizes break the facts of the dims, so the launcher must refuse them
};

// The name of the run-time check that finds such a fault: "oob", "nan".
std::string name_of(FaultKind kind);

// The case's expected results, for a run on another machine.
ExpectedCase expected_of(const HostKernel& host, const Case& job);

// Compares the outputs of an evaluation with those of the reference or the interpreter, each by its tolerance.
ChainRow compare_outputs(const Kernel& kernel, const Case& job, const std::string& evaluation, const Arrays& got,
                         const Arrays& want, bool against_reference);

// Compares a run of generated code with the interpreter's results for the case: the outputs and printed lines, the
// refusal by the launcher, or the fault that a check of the kernel must find.
ChainRow outcome_row(const HostKernel& host, const Case& job, const std::string& evaluation, const JobOutcome& outcome);

}  // namespace pallasgen
