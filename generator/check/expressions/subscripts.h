#pragma once

#include <optional>
#include <string>
#include <vector>

#include "expressions/typing_context.h"

namespace pallasgen {

using IndexItems = std::vector<IndexItem>;

// The entries of `base[entries]` for a base of that shape, called `name` in messages. Sets the result's shape, and
// `whole` to true if the result is the base unchanged. Errors: index-rank, index-range, operand-dtype, runtime-shape.
std::optional<IndexItems> index_items(TypingContext& in, const std::vector<ExprPtr>& entries, Span span,
                                      const std::string& name, const Shape& shape, Shape& result, bool& whole);
// The same for a ref or a view of one: returns entries of the ref itself.
std::optional<IndexItems> ref_items(TypingContext& in, const RefName& ref, const std::vector<ExprPtr>& entries,
                                    Span span, Shape& result, bool& whole);
// True if a value can have that shape; reports runtime-shape for a whole dim of the ref `name` with a runtime extent.
bool sized(TypingContext& in, const Shape& shape, Span span, const std::string& name);
// `offsets[g]` for Kernel::scalars[scalar], and parts of it, which only the body can read.
TypedPtr element_value(TypingContext& in, int scalar, const std::vector<ExprPtr>& entries, Span span);

}  // namespace pallasgen
