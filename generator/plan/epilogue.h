#pragma once

#include "matmul_form.h"
#include "matmul_limits.h"

namespace pallasgen {

// What the epilogue needs to know of the matmul that it ends.
struct EpilogueFrame {
  const MatmulForm& form;
  int acc;  // fragment of the accumulator
  int64_t bn;
  Number bn_number, rows;  // bn; rows of one consumer
  Number consumers;
  int64_t buffers;      // of each staging area
  MatmulEpilogue walk;  // how it goes through the columns
};

// How each output of the epilogue is stored: by tensor copies from staging where its rows are whole 16-byte units, else
// by masked stores from registers.
bool stored_by_tensor_copy(const Draft& draft, int ref);
// Refs that the epilogue reads beside the accumulator, and outputs it stores; refuses what is not planned.
struct EpilogueRefs {
  std::vector<int> outputs;
  std::vector<int> inputs;
};
std::optional<EpilogueRefs> epilogue_refs(Draft& draft, const MatmulForm& form);

// The statements after the last step, with the fragments, stores, maps and fields that they use. Null after a refusal.
std::optional<program::Statements> plan_epilogue(Draft& draft, const EpilogueFrame& frame);

}  // namespace pallasgen
