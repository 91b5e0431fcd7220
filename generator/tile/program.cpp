#include "tile/program.h"

namespace pallasgen::tile {

TypedPtr use(const Program& program, ValueId id, Span span) {
  const Value& value = program.value(id);
  return make_typed(span, value.dtype, value.shape, LocalUse{id.index, value.name});
}

}  // namespace pallasgen::tile
