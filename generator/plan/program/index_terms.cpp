#include "program/index_terms.h"

#include <utility>

namespace pallasgen {

TypedPtr variable(const std::string& name) {
  return make_typed({}, DType::index, {}, Symbol{SymbolKind::loop, -1, name});
}

TypedPtr dim_symbol(const Kernel& kernel, int dim) {
  return make_typed({}, DType::index, {}, Symbol{SymbolKind::dim, dim, kernel.dims[dim].name});
}

TypedPtr add(TypedPtr a, TypedPtr b) {
  if (!a) return b;
  if (!b) return a;
  return index_apply(Op::add, std::move(a), std::move(b));
}

TypedPtr multiply(TypedPtr a, TypedPtr b) { return index_apply(Op::multiply, std::move(a), std::move(b)); }

TypedPtr typed_constant(DType dtype, Scalar value) { return make_typed({}, dtype, {}, Constant{value, {}}); }

TypedPtr zero_of(DType dtype) {
  if (dtype == DType::boolean) return typed_constant(dtype, false);
  return typed_constant(dtype, info(dtype).is_float ? Scalar(0.0) : Scalar(int64_t{0}));
}

}  // namespace pallasgen
