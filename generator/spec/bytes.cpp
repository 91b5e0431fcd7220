#include "bytes.h"

#include <fmt/format.h>

#include "spec/rules.h"

namespace pallasgen {
namespace {

// Length in bytes of the well-formed sequence at the start of `text` (Unicode 15, table 3-7), 0 if there is none.
size_t well_formed(std::string_view text) {
  auto byte = [&](size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0; };
  auto follows = [&](size_t i, int low = 0x80, int high = 0xBF) { return byte(i) >= low && byte(i) <= high; };
  int first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return follows(1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    bool second = follows(1, first == 0xE0 ? 0xA0 : 0x80, first == 0xED ? 0x9F : 0xBF);
    return second && follows(2) ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    bool second = follows(1, first == 0xF0 ? 0x90 : 0x80, first == 0xF4 ? 0x8F : 0xBF);
    return second && follows(2) && follows(3) ? 4 : 0;
  }
  return 0;
}

}  // namespace

size_t byte_order_mark(std::string_view text) { return text.starts_with("\xEF\xBB\xBF") ? 3 : 0; }

bool check_bytes(const SourceText& source, Diagnostics& diagnostics) {
  std::string_view text = source.text();
  Span file{&source, 0, 0};
  if (text.size() > kMaxFileBytes) {
    diagnostics.error(kFileSize, file,
                      fmt::format("the file has {} bytes; a spec has at most {}", text.size(), kMaxFileBytes));
    return false;
  }
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
    diagnostics.error(kFileEncoding, file, "the file begins with the byte-order mark of UTF-16: save it as UTF-8");
    return false;
  }
  for (size_t i = 0; i < text.size();) {
    Span here{&source, static_cast<uint32_t>(i), static_cast<uint32_t>(i + 1)};
    if (text[i] == '\0') {
      diagnostics.error(kFileNul, here, fmt::format("byte {} of the file is NUL: a spec is text", i));
      return false;
    }
    size_t length = well_formed(text.substr(i));
    if (length == 0) {
      diagnostics.error(kFileEncoding, here,
                        fmt::format("byte {} of the file is 0x{:02X}, which is not UTF-8 here: save "
                                    "the file as UTF-8",
                                    i, static_cast<unsigned char>(text[i])));
      return false;
    }
    i += length;
  }
  return true;
}

}  // namespace pallasgen
