#include "matmul_refusals.h"

#include <fmt/format.h>

#include "registers.h"

namespace pallasgen {

namespace {

Span block_place(const Ref& ref) { return ref.block_span.source ? ref.block_span : ref.span; }

std::string block_text(const Ref& ref) {
  std::string text;
  for (int64_t size : ref.shape) text += fmt::format("{}{}", text.empty() ? "" : " x ", size);
  return fmt::format("{} {}", text, name_of(ref.dtype));
}

std::string memory_message(const Draft& draft, const MatmulForm& form, const MatmulShape& shape) {
  const MatmulMemory memory = matmul_memory(shape, *draft.target, 1);
  std::string sum = fmt::format("{} {} x {}, {} {} x {}", draft.ref(form.a).name, shape.stages, grouped(memory.a),
                                draft.ref(form.b).name, shape.stages, grouped(memory.b));
  if (memory.staging > 0) sum += fmt::format(", staging of the outputs {}", grouped(memory.staging));
  sum += fmt::format(", barriers and padding {}", grouped(memory.barriers + memory.padding));
  const int64_t fit = stages_that_fit(shape, *draft.target);
  return fmt::format(
      "needs {} of {} bytes of shared memory: {}; {}", grouped(memory.total), grouped(draft.target->shared_limit), sum,
      fit == 0 ? "not even 1 stage fits" : fmt::format("{} fit{}", counted(fit, "stage"), fit == 1 ? "s" : ""));
}

}  // namespace

void refuse_matmul(Draft& draft, const MatmulForm& form, const MatmulShape& shape, const MatmulNames& names,
                   MatmulProblem problem) {
  const Ref &a = draft.ref(form.a), &b = draft.ref(form.b);
  const Target& target = *draft.target;
  const PipelineSettings& pipeline = draft.kernel->pipeline;
  const Span settings = pipeline.span.source ? pipeline.span : draft.kernel->span;
  const auto place = [&](const IntegerSetting& setting) { return setting.span.source ? setting.span : settings; };
  const int64_t mma_k = target.mma_k_bytes / shape.element_bytes;
  Diagnostic* refusal = nullptr;
  switch (problem) {
    case MatmulProblem::swizzle_a:
    case MatmulProblem::swizzle_b: {
      const Ref& ref = problem == MatmulProblem::swizzle_a ? a : b;
      refusal =
          &draft.refuse(kPlanTransform, block_place(ref),
                        fmt::format("block of '{}' is {}: its minor dim is {} bytes, which no swizzle divides (32, 64 "
                                    "or 128)",
                                    ref.name, block_text(ref), bytes_of(ref.dtype, ref.shape.back())));
      break;
    }
    case MatmulProblem::depth:
      refusal =
          &draft.refuse(kPlanMmaShape, block_place(a),
                        fmt::format("{} is {}: an MMA of {} contracts over {} elements, and the block must be a whole "
                                    "number of them deep",
                                    names.bk, shape.bk, name_of(a.dtype), mma_k));
      break;
    case MatmulProblem::columns:
      refusal = &draft.refuse(kPlanMmaShape, block_place(b),
                              fmt::format("{} is {}: an MMA takes a multiple of {} columns, at most {}", names.bn,
                                          shape.bn, target.mma_n_step, target.mma_max_n));
      break;
    case MatmulProblem::rows:
      refusal = &draft.refuse(
          kPlanMmaShape, block_place(a),
          fmt::format("{} is {}: {} share its rows, and each takes a whole number of {}-row MMAs", names.bm, shape.bm,
                      counted(shape.consumers, "compute warpgroup"), target.mma_rows));
      break;
    case MatmulProblem::pool:
      refusal = &draft.refuse(kPlanRegisterPool, place(pipeline.compute_warpgroups),
                              fmt::format("{}: beside a producer the {} registers of an SM serve 1 to 3",
                                          counted(shape.consumers, "compute warpgroup"), grouped(target.registers)));
      break;
    case MatmulProblem::registers: {
      const ConsumerRegisters registers = matmul_epilogue(shape, target).registers;
      refusal = &draft.refuse(kPlanRegisters, draft.ref(form.acc).span,
                              fmt::format("the accumulator of a compute warpgroup is {} x {} f32, {} registers of each "
                                          "thread; with {} for everything else it needs {} of {}",
                                          shape.rows_per_consumer(), shape.bn, registers.accumulators,
                                          registers.needed() - registers.accumulators, registers.needed(),
                                          registers_available(target, shape.consumers)));
      break;
    }
    case MatmulProblem::instruction:
      refusal =
          &draft.refuse(kPlanRegisters, block_place(b),
                        fmt::format("an MMA over {} columns holds {} accumulators in each thread, and with {} compute "
                                    "warpgroups ptxas compiles it for {} registers",
                                    shape.bn, shape.bn / 2, shape.consumers, register_split(shape.consumers)->entry));
      break;
    case MatmulProblem::store_box:
      refusal =
          &draft.refuse(kPlanBox, block_place(a),
                        fmt::format("a compute warpgroup stores {} rows at once, and a tensor copy takes at most {}",
                                    shape.rows_per_consumer(), target.max_box));
      break;
    case MatmulProblem::stages:
      refusal = &draft.refuse(kPlanStages, place(pipeline.stages), fmt::format("{}", counted(shape.stages, "stage")));
      break;
    case MatmulProblem::memory:
      refusal = &draft.refuse(kPlanSharedMemory, place(pipeline.stages), memory_message(draft, form, shape));
      break;
  }
  const std::vector<std::string> nearest = nearest_that_work(shape, names, target);
  for (const std::string& change : nearest) refusal->note(fmt::format("{} works", change));
  if (nearest.empty()) refusal->note("no tile works with these facts");
}

}  // namespace pallasgen
