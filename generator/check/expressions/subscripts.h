#pragma once

#include <optional>
#include <string>
#include <vector>

#include "expressions/typing_context.h"

namespace pallasgen {

using IndexItems = std::vector<IndexItem>;

// The entries of `base[entries]` for a thing of that shape, called `name` in messages. Gives the shape of the result,
// and whether that is all of it as it is. Errors: index-rank, index-range, operand-dtype, runtime-shape.
std::optional<IndexItems> index_items(TypingContext& in, const std::vector<ExprPtr>& entries, Span span,
                                      const std::string& name, const Shape& shape, Shape& result, bool& whole);
// The same for a ref or a view of one: entries of the ref itself.
std::optional<IndexItems> ref_items(TypingContext& in, const RefName& ref, const std::vector<ExprPtr>& entries,
                                    Span span, Shape& result, bool& whole);
// Whether a value can have that shape: runtime-shape for a dim of the ref `name` that is whole and has a runtime
// extent.
bool sized(TypingContext& in, const Shape& shape, Span span, const std::string& name);
// `offsets[g]` for Kernel::scalars[scalar], and parts of it, which only the body reads.
TypedPtr element_value(TypingContext& in, int scalar, const std::vector<ExprPtr>& entries, Span span);

}  // namespace pallasgen
