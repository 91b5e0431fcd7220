#pragma once

#include "copy_proofs.h"
#include "draft.h"
#include "tile/program.h"

namespace pallasgen {

// What a tensor copy of a ref's block needs from the operand's form and facts; false with refusals: block kinds, fill,
// strides, dtype, row pitch, rank. `readers` of single elements compare their places where the copy's zeros will not
// do.
enum class BlockReaders : uint8_t { fragments, elements };
bool check_tensor_copy(Draft& draft, int ref, BlockReaders readers = BlockReaders::fragments);
// Bytes of one row of the array are a proved multiple of 16, as tensor copies need it.
bool pitch_is_proved(const Draft& draft, int ref);
// "K must be a multiple of 8": the dim to add the fact to.
std::string pitch_remedy(const Draft& draft, int ref);

// Coordinates of the block's first element in the array, outermost first.
std::vector<TypedPtr> block_coordinates(const Draft& draft, int ref);

// Cuts the box of a ref into boxes of tensor copies: slabs of `swizzle` bytes along the contiguous dim (none: the whole
// width), row boxes where a slab has more rows than a box may have. Adds the tensor map. Null with a refusal where no
// boxes make it up.
std::optional<RingOperand> tensor_operand(Draft& draft, const tile::Box& box, Swizzle swizzle, Major major);

// RingOperand::box_coordinates of a block of the operand that begins elsewhere.
std::vector<TypedPtr> box_coordinates(const RingOperand& operand, std::vector<TypedPtr> first);

Swizzle swizzle_of(int bytes);

}  // namespace pallasgen
