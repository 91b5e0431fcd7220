#include "infer/fma.h"

#include "layout/layout.h"

namespace pallasgen {

FmaOperand fma_operand(const Apply& product, size_t operand) {
  const bool transposed = operand == 0 ? product.attributes.trans_a : product.attributes.trans_b;
  return {info(product.args[operand]->dtype).bits / 8, transposed == (operand == 1)};
}

FmaBlocks fma_blocks(const tile::Dot& dot, int64_t threads) {
  const Apply& product = *dot.product->as<Apply>();
  const Shape& shape = dot.product->shape;
  return fma_blocks(threads, shape[0], shape[1], fma_operand(product, 0), fma_operand(product, 1));
}

ValueLayout fma_layout(const tile::Dot& dot, int64_t threads) {
  const FmaBlocks blocks = fma_blocks(dot, threads);
  const Shape& shape = dot.product->shape;
  return fma_layout(threads, blocks.across, blocks.row_vector, blocks.column_vector, shape[0], shape[1]);
}

int64_t fma_conflicts(const tile::Dot& dot, int64_t threads, size_t operand, int64_t span) {
  const Apply& product = *dot.product->as<Apply>();
  const FmaOperand lies = fma_operand(product, operand);
  const Shape& shape = product.args[operand]->shape;
  return fma_conflicts(threads, fma_blocks(dot, threads), operand, shape[lies.along_k ? 0 : 1],
                       shape[lies.along_k ? 1 : 0], lies, span);
}

int64_t fma_step(const Apply& product, size_t operand) {
  const Shape& a = product.args[0]->shape;
  return fma_step(a[product.attributes.trans_a ? 0 : 1], fma_operand(product, operand));
}

}  // namespace pallasgen
