#pragma once

#include "job.h"
#include "sensitivity.h"
#include "verify/chain.h"

namespace pallasgen {

using Arrays = std::map<std::string, Array>;

// One test with one seed: its inputs and what reference and interpreter make of them.
struct Case {
  std::string name;  // of the job
  std::string text;
  KernelTest test;
  Arguments arguments;
  std::optional<Arrays> reference;
  Arrays interpreted;
  std::vector<std::string> printed;  // by the interpreter
  // What ended programs of the interpreter, one of which the kernel's own run-time checks must find.
  std::vector<FoundFault> faults;
  bool special = false;                                                     // its inputs hold special values
  mutable std::optional<std::map<std::string, Sensitivity>> sensitivities;  // computed where they are asked for
  bool refused = false;  // the sizes break the facts of the dims: the launcher must say so
};

// The run-time check that finds such a fault: "oob", "nan".
std::string name_of(FaultKind kind);

// What the case must come to on another machine.
ExpectedCase expected_of(const HostKernel& host, const Case& job);

// The outputs of an evaluation against those of the reference or of the interpreter, by the tolerance of each.
ChainRow compare_outputs(const Kernel& kernel, const Case& job, const std::string& evaluation, const Arrays& got,
                         const Arrays& want, bool against_reference);

// A run of generated code against what the interpreter made of the case: its outputs and what it printed, or that the
// launcher refuses, or the fault that a check of the kernel must find.
ChainRow outcome_row(const HostKernel& host, const Case& job, const std::string& evaluation, const JobOutcome& outcome);

}  // namespace pallasgen
