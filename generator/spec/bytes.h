#pragma once

#include "diagnostics/diagnostic.h"

namespace pallasgen {

inline constexpr size_t kMaxFileBytes = size_t{16} << 20;

// Whether the bytes of a source may be given to YAML: size, byte-order marks of other encodings, UTF-8, NUL. Reports
// the first that is wrong.
[[nodiscard]] bool check_bytes(const SourceText& source, Diagnostics& diagnostics);

// Bytes of the UTF-8 byte-order mark at the begin of the text: 0 or 3.
size_t byte_order_mark(std::string_view text);

}  // namespace pallasgen
