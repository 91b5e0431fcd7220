#include "box_access.h"

namespace pallasgen {

program::Access box_access(const Draft& draft, const tile::Box& box, const std::vector<int>& dims,
                           ProvedVector vector) {
  std::vector<TypedPtr> offsets, limits;
  std::vector<int64_t> sizes;
  for (const tile::BoxDim& dim : box.dims) {
    offsets.push_back(dim.first);
    limits.push_back(dim.limit);
    sizes.push_back(dim.size.value_or(1));
  }
  return block_access(draft, box.ref, std::move(offsets), dims, sizes, std::move(vector), limits);
}

}  // namespace pallasgen
