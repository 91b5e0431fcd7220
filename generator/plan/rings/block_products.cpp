#include "rings/block_products.h"

#include <fmt/format.h>

#include <utility>

#include "infer/fma.h"
#include "plan/words.h"

namespace pallasgen {

program::SharedMatrix BlockProducts::operand_matrix(const Apply& product, size_t operand,
                                                    const std::map<int, tile::Entry>& got) {
  const tile::ValueId value{product.args[operand]->as<LocalUse>()->id};
  const bool along_k = fma_operand(product, operand).along_k;
  program::SharedMatrix matrix;
  matrix.major = along_k ? Major::k : Major::mn;
  std::vector<Number> sizes;
  if (const auto entry = got.find(value.index); entry != got.end()) {
    matrix.ring = channels_.ring_of(entry->second.channel);
    matrix.operand = entry->second.member;
    sizes = channels_.sizes(entry->second);
  } else {
    matrix.field = elements_.tile_of(value);
    sizes = draft_.plan.shared.fields[static_cast<size_t>(matrix.field)].dims;
  }
  matrix.lines = along_k ? sizes.front() : sizes.back();
  matrix.depth = along_k ? sizes.back() : sizes.front();
  return matrix;
}

void BlockProducts::explain_reads(const tile::Dot& dot, size_t operand, const program::SharedMatrix& matrix) {
  const Plan& plan = draft_.plan;
  const RingOperand* slot =
      matrix.ring < 0 ? nullptr
                      : &plan.rings[static_cast<size_t>(matrix.ring)].operands[static_cast<size_t>(matrix.operand)];
  const std::string name = slot ? slot->name : plan.shared.fields[static_cast<size_t>(matrix.field)].name;
  const FmaOperand lies = fma_operand(*dot.product->as<Apply>(), operand);
  const int span = slot ? swizzle_bytes(slot->swizzle) : 0;
  const int64_t bytes = lies.bytes * fma_read(fma_blocks(dot, role_.threads()), operand, matrix.depth.value, lies);
  const int64_t turns = fma_conflicts(dot, role_.threads(), operand, span);
  draft_.decide(fmt::format("reads of {} for {}", name, program_.value(dot.value).name),
                fmt::format("{} at a time, {} k", counted(bytes, "byte"), lies.along_k ? "along" : "across"),
                fmt::format("{}; {}", span == 0 ? "row by row" : fmt::format("swizzled over {} bytes", span),
                            turns == 1 ? "no conflicts of banks" : fmt::format("banks serve them in {} turns", turns)));
}

program::MultiplyAdd BlockProducts::multiply_add(const tile::Dot& dot, int accumulator,
                                                 const std::map<int, tile::Entry>& got) {
  const Apply& product = *dot.product->as<Apply>();
  program::MultiplyAdd made{accumulator, operand_matrix(product, 0, got), operand_matrix(product, 1, got),
                            product.attributes.precision == "tf32"};
  explain_reads(dot, 0, made.a);
  explain_reads(dot, 1, made.b);
  return made;
}

}  // namespace pallasgen
