#pragma once

#include "diagnostics/diagnostic.h"

namespace pallasgen {

inline constexpr size_t kMaxFileBytes = size_t{16} << 20;

// True if the bytes of a source may be given to YAML: at most kMaxFileBytes of UTF-8 without NUL and without the
// byte-order mark of another encoding. Else reports the first violation.
[[nodiscard]] bool check_bytes(const SourceText& source, Diagnostics& diagnostics);

// Bytes of the UTF-8 byte-order mark at the start of the text: 0 or 3.
size_t byte_order_mark(std::string_view text);

}  // namespace pallasgen
