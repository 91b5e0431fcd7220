#include "slot_copies.h"

#include <fmt/format.h>

#include "access.h"
#include "tensor_copies.h"

namespace pallasgen {

namespace {

constexpr int64_t kLeastAsync = 4;  // bytes of one cp.async (PTX ISA 8.6, cp.async)

int64_t bytes_at_once(const Draft& draft, const program::Access& access) {
  return bytes_of(draft.ref(access.ref).dtype, access.vector.value);
}

}  // namespace

program::Access slot_access(const Draft& draft, int index) {
  const Ref& ref = draft.ref(index);
  std::vector<TypedPtr> offsets = block_coordinates(draft, index), limits(ref.block.size());
  std::vector<int> dims(ref.block.size(), -1);
  std::vector<int64_t> sizes(ref.block.size(), 1);
  int kept = 0;
  for (size_t d = 0; d < ref.block.size(); ++d) {
    if (ref.block[d].kind == BlockKind::squeezed) continue;
    if (ref.block[d].kind == BlockKind::bounded_slice) limits[d] = ref.block[d].slice_size;
    dims[d] = kept++;
    sizes[d] = ref.block[d].size;
  }
  ProvedVector vector{1, "its rows do not run along the rows of the block"};
  if (dims.back() >= 0) vector = proved_vector(draft, index, offsets.back(), sizes.back());
  return block_access(draft, index, std::move(offsets), dims, sizes, std::move(vector), limits);
}

program::Access at_step_of(const Kernel& kernel, program::Access access, int axis, const TypedPtr& step) {
  for (program::AccessDim& dim : access.dims) {
    dim.offset = at_step_of(kernel, dim.offset, axis, step);
    if (dim.size) dim.size = at_step_of(kernel, dim.size, axis, step);
  }
  return access;
}

CopyPath thread_path(const Draft& draft, const program::Access& access) {
  return bytes_at_once(draft, access) >= kLeastAsync ? CopyPath::async : CopyPath::registers;
}

std::string path_text(const Draft& draft, CopyPath path, const program::Access& access) {
  const std::string bytes = counted(bytes_at_once(draft, access), "byte");
  return fmt::format("{}, {} at a time", path == CopyPath::async ? "cp.async" : "loads and stores to shared memory",
                     bytes);
}

std::vector<Number> block_sizes(const Ref& ref) {
  std::vector<Number> sizes;
  for (const BlockDim& dim : ref.block) {
    if (dim.kind != BlockKind::squeezed) sizes.push_back(number_of(dim));
  }
  return sizes;
}

void warn_of_narrow_copies(Draft& draft, const program::Access& access) {
  const Ref& ref = draft.ref(access.ref);
  const int64_t most = needed_multiple(ref);
  if (access.vector.value > 1 || most == 1 || access.dims.back().fragment_dim < 0) return;
  if (ref.block.back().size % most != 0 || ref.block.back().kind == BlockKind::bounded_slice) return;
  if (multiple_of(ref.array_shape.back(), draft.facts) % most == 0) return;
  draft.diagnostics
      .warning(kPlanScalarAccess, ref.type_span.source ? ref.type_span : ref.span,
               fmt::format("'{}' is copied element by element: nothing says that its rows of {} elements are whole "
                           "16-byte units",
                           ref.name, to_string(ref.array_shape.back())))
      .note(pitch_remedy(draft, access.ref));
}

}  // namespace pallasgen
